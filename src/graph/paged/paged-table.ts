/**
 * The parts of a table in files that can be read by page: columns, indexes, identifiers, relationships. Each is opened
 * when a statement first needs it, and stays open until all of it is in memory.
 */
import type { PagedColumn } from './paged-column.ts';
import type { PagedIndex } from './paged-index.ts';
import type { PagedRelationships } from './paged-relationships.ts';

/** The parts of a table that can be read by page. */
export class PagedTable {
  /** How many times the table was opened for a statement that reads by page. */
  uses = 0;
  readonly #columns = new Map<number, PagedColumn>();
  readonly #indexes = new Map<string, PagedIndex>();
  /** The identifiers set by users; null while they are not open. */
  ids: PagedColumn | null = null;
  /** The ends and the adjacencies of relationships; null while they are not open, and for a table of nodes. */
  relationships: PagedRelationships | null = null;

  /** Whether the rows of relationships can be read by page. */
  get hasRows(): boolean {
    return this.relationships !== null;
  }

  /** Closes the relationships, once all rows are in memory. */
  dropRelationships(): void {
    this.relationships = null;
  }

  /** Returns the column of a property key; undefined while it is not open. */
  column(key: number): PagedColumn | undefined {
    return this.#columns.get(key);
  }

  setIds(column: PagedColumn): void {
    this.ids = column;
  }

  addColumn(key: number, column: PagedColumn): void {
    this.#columns.set(key, column);
  }

  /** Closes a column, once all of it is in memory. */
  dropColumn(key: number): void {
    this.#columns.delete(key);
  }

  /** Returns the index on property keys, in this order; undefined when there is none or it is not open. */
  index(keys: readonly number[]): PagedIndex | undefined {
    return this.#indexes.get(keys.join());
  }

  addIndex(keys: readonly number[], index: PagedIndex): void {
    this.#indexes.set(keys.join(), index);
  }
}
