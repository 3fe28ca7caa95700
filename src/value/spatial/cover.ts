/**
 * Covers: boxes of coordinates that hold every point of an area, for which an index is searched. A cover may hold other
 * points as well, which the condition itself then refuses; it never misses a point of the area, in spite of rounding.
 */

import { isNumber, toNumber } from '../numbers.ts';
import type { Value } from '../values.ts';
import { EARTH_RADIUS_METRES } from './distance.ts';
import { isGeographic, Point } from './point.ts';

/** A box of coordinates with inclusive bounds. Heights are not bounded. */
export interface CoordinateBox {
  readonly minX: number;
  readonly minY: number;
  readonly maxX: number;
  readonly maxY: number;
}

/** The boxes that cover an area. */
export interface AreaCover {
  readonly srid: number;
  /** The boxes, which are disjoint except for points on the date line. */
  readonly boxes: readonly CoordinateBox[];
}

const EVERYWHERE: CoordinateBox = { minX: -Infinity, minY: -Infinity, maxX: Infinity, maxY: Infinity };
/** The margin in degrees, about a tenth of a metre: far more than the haversine formula can lose, also near antipodes. */
const DEGREES_MARGIN = 1e-6;
const RELATIVE_MARGIN = 1e-9;

/** Returns the cover of all p with `point.withinBBox(p, lowerLeft, upperRight)`; null if no p can satisfy the condition. */
export function coverOfBox(lowerLeft: Value, upperRight: Value): AreaCover | null {
  if (!(lowerLeft instanceof Point && upperRight instanceof Point) || lowerLeft.srid !== upperRight.srid) return null;
  const { srid, x: minX, y: minY } = lowerLeft;
  const { x: maxX, y: maxY } = upperRight;
  if (minY > maxY) return null;
  if (minX <= maxX) return { srid, boxes: [{ minX, minY, maxX, maxY }] };
  if (!isGeographic(srid)) return null;
  return {
    srid,
    boxes: [
      { minX, minY, maxX: 180, maxY },
      { minX: -180, minY, maxX, maxY },
    ],
  };
}

/** Returns the cover of all p with `point.distance(p, centre) <= radius`; null if no p can satisfy the condition. */
export function coverOfCircle(centre: Value, radius: Value): AreaCover | null {
  if (!(centre instanceof Point) || !isNumber(radius)) return null;
  const reach = toNumber(radius);
  if (!(reach >= 0)) return null;
  const { srid } = centre;
  return { srid, boxes: isGeographic(srid) ? boxesOnGlobe(centre, reach) : [boxInPlane(centre, reach)] };
}

function boxInPlane({ x, y }: Point, reach: number): CoordinateBox {
  const reachX = reach + (reach + Math.abs(x)) * RELATIVE_MARGIN + Number.MIN_VALUE;
  const reachY = reach + (reach + Math.abs(y)) * RELATIVE_MARGIN + Number.MIN_VALUE;
  return { minX: x - reachX, minY: y - reachY, maxX: x + reachX, maxY: y + reachY };
}

function boxesOnGlobe({ x, y, z }: Point, reach: number): readonly CoordinateBox[] {
  // The great circle of two heights lies at their mean, which is lowest where the other point is as far below as the distance allows.
  const radius = EARTH_RADIUS_METRES + (z === null ? 0 : z - reach / 2);
  const angle = ((reach / radius) * 180) / Math.PI;
  const reachY = angle * (1 + RELATIVE_MARGIN) + DEGREES_MARGIN;
  if (!(radius > 0 && reachY < 90)) return [EVERYWHERE];
  const minY = y - reachY;
  const maxY = y + reachY;
  if (minY <= -90 || maxY >= 90) return [{ ...EVERYWHERE, minY, maxY }];
  const ratio = Math.sin((reachY * Math.PI) / 180) / Math.cos((y * Math.PI) / 180);
  const reachX = ratio >= 1 ? 180 : (Math.asin(ratio) * 180) / Math.PI + DEGREES_MARGIN;
  return reachX >= 180 ? [{ ...EVERYWHERE, minY, maxY }] : aroundDateLine({ minX: x - reachX, minY, maxX: x + reachX, maxY });
}

/** Splits a box whose longitudes may exceed ±180 on one side into one or two boxes within ±180. */
function aroundDateLine({ minX, minY, maxX, maxY }: CoordinateBox): readonly CoordinateBox[] {
  if (minX < -180)
    return [
      { minX: minX + 360, minY, maxX: 180, maxY },
      { minX: -180, minY, maxX, maxY },
    ];
  if (maxX > 180)
    return [
      { minX, minY, maxX: 180, maxY },
      { minX: -180, minY, maxX: maxX - 360, maxY },
    ];
  return [{ minX, minY, maxX, maxY }];
}
