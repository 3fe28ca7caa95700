/**
 * Loading one block all or nothing: what bad rows leave behind in the columns is taken back, and the good rows are
 * loaded again without them. So the loops over columns need no care for single rows.
 */

import { isUtf8 } from 'node:buffer';
import type { FieldBlock, Selection } from '../formats/index.ts';
import { BadRows } from './csv/bad-rows.ts';
import type { RowPlace, RowWatch } from './row-watch.ts';

/** Loads blocks, and undoes them. */
export interface BlockLoader {
  /** Loads the rows, as far as they are not bad. */
  load(rows: Selection, bad: BadRows): void;
  /** Forgets what `load` did. */
  undo(): void;
  /** Shows what became of the rows that `load` has loaded. */
  show(watch: RowWatch, placeOf: (row: number) => RowPlace): void;
}

/** Told of bad rows, in order. False: no more is to be loaded. */
export type OnBadRow = (row: number, reason: string) => boolean;

/** @returns how many rows were loaded; null: none, as it was to end */
export function loadBlock(block: FieldBlock, loader: BlockLoader, onBadRow: OnBadRow): number | null {
  let bad = malformedRows(block);
  let rows = allRows(block);
  for (;;) {
    if (bad.size > 0) {
      for (const [row, reason] of bad.entries()) if (!onBadRow(row, reason)) return null;
      const known = bad;
      rows = rows.filter((row) => !known.has(row));
    }
    bad = new BadRows();
    loader.load(rows, bad);
    if (bad.size === 0) return rows.length;
    loader.undo();
  }
}

let numbers = new Int32Array(0);

/** Valid until the next call for a larger block. */
function allRows({ firstRow, rows }: FieldBlock): Selection {
  if (numbers.length < rows) {
    numbers = new Int32Array(rows);
    for (let row = 0; row < rows; row++) numbers[row] = row;
  }
  return numbers.subarray(firstRow, rows);
}

function malformedRows(block: FieldBlock): BadRows {
  const bad = new BadRows();
  for (const { row, reason } of block.malformed) bad.add(row, reason);
  // What doubled quotes leave between fields may look broken, so only the fields decide.
  if (!isUtf8(block.bytes.subarray(block.from, block.to))) {
    for (let row = block.firstRow; row < block.rows; row++)
      if (!bad.has(row) && !isText(block, row)) bad.add(row, 'the row is not UTF-8 text');
  }
  return bad;
}

function isText({ bytes, columns, starts, ends }: FieldBlock, row: number): boolean {
  for (let at = row * columns; at < (row + 1) * columns; at++) {
    if (starts[at]! < ends[at]! && !isUtf8(bytes.subarray(starts[at], ends[at]))) return false;
  }
  return true;
}
