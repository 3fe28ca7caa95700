/**
 * Points in one of four coordinate reference systems, and the invariants of every point: finite coordinates, as many as
 * the system has dimensions; on the globe, a latitude in -90 … 90 and a longitude in -180 … 180. A longitude beyond its
 * range wraps around, a latitude beyond its range is refused.
 */
import { argumentFault } from '../faults.ts';
import { floatText } from '../float-text.ts';

/** A coordinate reference system. */
export interface CoordinateSystem {
  readonly srid: number;
  readonly name: string;
  readonly dimensions: 2 | 3;
  /** True for longitude and latitude in degrees, with the height in metres. */
  readonly geographic: boolean;
}

/** The system of points on the globe, WGS 84. */
export const WGS_84: CoordinateSystem = { srid: 4326, name: 'wgs-84', dimensions: 2, geographic: true };

/** The system WGS 84 with height. */
export const WGS_84_3D: CoordinateSystem = { srid: 4979, name: 'wgs-84-3d', dimensions: 3, geographic: true };

/** The Cartesian plane. */
export const CARTESIAN: CoordinateSystem = { srid: 7203, name: 'cartesian', dimensions: 2, geographic: false };

/** The Cartesian space. */
export const CARTESIAN_3D: CoordinateSystem = { srid: 9157, name: 'cartesian-3d', dimensions: 3, geographic: false };

/** All coordinate reference systems. */
export const COORDINATE_SYSTEMS: readonly CoordinateSystem[] = [WGS_84, WGS_84_3D, CARTESIAN, CARTESIAN_3D];

const BY_SRID: ReadonlyMap<unknown, CoordinateSystem> = new Map(COORDINATE_SYSTEMS.map((system) => [system.srid, system]));

/** Returns the system of an SRID; undefined for an unknown one. */
export function systemOfSrid(srid: unknown): CoordinateSystem | undefined {
  return BY_SRID.get(srid);
}

/** Returns the system of a name, in any case; undefined for an unknown one. */
export function systemOfName(name: string): CoordinateSystem | undefined {
  const lower = name.toLowerCase();
  return COORDINATE_SYSTEMS.find((system) => system.name === lower);
}

/** An immutable point. `x` is the longitude and `y` the latitude on the globe; `z` is null in two dimensions. */
export class Point {
  readonly srid: number;
  readonly x: number;
  readonly y: number;
  readonly z: number | null;

  /** @throws ARGUMENT_ERROR for an unknown SRID, the wrong number of coordinates, one that is not finite, a latitude beyond the poles */
  constructor(srid: number, x: number, y: number, z: number | null = null) {
    const problem = pointProblem(srid, x, y, z);
    if (problem !== null) throw argumentFault(problem);
    this.srid = srid;
    this.x = isGeographic(srid) ? wrappedLongitude(x) : x;
    this.y = y;
    this.z = z;
  }

  get system(): CoordinateSystem {
    return BY_SRID.get(this.srid) as CoordinateSystem; // as: the constructor has looked it up
  }

  /** Returns the call of `point()` that makes the point, as toString() in Cypher does. */
  toString(): string {
    return pointText(this);
  }

  /** Returns the object that the HTTP API sends. */
  toJSON(): { _kind: 'point'; srid: number; x: number; y: number; z?: number } {
    const { srid, x, y, z } = this;
    return z === null ? { _kind: 'point', srid, x, y } : { _kind: 'point', srid, x, y, z };
  }
}

/** Tells whether the system of an SRID is geographic. */
export function isGeographic(srid: number): boolean {
  return srid === WGS_84.srid || srid === WGS_84_3D.srid;
}

/** Returns the reason why there is no such point; null if there is one. */
export function pointProblem(srid: number, x: number, y: number, z: number | null): string | null {
  const system = BY_SRID.get(srid);
  if (system === undefined) return `unknown coordinate reference system: ${srid}; known are ${SRIDS}`;
  const coordinates = z === null ? [x, y] : [x, y, z];
  if (coordinates.length !== system.dimensions) return dimensionProblem(system, coordinates.length);
  if (!coordinates.every(Number.isFinite)) return `the coordinates of a point must be finite numbers, and these are ${textOf(coordinates)}`;
  if (system.geographic && !(y >= -90 && y <= 90)) return `a latitude must lie in -90 to 90, but is ${floatText(y)}`;
  return null;
}

const SRIDS = COORDINATE_SYSTEMS.map(({ srid, name }) => `${srid} (${name})`).join(', ');

function dimensionProblem({ name, dimensions }: CoordinateSystem, count: number): string {
  return `a ${name} point has ${dimensions} coordinates, and here are ${count}`;
}

const textOf = (coordinates: readonly number[]): string => coordinates.map(floatText).join(', ');

/** Wraps a longitude into -180 … 180, both ends included: 180.5 is -179.5, 540 is 180, -540 is -180. */
function wrappedLongitude(longitude: number): number {
  if (longitude >= -180 && longitude <= 180) return longitude;
  const turned = longitude % 360;
  if (turned > 180) return turned - 360;
  return turned < -180 ? turned + 360 : turned;
}

/** Writes a point as `point({x: 1.0, y: 2.0, crs: 'cartesian'})`, which reads back as the same point. */
export function pointText(point: Point): string {
  return `point(${pointMapText(point)})`;
}

/** Writes a point as `{x: 1.0, y: 2.0, crs: 'cartesian'}`, the form of neo4j-admin's files. */
export function pointMapText({ x, y, z, system }: Point): string {
  const third = z === null ? '' : `, z: ${floatText(z)}`;
  return `{x: ${floatText(x)}, y: ${floatText(y)}${third}, crs: '${system.name}'}`;
}
