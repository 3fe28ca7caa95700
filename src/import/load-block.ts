/**
 * Loads one block all or nothing: when a row turns out to be bad, everything that the block has added to the columns is
 * taken back, and the good rows are loaded again without the bad ones. So the loops over columns need not handle single
 * rows.
 */

import { isUtf8 } from 'node:buffer';
import type { FieldBlock, Selection } from '../formats/index.ts';
import { BadRows } from './csv/bad-rows.ts';
import type { RowPlace, RowWatch } from './row-watch.ts';

/** Loads the rows of a block, and can undo it. */
export interface BlockLoader {
  /** Loads the rows. Bad ones are reported in `bad`; then `undo` must follow. */
  load(rows: Selection, bad: BadRows): void;
  /** Takes back everything that `load` has added. */
  undo(): void;
  /** Shows the watch which nodes and relationships the loaded rows have become. */
  show(watch: RowWatch, placeOf: (row: number) => RowPlace): void;
}

/** Called for bad rows, in ascending order. False: nothing more is to be loaded. */
export type OnBadRow = (row: number, reason: string) => boolean;

/** Loads a block. @returns how many rows were loaded; null: `onBadRow` has ended the import */
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

/** Returns the numbers of all rows. The array is valid until the next call for a larger block. */
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
  // Bytes outside of fields, such as those that doubled quotes leave behind, may look broken, so only fields are checked.
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
