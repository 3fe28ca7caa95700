/**
 * Boxes of coordinates that hold every point of an area: what an index is asked for. A cover may hold other points as well, which the
 * condition itself then refuses; it never misses one, whatever was rounded on either side.
 */

import { isNumber, toNumber } from '../numbers.ts';
import type { Value } from '../values.ts';
import { EARTH_RADIUS_METRES } from './distance.ts';
import { isGeographic, Point } from './point.ts';

/** Ends included; heights are not bounded. */
export interface CoordinateBox {
  readonly minX: number;
  readonly minY: number;
  readonly maxX: number;
  readonly maxY: number;
}

/** The boxes that cover an area. */
export interface AreaCover {
  readonly srid: number;
  /** Disjoint, but for points on the date line. */
  readonly boxes: readonly CoordinateBox[];
}

const EVERYWHERE: CoordinateBox = { minX: -Infinity, minY: -Infinity, maxX: Infinity, maxY: Infinity };
/** Far more than the haversine formula loses, near antipodes too; a tenth of a metre. */
const DEGREES_MARGIN = 1e-6;
const RELATIVE_MARGIN = 1e-9;

/** The cover of all p with `point.withinBBox(p, lowerLeft, upperRight)`; null where there is none. */
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

/** The cover of all p with `point.distance(p, centre) <= radius`; null where there is none. */
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

/** A box whose longitudes may lie beyond ±180 on one side: in one or two that do not. */
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
