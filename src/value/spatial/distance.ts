/**
 * Distances of points and boxes around them, on plain numbers, so that a scan can measure points where they are stored.
 *
 * In a plane and in space the distance is Euclid's. On the globe it is the great circle by the haversine formula, on a sphere of the
 * radius that Neo4j takes; with heights, the great circle at the mean height and the difference of heights are the sides of a right
 * triangle.
 */
import type { Truth } from '../logic.ts';
import { isGeographic, type Point } from './point.ts';

/** The equatorial radius that Neo4j measures with. */
export const EARTH_RADIUS_METRES = 6_378_140;

const RADIANS = Math.PI / 180;

/** Coordinates without their system; `z` is null in two dimensions. */
export interface Coordinates {
  readonly x: number;
  readonly y: number;
  readonly z: number | null;
}

/** null where the points are of different systems. */
export function pointDistance(a: Point, b: Point): number | null {
  return a.srid === b.srid ? distanceWithin(a.srid, a, b) : null;
}

/** The distance of two points of the system: in metres on the globe, else in the unit of the coordinates. */
export function distanceWithin(srid: number, a: Coordinates, b: Coordinates): number {
  if (isGeographic(srid)) return globeDistance(a, b);
  return lengthOf(a.x - b.x, a.y - b.y, a.z === null || b.z === null ? 0 : a.z - b.z);
}

function globeDistance(a: Coordinates, b: Coordinates): number {
  const angle = greatCircle(a, b);
  if (a.z === null || b.z === null) return EARTH_RADIUS_METRES * angle;
  return lengthOf((EARTH_RADIUS_METRES + (a.z / 2 + b.z / 2)) * angle, a.z - b.z, 0);
}

/** Computes a length by the plain sum of squares, except where squares leave the range of doubles. */
function lengthOf(dx: number, dy: number, dz: number): number {
  const squares = dx * dx + dy * dy + dz * dz;
  return squares < LARGEST_SQUARE && squares > SMALLEST_SQUARE ? Math.sqrt(squares) : Math.hypot(dx, dy, dz);
}

const LARGEST_SQUARE = 1e300;
const SMALLEST_SQUARE = 1e-280;

/** The angle between two places, in radians. */
function greatCircle(a: Coordinates, b: Coordinates): number {
  const latitudeA = a.y * RADIANS;
  const latitudeB = b.y * RADIANS;
  const vertical = Math.sin((latitudeB - latitudeA) / 2);
  const horizontal = Math.sin((b.x * RADIANS - a.x * RADIANS) / 2);
  const haversine = vertical * vertical + Math.cos(latitudeA) * Math.cos(latitudeB) * horizontal * horizontal;
  // Rounding can take the haversine of antipodes beyond 1.
  return 2 * Math.atan2(Math.sqrt(haversine), Math.sqrt(Math.max(0, 1 - haversine)));
}

/**
 * Whether a point lies in the box between two corners, edges included; null where the three are not of one system. On the globe a box whose
 * lower-left corner lies east of the other crosses the date line. A box whose corners are the wrong way round otherwise is empty.
 */
export function withinBox(point: Point, lowerLeft: Point, upperRight: Point): Truth {
  if (point.srid !== lowerLeft.srid || point.srid !== upperRight.srid) return null;
  return isInBox(point.srid, point, lowerLeft, upperRight);
}

/** `withinBox` of coordinates that are of one system. */
export function isInBox(srid: number, point: Coordinates, lowerLeft: Coordinates, upperRight: Coordinates): boolean {
  const crossesDateLine = isGeographic(srid) && lowerLeft.x > upperRight.x;
  const inWidth = crossesDateLine ? point.x >= lowerLeft.x || point.x <= upperRight.x : isBetween(point.x, lowerLeft.x, upperRight.x);
  if (!inWidth || !isBetween(point.y, lowerLeft.y, upperRight.y)) return false;
  return point.z === null || lowerLeft.z === null || upperRight.z === null || isBetween(point.z, lowerLeft.z, upperRight.z);
}

function isBetween(x: number, low: number, high: number): boolean {
  return x >= low && x <= high;
}
