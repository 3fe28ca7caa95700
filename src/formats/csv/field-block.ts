/**
 * Blocks of some thousand rows of a file, as positions in its bytes: no field becomes a string before it is needed.
 * Columns are then converted one after the other, each by a loop of its own.
 *
 * Field c of row r is `bytes[starts[i]] … bytes[ends[i] - 1]` with i = r · columns + c. An empty field has `ends[i] ===
 * starts[i]`; a quoted empty field has `ends[i] < starts[i]`. The surrounding quotes are excluded and doubled quotes
 * made single. A block is valid until the next one is scanned.
 */
import type { Value } from '../../value/index.ts';
import type { MalformedRow } from '../malformed-row.ts';

/** Rows of a file as positions in its bytes. */
export interface FieldBlock {
  readonly bytes: Buffer;
  /** The position of the first row; `to` is the position after the last. */
  readonly from: number;
  readonly to: number;
  readonly columns: number;
  /** The first row to read: 1 where row 0 is the header, else 0. */
  readonly firstRow: number;
  readonly rows: number;
  readonly starts: Int32Array;
  readonly ends: Int32Array;
  /**
   * The number of each field in a column of expected integers that has 1 to 15 digits, an optional minus before them,
   * and nothing else; NaN for any other field. Null if no integers were expected.
   */
  readonly integers?: Float64Array | null;
  /** The line of the file at which each row begins, from 1. */
  readonly lines: Float64Array | Int32Array;
  /** Rows whose fields must not be read. */
  readonly malformed: readonly MalformedRow[];
  /** The values by column, then by row, from a file that has no text of them. */
  readonly values?: readonly (readonly (Value | undefined)[] | undefined)[];
}

/** The indexes of selected rows of a block, in ascending order. */
export type Selection = Int32Array;

/** Returns the text of a field. */
export function fieldText({ bytes, columns, starts, ends }: FieldBlock, row: number, column: number): string {
  const at = row * columns + column;
  return bytes.toString('utf8', starts[at], Math.max(ends[at]!, starts[at]!));
}
