/** A column of a table while its rows come in, block by block. */
import type { Selection } from '../../formats/index.ts';
import type { SstColumn } from '../../storage/index.ts';

/** How a column is stored. Rows whose headers ask for different storage under one key go into different files. */
export type Storage = 'integer' | 'float' | 'boolean' | 'date' | 'string' | 'any';

/** A column that is built row by row. */
export interface ColumnBuilder {
  readonly storage: Storage;
  readonly rows: number;
  /** About how many bytes the rows take in a file. */
  readonly bytes: number;
  /** Whether no row has a value. O(rows / 8). */
  readonly isEmpty: boolean;
  /** Appends rows of a finished column with the same storage. */
  appendColumn(column: SstColumn, rows: Selection): void;
  /** Appends rows without a value until there are `rows` rows. */
  padTo(rows: number): void;
  /** Removes the rows from `rows` on. */
  truncate(rows: number): void;
  /**
   * Returns the column, in the narrowest kind that holds it. The builder must not be used after that.
   *
   * @param order row r of the result is row `order[r]` of the builder; null: rows keep their order
   */
  finish(name: string, order: Uint32Array | null): SstColumn;
}
