/**
 * The functions on points over a column of encoded values: what is no point of the right system there has no distance and lies in no box.
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

/** `point.distance` of the value of a row; NaN, which no distance is, for null. */
export function distanceStored(column: EncodedColumn, row: number, other: Value): number {
  return other instanceof Point && read(column, row, other.srid) ? distanceWithin(other.srid, stored, other) : Number.NaN;
}

/** `point.withinBBox` of the value of a row. */
export function withinStored(column: EncodedColumn, row: number, lowerLeft: Value, upperRight: Value): boolean | null {
  if (!(lowerLeft instanceof Point && upperRight instanceof Point) || lowerLeft.srid !== upperRight.srid) return null;
  return read(column, row, lowerLeft.srid) ? isInBox(lowerLeft.srid, stored, lowerLeft, upperRight) : null;
}
