/**
 * Some thousand rows of a file as places in its bytes: no field becomes a string before somebody needs one. Columns are then converted one
 * after the other, each by a loop of its own.
 *
 * Field c of row r lies at `bytes[starts[i]] … bytes[ends[i] - 1]` with i = r · columns + c. An empty field has
 * `ends[i] === starts[i]`; one that was quoted and empty has `ends[i] < starts[i]`. Quotes are taken off and doubled
 * ones made single. A block is valid until the next one is scanned.
 */
import type { Value } from '../../value/index.ts';
import type { MalformedRow } from '../malformed-row.ts';

/** Rows of a file as places in its bytes. */
export interface FieldBlock {
  readonly bytes: Buffer;
  /** All rows lie between these places. */
  readonly from: number;
  readonly to: number;
  readonly columns: number;
  /** 1 where row 0 is the header. */
  readonly firstRow: number;
  readonly rows: number;
  readonly starts: Int32Array;
  readonly ends: Int32Array;
  /**
   * The number of each field whose column was expected to hold integers, and which has 1 to 15 digits, at most a minus
   * before them, and nothing else; NaN: any other. Null: none was expected.
   */
  readonly integers?: Float64Array | null;
  /** The line at which each row begins, from 1. */
  readonly lines: Float64Array | Int32Array;
  /** Rows whose fields must not be looked at. */
  readonly malformed: readonly MalformedRow[];
  /** The values themselves, by column, then by row, where the file has no text of them. */
  readonly values?: readonly (readonly (Value | undefined)[] | undefined)[];
}

/** Rows of a block, ascending. */
export type Selection = Int32Array;

/** Returns the text of a field. */
export function fieldText({ bytes, columns, starts, ends }: FieldBlock, row: number, column: number): string {
  const at = row * columns + column;
  return bytes.toString('utf8', starts[at], Math.max(ends[at]!, starts[at]!));
}
