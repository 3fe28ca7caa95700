/** Batches of some thousand rows, column by column, from files whose values have types of their own (NDJSON, Parquet). */
import type { Value } from '../value/index.ts';
import type { MalformedRow } from './malformed-row.ts';

/** The values of a column. */
export interface ColumnValues {
  /** The value of each row; undefined and null mean no value. */
  readonly values: readonly (Value | undefined)[];
}

/** Rows of a file, column by column. `Column` is the type of a column, which may say more than its values. */
export interface ColumnBatch<Column extends ColumnValues> {
  readonly rows: number;
  /** The line of each row in the file, or its number where the file has no lines, from 1. */
  readonly lines: Float64Array;
  readonly columns: readonly Column[];
  /** Rows that must not be read, in ascending order. */
  readonly malformed: readonly MalformedRow[];
}

/** A column of values with its name. */
export interface ValueColumn extends ColumnValues {
  readonly name: string;
}

/** Rows of typed values, column by column. */
export interface ValueBatch extends ColumnBatch<ValueColumn> {
  /** The number of bytes of the file, as stored on disk, that have been read so far. */
  readonly position: number;
}
