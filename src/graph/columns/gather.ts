/** Copies chosen rows of a column, in any order, into new arrays: for flushes and for tables that are rewritten. */
import { finish } from '../../base/index.ts';
import { bitmapFor, hasBit, setBit } from '../arrays/bitmap.ts';
import { EMPTY_U8, grown } from '../arrays/shared-array.ts';
import { inRanges } from '../arrays/steps.ts';
import { copyBytes } from '../arrays/utf8.ts';
import type { Column } from './column.ts';
import { usesHeap } from './column-kind.ts';
import type { ColumnArrays } from './column-snapshot.ts';

/**
 * Returns the values of `rows` in their order; -1 stands for a row without a value. Null when no row has a value. Codes
 * and dictionary stay those of the column. O(rows).
 */
export function gatherColumn(column: Column, rows: Int32Array): ColumnArrays | null {
  return finish(gatherColumnInSteps(column, rows));
}

type Steps<T> = Generator<number, T, void>;

/** `gatherColumn` in steps, each of which yields how many rows the next one handles. The column must not change between steps. */
export function* gatherColumnInSteps(column: Column, rows: Int32Array): Steps<ColumnArrays | null> {
  const valid = yield* gatherValidity(column, rows);
  if (valid === 'none') return null;
  const { kind, dictionary } = column;
  return { kind, dictionary, valid, ...(yield* usesHeap(kind) ? gatherHeap(column, rows, valid) : gatherFixed(column, rows)) };
}

/** Returns the bitmap of the rows with a value; null when every row has one, 'none' when no row has. */
function* gatherValidity(column: Column, rows: Int32Array): Steps<Uint8Array | null | 'none'> {
  const valid = bitmapFor(null, rows.length);
  let count = 0;
  yield* inRanges(0, rows.length, (from, to) => {
    for (let i = from; i < to; i++) {
      const row = rows[i] as number;
      if (row < 0 || !column.has(row)) continue;
      setBit(valid, i);
      count++;
    }
  });
  if (count === 0) return 'none';
  return count === rows.length ? null : valid;
}

/** Gathers values of a fixed width; the number of a row without a value has no meaning. */
function* gatherFixed(column: Column, rows: Int32Array): Steps<Pick<ColumnArrays, 'values' | 'heap'>> {
  const from = column.values as Int32Array;
  const empty = from.subarray(0, 0);
  const values = grown(emptyLike(empty), rows.length);
  yield* inRanges(0, rows.length, (start, end) => {
    for (let i = start; i < end; i++) {
      const row = rows[i] as number;
      if (row >= 0 && row < column.length) values[i] = from[row] as number;
    }
  });
  return { values, heap: null };
}

/** Returns an empty array of the same type over a buffer of its own, which growing cannot extend. */
function emptyLike(array: Int32Array): Int32Array {
  const constructor = array.constructor as Int32ArrayConstructor;
  return new constructor(new SharedArrayBuffer(0)) as Int32Array;
}

function* gatherHeap(column: Column, rows: Int32Array, valid: Uint8Array | null): Steps<Pick<ColumnArrays, 'values' | 'heap'>> {
  const from = column.values as Uint32Array;
  const bytes = column.heap as Uint8Array;
  const offsets = new Uint32Array(new SharedArrayBuffer((rows.length + 1) * 4));
  let length = 0;
  yield* inRanges(0, rows.length, (start, end) => {
    for (let i = start; i < end; i++) {
      const row = rows[i] as number;
      if (valid === null || hasBit(valid, i)) length += (from[row + 1] as number) - (from[row] as number);
      offsets[i + 1] = length;
    }
  });
  const heap = grown(EMPTY_U8, length);
  yield* inRanges(0, rows.length, (start, end) => {
    for (let i = start; i < end; i++) {
      const row = rows[i] as number;
      if (valid !== null && !hasBit(valid, i)) continue;
      const at = offsets[i] as number;
      copyBytes(bytes, { from: from[row] as number, count: (offsets[i + 1] as number) - at }, heap, at);
    }
  });
  return { values: offsets, heap };
}
