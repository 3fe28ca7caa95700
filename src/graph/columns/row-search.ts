/**
 * Finds the rows of a column with a given value by a scan: about 1 ns a row, a hundredth of the cost of entering it into a
 * hash table. It serves the first look-ups of a process, which should not wait for an index to be filled that may not be
 * used again.
 */
import type { Value } from '../../value/index.ts';
import { hasBit } from '../arrays/bitmap.ts';
import { Utf8Scratch } from '../arrays/utf8.ts';
import type { Column } from './column.ts';
import type { Dictionary } from './dictionary.ts';

/** Called with each row that is found. */
export type TakeRow = (row: number) => void;

/** The rows from `from` to below `to`. */
export interface RowRange {
  readonly from: number;
  readonly to: number;
}

const text = new Utf8Scratch();

/** Tells whether `searchRows` supports the value: equality must be equality of bits in this column; the index must answer else. */
export function canSearch(column: Column, value: Value): boolean {
  if (typeof value === 'number') return column.kind === 'int32' || column.kind === 'integer';
  return typeof value === 'string' && (column.kind === 'dictionary' || column.kind === 'string');
}

/** Calls `take` with each row of the range that has the value, ascending. */
export function searchRows(column: Column, value: Value, range: RowRange, take: TakeRow): void {
  const rows = { from: range.from, to: Math.min(range.to, column.length) };
  if (typeof value === 'number') searchNumbers(column, value, rows, take);
  else if (column.kind === 'string') searchStrings(column, value as string, rows, take);
  else {
    const code = (column.dictionary as Dictionary).find(value as string);
    if (code >= 0) searchNumbers(column, code, rows, take);
  }
}

/** Runs a loop of its own for each type of array: compiled code that has seen both types is slower for each. */
function searchNumbers({ values, valid }: Column, value: number, { from, to }: RowRange, take: TakeRow): void {
  const found = values instanceof Int32Array ? int32From : float64From;
  for (let row = from; ; row++) {
    row = found(values as never, value, row, to);
    if (row >= to) return;
    if (valid === null || hasBit(valid, row)) take(row);
  }
}

function int32From(values: Int32Array, value: number, from: number, to: number): number {
  let row = from;
  while (row < to && values[row] !== value) row++;
  return row;
}

function float64From(values: Float64Array, value: number, from: number, to: number): number {
  let row = from;
  while (row < to && values[row] !== value) row++;
  return row;
}

function searchStrings({ values, heap, valid }: Column, value: string, { from, to }: RowRange, take: TakeRow): void {
  if (!value.isWellFormed()) return;
  text.encode(value);
  const offsets = values as Uint32Array;
  const { length } = text;
  let start = from < to ? (offsets[from] as number) : 0;
  for (let row = from; row < to; row++) {
    const end = offsets[row + 1] as number;
    if (end - start === length && text.equals(heap as Uint8Array, start, end) && (valid === null || hasBit(valid, row))) take(row);
    start = end;
  }
}
