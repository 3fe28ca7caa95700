/** Some thousand rows of a file whose values have types of their own (NDJSON, Parquet), column by column. */
import type { Value } from '../value/index.ts';
import type { MalformedRow } from './malformed-row.ts';

/** The values of a column. */
export interface ColumnValues {
  /** The value of each row; undefined and null: no value. */
  readonly values: readonly (Value | undefined)[];
}

/** `Column`: what is known of a column beside its values. */
export interface ColumnBatch<Column extends ColumnValues> {
  readonly rows: number;
  /** The line of each row, or its number in the file, from 1. */
  readonly lines: Float64Array;
  readonly columns: readonly Column[];
  /** Rows that are not to be looked at, ascending. */
  readonly malformed: readonly MalformedRow[];
}

/** A column of values with its name. */
export interface ValueColumn extends ColumnValues {
  readonly name: string;
}

/** Rows of typed values, column by column. */
export interface ValueBatch extends ColumnBatch<ValueColumn> {
  /** Bytes of the file, as it lies on disk, that were read so far. */
  readonly position: number;
}
