/**
 * Functions on points over a column of encoded values. A value that is no point, or one of another coordinate reference
 * system, has no distance and lies in no box.
 */
import { distanceWithin, isInBox, Point, StoredPoint, type Value } from '../../value/index.ts';

/** A column of encoded values, as generated code reads it. */
export interface EncodedColumn {
  readonly values: ArrayLike<number | bigint>;
  readonly heap: Uint8Array | null;
  readonly valid: Uint8Array | null;
}

const stored = new StoredPoint();

function read({ values, heap, valid }: EncodedColumn, row: number, srid: number): boolean {
  if (valid !== null && ((valid[row >> 3]! >> (row & 7)) & 1) === 0) return false;
  return stored.read(heap!, values[row] as number, values[row + 1] as number) && stored.srid === srid;
}

/** Evaluates `point.distance` for a row; NaN, which is no distance, stands for null. */
export function distanceStored(column: EncodedColumn, row: number, other: Value): number {
  return other instanceof Point && read(column, row, other.srid) ? distanceWithin(other.srid, stored, other) : Number.NaN;
}

/** Evaluates `point.withinBBox` for a row; null as the function itself. */
export function withinStored(column: EncodedColumn, row: number, lowerLeft: Value, upperRight: Value): boolean | null {
  if (!(lowerLeft instanceof Point && upperRight instanceof Point) || lowerLeft.srid !== upperRight.srid) return null;
  return read(column, row, lowerLeft.srid) ? isInBox(lowerLeft.srid, stored, lowerLeft, upperRight) : null;
}
