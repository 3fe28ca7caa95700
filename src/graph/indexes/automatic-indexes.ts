/**
 * Automatic indexes: the engine creates these without a declaration when look-ups have scanned many rows, and drops them
 * again. They are not part of the schema: no transaction creates or rolls back one, and no file contains them.
 *
 * An index is told of all changes from its creation on (`add`) and filled a part at a time; views taken once it is
 * complete have it (`show`). A view keeps the indexes that it was taken with; because the rows of a view never change, an
 * index that was dropped still answers the view correctly.
 */
import type { NodeTable } from '../tables/node-table.ts';
import type { IndexSubject } from '../view/index-view.ts';
import type { GraphIndex, IndexStatistics } from './graph-index.ts';
import { PropertyIndex } from './property-index.ts';

/** An automatic index, as the code that decides about it sees it. */
export interface AutomaticIndex {
  /** Reads at most `rows` more rows. @returns whether all rows of tables in memory have been read, published or not */
  fill(rows: number): boolean;
  /** Gives the index to all views taken after the call. It must be filled. */
  show(): void;
  /** Removes the index from all views taken after the call. @returns false when it is shown and a transaction is open: nothing is done */
  drop(): boolean;
  /** Whether the index was dropped, also by a declared index that covers it. */
  readonly isDropped: boolean;
  statistics(): IndexStatistics;
}

/** The automatic indexes of a graph. */
export class AutomaticIndexes {
  /** Grows when an index is shown or a shown one is dropped. */
  version = 0;
  #shown: readonly GraphIndex[] = [];
  /** All indexes that are shown or being filled. */
  readonly #kept = new Set<GraphIndex>();
  /** The last answer of `beside`, with the declared indexes that it was made for. */
  #together: { readonly declared: readonly GraphIndex[]; readonly all: readonly GraphIndex[] } | null = null;

  /** Creates an index. @param label, key symbol ids */
  add(label: number, key: number): GraphIndex {
    const name = `automatic ${label} ${key}`;
    const over = { entity: 'node', labelsOrTypes: [label], keys: [key] } as const;
    const index = new PropertyIndex({ name, kind: 'range', ...over, unique: false, automatic: true, settings: {} });
    this.#kept.add(index);
    return index;
  }

  show(index: GraphIndex): void {
    this.#setShown([...this.#shown, index]);
  }

  has(index: GraphIndex): boolean {
    return this.#shown.includes(index);
  }

  keeps(index: GraphIndex): boolean {
    return this.#kept.has(index);
  }

  /** Drops an index. No transaction may be open when the index is shown, since the statements of it may be planned with the index. */
  drop(index: GraphIndex): void {
    this.#kept.delete(index);
    if (this.has(index)) this.#setShown(this.#shown.filter((one) => one !== index));
  }

  #setShown(indexes: readonly GraphIndex[]): void {
    this.#shown = indexes;
    this.#together = null;
    this.version++;
  }

  /** Returns the declared indexes, followed by the shown ones; the same array for the same indexes. */
  beside(declared: readonly GraphIndex[]): readonly GraphIndex[] {
    if (this.#shown.length === 0) return declared;
    if (this.#together?.declared !== declared) this.#together = { declared, all: [...declared, ...this.#shown] };
    return this.#together.all;
  }

  /** Returns the shown indexes that a declared one covers. */
  coveredBy(declared: readonly GraphIndex[]): readonly GraphIndex[] {
    return this.#shown.filter(({ subject }) => declared.some((other) => covers(other.subject, subject)));
  }

  [Symbol.iterator](): Iterator<GraphIndex> {
    return this.#kept.values();
  }

  rowChanged(table: NodeTable, row: number, key: number): void {
    for (const index of this.#kept) index.rowChanged(table, row, key);
  }
}

/** Tells whether an index has all entries of the automatic one, with the same single key. */
function covers({ entity, labelsOrTypes, keys }: IndexSubject, automatic: IndexSubject): boolean {
  const [label, key] = [automatic.labelsOrTypes[0] as number, automatic.keys[0]];
  return entity === 'node' && labelsOrTypes.includes(label) && keys.length === 1 && keys[0] === key;
}
