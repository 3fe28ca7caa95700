/**
 * Points: in the oracle's rows and in generated graphs a Map of the number of the coordinate reference system and of
 * the coordinates, under names that no other map has. So equality, grouping and order are those of maps with equally
 * many entries: by the system, then by the coordinates.
 */
import { isNumber, makeFloat, type Truth, toNumber, type Value, type ValueMap } from '../../../src/value/index.ts';
import { fault } from './context.ts';

const SRID = '\u0000srid';
const COORDINATES = ['\u0001x', '\u0002y', '\u0003z'] as const;

interface System {
  readonly srid: number;
  readonly name: string;
  readonly dimensions: number;
  readonly geographic: boolean;
}

const SYSTEMS: readonly System[] = [
  { srid: 4326, name: 'wgs-84', dimensions: 2, geographic: true },
  { srid: 4979, name: 'wgs-84-3d', dimensions: 3, geographic: true },
  { srid: 7203, name: 'cartesian', dimensions: 2, geographic: false },
  { srid: 9157, name: 'cartesian-3d', dimensions: 3, geographic: false },
];

export interface PointParts {
  readonly srid: number;
  /** As many as the system has dimensions. */
  readonly coordinates: readonly number[];
}

export function pointValue({ srid, coordinates }: PointParts): ValueMap {
  return new Map<string, Value>([[SRID, srid], ...COORDINATES.map((name, i) => [name, makeFloat(coordinates[i] ?? 0)] as const)]);
}

/** null: the value is no point. */
export function pointParts(value: unknown): PointParts | null {
  if (!(value instanceof Map) || !value.has(SRID)) return null;
  const { srid, dimensions } = systemOf(value.get(SRID) as number);
  return { srid, coordinates: COORDINATES.slice(0, dimensions).map((name) => toNumber(value.get(name) as number)) };
}

function systemOf(srid: number): System {
  return SYSTEMS.find((system) => system.srid === srid) ?? fault('a coordinate reference system that there is not');
}

/** Makes a point of `{x, y[, z]}` or `{longitude, latitude[, height]}`, with or without `srid` or `crs`. */
function point(value: Value): Value {
  if (!(value instanceof Map)) return fault('a point of something else');
  if ([...value.values()].includes(null)) return null;
  const geographic = value.has('longitude');
  const names = geographic ? ['longitude', 'latitude', 'height'] : ['x', 'y', 'z'];
  const coordinates = names.filter((name) => value.has(name)).map((name) => coordinate(value.get(name)!));
  const fits = SYSTEMS.find((system) =>
    value.has('srid')
      ? system.srid === value.get('srid')
      : value.has('crs')
        ? system.name === String(value.get('crs')).toLowerCase()
        : system.geographic === geographic && system.dimensions === coordinates.length,
  );
  return fits?.dimensions === coordinates.length ? pointValue({ srid: fits.srid, coordinates }) : fault('no such point');
}

function coordinate(value: Value): number {
  return isNumber(value) ? toNumber(value) : fault('a coordinate that is no number');
}

/** `p.x` and the like, undefined where the value is no point. */
export function component(value: Value, name: string): Value | undefined {
  const parts = pointParts(value);
  if (parts === null) return undefined;
  const { srid, name: crs, geographic } = systemOf(parts.srid);
  if (name === 'srid') return srid;
  if (name === 'crs') return crs;
  const place = geographic && ['longitude', 'latitude', 'height'].includes(name) ? 'longitude latitude height' : 'x y z';
  const found = parts.coordinates[place.split(' ').indexOf(name)];
  return found === undefined ? fault('a component that a point has not') : makeFloat(found);
}

/** The radius of the globe that Neo4j measures with, in metres. */
const RADIUS = 6_378_140;

/**
 * Computes a distance: by Pythagoras in plane and space; on the globe by the haversine of the central angle, at the
 * mean height, with the difference of heights.
 */
function distance(left: Value, right: Value): Value {
  const [a, b] = [partsOf(left), partsOf(right)];
  if (a.srid !== b.srid) return null;
  const differences = a.coordinates.map((x, i) => x - b.coordinates[i]!);
  if (!systemOf(a.srid).geographic) return makeFloat(Math.hypot(...differences));
  const [height = 0, other = 0] = [a.coordinates[2], b.coordinates[2]];
  return makeFloat(Math.hypot((RADIUS + (height + other) / 2) * centralAngle(a.coordinates, b.coordinates), height - other));
}

function centralAngle(
  [longitude = 0, latitude = 0]: readonly number[],
  [otherLongitude = 0, otherLatitude = 0]: readonly number[],
): number {
  const radians = (degrees: number): number => (degrees * Math.PI) / 180;
  const haversine = (angle: number): number => Math.sin(angle / 2) ** 2;
  const whole =
    haversine(radians(latitude - otherLatitude)) +
    Math.cos(radians(latitude)) * Math.cos(radians(otherLatitude)) * haversine(radians(longitude - otherLongitude));
  return 2 * Math.asin(Math.sqrt(Math.min(1, whole)));
}

/** Edges included. On the globe, a box whose western edge lies east of its eastern one crosses the date line. */
function withinBox(value: Value, lower: Value, upper: Value): Truth {
  const [{ srid, coordinates }, low, high] = [partsOf(value), partsOf(lower), partsOf(upper)];
  if (srid !== low.srid || srid !== high.srid) return null;
  return coordinates.every((x, i) => {
    const [from, to] = [low.coordinates[i]!, high.coordinates[i]!];
    const turned = i === 0 && systemOf(srid).geographic && from > to;
    return turned ? x >= from || x <= to : x >= from && x <= to;
  });
}

function partsOf(value: Value): PointParts {
  return pointParts(value) ?? fault('something else than a point');
}

export const POINT_FUNCTIONS: Record<string, (...values: Value[]) => Value> = {
  point: (value = null) => point(value),
  'point.distance': (left = null, right = null) => distance(left, right),
  'point.withinbbox': (value = null, lower = null, upper = null) => withinBox(value, lower, upper),
};
