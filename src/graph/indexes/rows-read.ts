/** How many rows of each table an index has read. */
import type { RowTable } from '../tables/row-table.ts';

/** The number of rows of each table that an index has read. */
export class RowsRead {
  readonly #rows = new WeakMap<RowTable, number>();
  /**
   * The table that was read last at each table index (a rewritten table has the index of the old one), and how many of
   * its rows were read: a faster way to most answers than the map.
   */
  readonly #tables: (RowTable | undefined)[] = [];
  readonly #counts: number[] = [];

  /** Tells whether all rows of a table were read, and no other table with its index since. */
  isLast(table: RowTable): boolean {
    return this.#tables[table.index] === table && this.#counts[table.index] === table.rowCount;
  }

  of(table: RowTable): number {
    const at = table.index;
    return this.#tables[at] === table ? (this.#counts[at] as number) : (this.#rows.get(table) ?? 0);
  }

  set(table: RowTable, rows: number): void {
    this.#rows.set(table, rows);
    this.#tables[table.index] = table;
    this.#counts[table.index] = rows;
  }

  truncate(table: RowTable, rowCount: number): void {
    const rows = this.of(table);
    if (rows > rowCount) this.set(table, rowCount);
  }
}
