/**
 * Distances of points and boxes around them, on plain numbers, so that a scan can measure points without making
 * objects.
 *
 * In the plane and in space the distance is Euclidean. On the globe it is the great circle by the haversine formula, on
 * a sphere with the radius that Neo4j uses. With heights, the great circle at the mean height and the difference of the
 * heights are the sides of a right triangle.
 */
import type { Truth } from '../logic.ts';
import { isGeographic, type Point } from './point.ts';

/** The radius of the sphere in metres, as in Neo4j: the equatorial radius of the earth. */
export const EARTH_RADIUS_METRES = 6_378_140;

const RADIANS = Math.PI / 180;

/** Coordinates without a reference system; `z` is null in two dimensions. */
export interface Coordinates {
  readonly x: number;
  readonly y: number;
  readonly z: number | null;
}

/** Returns the distance of two points; null if their reference systems differ. */
export function pointDistance(a: Point, b: Point): number | null {
  return a.srid === b.srid ? distanceWithin(a.srid, a, b) : null;
}

/** Returns the distance of two points of one system: in metres on the globe, else in the unit of the coordinates. */
export function distanceWithin(srid: number, a: Coordinates, b: Coordinates): number {
  if (isGeographic(srid)) return globeDistance(a, b);
  return lengthOf(a.x - b.x, a.y - b.y, a.z === null || b.z === null ? 0 : a.z - b.z);
}

function globeDistance(a: Coordinates, b: Coordinates): number {
  const angle = greatCircle(a, b);
  if (a.z === null || b.z === null) return EARTH_RADIUS_METRES * angle;
  return lengthOf((EARTH_RADIUS_METRES + (a.z / 2 + b.z / 2)) * angle, a.z - b.z, 0);
}

/** Returns the length of a vector, by the plain sum of squares unless squares leave the range of doubles. */
function lengthOf(dx: number, dy: number, dz: number): number {
  const squares = dx * dx + dy * dy + dz * dz;
  return squares < LARGEST_SQUARE && squares > SMALLEST_SQUARE ? Math.sqrt(squares) : Math.hypot(dx, dy, dz);
}

const LARGEST_SQUARE = 1e300;
const SMALLEST_SQUARE = 1e-280;

/** Returns the angle between two places on the globe, in radians. */
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
 * Tells whether a point is in the box between two corners, bounds included; null if the three points are not of one
 * system. On the globe, a box whose lower-left corner is east of the other crosses the date line. Any other box with
 * swapped corners is empty.
 */
export function withinBox(point: Point, lowerLeft: Point, upperRight: Point): Truth {
  if (point.srid !== lowerLeft.srid || point.srid !== upperRight.srid) return null;
  return isInBox(point.srid, point, lowerLeft, upperRight);
}

/** Evaluates `withinBox` for coordinates of one system. */
export function isInBox(srid: number, point: Coordinates, lowerLeft: Coordinates, upperRight: Coordinates): boolean {
  const crossesDateLine = isGeographic(srid) && lowerLeft.x > upperRight.x;
  const inWidth = crossesDateLine ? point.x >= lowerLeft.x || point.x <= upperRight.x : isBetween(point.x, lowerLeft.x, upperRight.x);
  if (!inWidth || !isBetween(point.y, lowerLeft.y, upperRight.y)) return false;
  return point.z === null || lowerLeft.z === null || upperRight.z === null || isBetween(point.z, lowerLeft.z, upperRight.z);
}

function isBetween(x: number, low: number, high: number): boolean {
  return x >= low && x <= high;
}
