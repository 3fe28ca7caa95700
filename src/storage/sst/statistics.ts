/**
 * Statistics of a column over the rows of one file: nulls, bounds, and distinct values where that is cheap. Bounds hold
 * for every value that is not null; they are left out where one would be long, infinite or NaN.
 */
import type { SstColumn } from '../api.ts';
import { pieces } from '../files/background-thread.ts';
import { countBits, isSet } from './bits.ts';

/** The rows from `from` to before `to`. */
export interface RowRange {
  readonly from: number;
  readonly to: number;
}

/** The bounds of values; empty when there is no short and finite bound. */
export interface Bounds {
  readonly min?: number | string;
  readonly max?: number | string;
}

const LONGEST_TEXT_BOUND_BYTES = 64;
/** The rows of one piece of work; a scan of a piece takes about 0.1 ms. */
export const PIECE_ROWS = 65_536;

/** Counts the nulls of a column. */
export function countNulls({ valid }: SstColumn, { from, to }: RowRange): number {
  return valid === null ? 0 : to - from - countBits(valid, from, to - from);
}

/** Returns the bounds of a column's values. */
export function columnBounds(column: SstColumn, range: RowRange): Bounds {
  switch (column.kind) {
    case 'uint32':
    case 'int32':
    case 'date':
    case 'integer':
    case 'float':
      return numberBounds(column.values as Float64Array | Int32Array | Uint32Array, column.valid, range);
    case 'int64':
      return bigintBounds(column.values as BigInt64Array, column.valid, range);
    case 'string':
      return textBounds(column, range);
    case 'boolean':
    case 'dictionary':
    case 'vector':
    case 'any':
      return {};
  }
}

function numberBounds(values: Float64Array | Int32Array | Uint32Array, valid: Uint8Array | null, range: RowRange): Bounds {
  let min = Number.POSITIVE_INFINITY;
  let max = Number.NEGATIVE_INFINITY;
  let ordered = true;
  for (const { from, to } of pieces(range.from, range.to, PIECE_ROWS)) {
    for (let row = from; row < to; row++) {
      if (valid !== null && !isSet(valid, row)) continue;
      const value = values[row]!;
      if (value < min) min = value;
      if (value > max) max = value;
      ordered = ordered && value === value;
    }
  }
  return ordered && Number.isFinite(min) && Number.isFinite(max) ? { min, max } : {};
}

function bigintBounds(values: BigInt64Array, valid: Uint8Array | null, { from, to }: RowRange): Bounds {
  let min: bigint | null = null;
  let max: bigint | null = null;
  for (let row = from; row < to; row++) {
    if (valid !== null && !isSet(valid, row)) continue;
    const value = values[row]!;
    if (min === null || value < min) min = value;
    if (max === null || value > max) max = value;
  }
  return min === null || max === null ? {} : { min: String(min), max: String(max) };
}

function textBounds({ values, valid, heap }: SstColumn, range: RowRange): Bounds {
  const offsets = values as Uint32Array;
  let min = -1;
  let max = -1;
  for (const { from, to } of pieces(range.from, range.to, PIECE_ROWS)) {
    for (let row = from; row < to; row++) {
      if (valid !== null && !isSet(valid, row)) continue;
      if (min < 0 || compareEntries(heap!, offsets, row, min) < 0) min = row;
      if (max < 0 || compareEntries(heap!, offsets, row, max) > 0) max = row;
    }
  }
  return min < 0 ? {} : entryBounds(heap!, offsets, min, max);
}

/** Returns bounds as text from two entries of a heap; none when one of them has more than 64 bytes. */
export function entryBounds(heap: Uint8Array, offsets: Uint32Array, min: number, max: number): Bounds {
  const lengths = [min, max].map((entry) => offsets[entry + 1]! - offsets[entry]!);
  if (Math.max(...lengths) > LONGEST_TEXT_BOUND_BYTES) return {};
  const text = (entry: number): string => Buffer.from(heap.slice(offsets[entry]!, offsets[entry + 1]!)).toString('utf8');
  return { min: text(min), max: text(max) };
}

/** Compares two entries of a heap by their bytes: negative when `a` comes first, 0 when they are equal. */
export function compareEntries(heap: Uint8Array, offsets: Uint32Array, a: number, b: number): number {
  let atA = offsets[a]!;
  let atB = offsets[b]!;
  const endA = offsets[a + 1]!;
  const endB = offsets[b + 1]!;
  for (; atA < endA && atB < endB; atA++, atB++) {
    const difference = heap[atA]! - heap[atB]!;
    if (difference !== 0) return difference;
  }
  return endA - atA - (endB - atB);
}
