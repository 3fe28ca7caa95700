/**
 * Rows of a column with one value, found by a look at each: about 1 ns a row, a hundredth of what entering it into a
 * hash table takes. For the first questions of a process, which must not wait until an index has been made of rows that
 * nobody may ask for again.
 */
import type { Value } from '../../value/index.ts';
import { hasBit } from '../arrays/bitmap.ts';
import { Utf8Scratch } from '../arrays/utf8.ts';
import type { Column } from './column.ts';
import type { Dictionary } from './dictionary.ts';

/** Told each row that is found. */
export type TakeRow = (row: number) => void;

/** A range of rows. */
export interface RowRange {
  readonly from: number;
  readonly to: number;
}

const text = new Utf8Scratch();

/** Can the rows with this value be found so? Values and columns for which equality is more than sameness of bits are left to the index. */
export function canSearch(column: Column, value: Value): boolean {
  if (typeof value === 'number') return column.kind === 'int32' || column.kind === 'integer';
  return typeof value === 'string' && (column.kind === 'dictionary' || column.kind === 'string');
}

/** Finds the rows of a column that have a value. */
export function searchRows(column: Column, value: Value, range: RowRange, take: TakeRow): void {
  const rows = { from: range.from, to: Math.min(range.to, column.length) };
  if (typeof value === 'number') searchNumbers(column, value, rows, take);
  else if (column.kind === 'string') searchStrings(column, value as string, rows, take);
  else {
    const code = (column.dictionary as Dictionary).find(value as string);
    if (code >= 0) searchNumbers(column, code, rows, take);
  }
}

/** One loop for each kind of array: code that has seen both is slower for both. */
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
