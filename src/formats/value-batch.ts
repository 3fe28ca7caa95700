/** Some thousand rows of a file whose values have types of their own (NDJSON, Parquet), column by column. */
import type { Value } from '../value/index.ts';
import type { MalformedRow } from './malformed-row.ts';

export interface ValueColumn {
  readonly name: string;
  /** By row; undefined and null: no value. */
  readonly values: readonly (Value | undefined)[];
}

export interface ValueBatch {
  readonly rows: number;
  /** By row: its line or its number in the file, from 1. */
  readonly lines: Float64Array;
  readonly columns: readonly ValueColumn[];
  /** Rows that are not to be looked at, ascending. */
  readonly malformed: readonly MalformedRow[];
  /** Bytes of the file, as it lies on disk, that were read so far. */
  readonly position: number;
}
