/**
 * The parts of a table in files that can be read by page. Each is opened when a statement first needs it, and stays
 * until the whole of it is in memory.
 */
import type { PagedColumn } from './paged-column.ts';
import type { PagedIndex } from './paged-index.ts';
import type { PagedRelationships } from './paged-relationships.ts';

/** The parts of a table that can be read by page. */
export class PagedTable {
  /** How many statements have read it by page. */
  uses = 0;
  readonly #columns = new Map<number, PagedColumn>();
  readonly #indexes = new Map<string, PagedIndex>();
  /** Identifiers that users have set; null: not opened. */
  ids: PagedColumn | null = null;
  /** The ends and the adjacency of relationships; null: not opened, or a table of nodes. */
  relationships: PagedRelationships | null = null;

  /** Whether relationships can be read. */
  get hasRows(): boolean {
    return this.relationships !== null;
  }

  /** All rows are in memory. */
  dropRelationships(): void {
    this.relationships = null;
  }

  /** Returns the column of a property key; undefined: not opened. */
  column(key: number): PagedColumn | undefined {
    return this.#columns.get(key);
  }

  setIds(column: PagedColumn): void {
    this.ids = column;
  }

  addColumn(key: number, column: PagedColumn): void {
    this.#columns.set(key, column);
  }

  /** The whole column is in memory. */
  dropColumn(key: number): void {
    this.#columns.delete(key);
  }

  /** Returns the index of property keys; undefined: not opened, or there is none. */
  index(keys: readonly number[]): PagedIndex | undefined {
    return this.#indexes.get(keys.join());
  }

  addIndex(keys: readonly number[], index: PagedIndex): void {
    this.#indexes.set(keys.join(), index);
  }
}
