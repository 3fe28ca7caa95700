/** How many rows of each table an index has read. */
import type { RowTable } from '../tables/row-table.ts';

/** The number of rows of each table that an index has read. */
export class RowsRead {
  readonly #rows = new WeakMap<RowTable, number>();
  /**
   * For each table, by its index, the table that was read last in its place, and how many rows of it: the answer to
   * most questions. What most questions are about.
   */
  readonly #tables: (RowTable | undefined)[] = [];
  readonly #counts: number[] = [];

  /** Was it read to its end? */
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
