/** A column of a table while its rows come in, block by block. */
import type { Selection } from '../../formats/index.ts';
import type { SstColumn } from '../../storage/index.ts';

/** The storage of a column; two headers that ask for different storage under one key do not go into one file. */
export type Storage = 'integer' | 'float' | 'boolean' | 'date' | 'string' | 'any';

/** A column that is built row by row. */
export interface ColumnBuilder {
  readonly storage: Storage;
  readonly rows: number;
  /** About what the rows take in a file. */
  readonly bytes: number;
  /** Has no row a value? O(rows / 8). */
  readonly isEmpty: boolean;
  /** These rows of a finished column of the same storage. */
  appendColumn(column: SstColumn, rows: Selection): void;
  /** Rows without a value up to this number of rows. */
  padTo(rows: number): void;
  /** Forgets the rows from `rows` on. */
  truncate(rows: number): void;
  /**
   * The column, in the narrowest kind that holds it. `order`: row r of the result is the present row `order[r]`; null:
   * as they came. The builder is not used after that.
   */
  finish(name: string, order: Uint32Array | null): SstColumn;
}
