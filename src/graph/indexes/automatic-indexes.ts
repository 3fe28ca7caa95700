/**
 * Indexes that nobody declared: the engine makes them where look-ups have scanned long enough, and drops them again. They stand beside those of the schema, and are
 * no part of it: no transaction makes one or takes one back, no file knows of them.
 *
 * An index is kept up from its beginning (`add`) and filled a part at a time; views that are taken once it is complete have it (`show`). A view keeps the indexes
 * that it was taken with: what its rows held does not change, so one that was dropped goes on to answer right.
 */
import type { NodeTable } from '../tables/node-table.ts';
import { PropertyIndex } from './property-index.ts';

/** One of them, for whoever decides about it. */
export interface AutomaticIndex {
  /** Reads so many rows more at most. @returns whether all have been read, those that are not published among them */
  fill(rows: number): boolean;
  /** Views that are taken from now on have it. It has been filled. */
  show(): void;
  /** Views that are taken from now on do not have it. @returns false: not while a transaction is open, of one that was shown */
  drop(): boolean;
  /** Also one that a declared index has made needless. */
  readonly isDropped: boolean;
  readonly byteLength: number;
  readonly entryCount: number;
}

export class AutomaticIndexes {
  /** Counts what came and went. */
  version = 0;
  #shown: readonly PropertyIndex[] = [];
  /** Those that are shown, and what is being filled. */
  readonly #kept = new Set<PropertyIndex>();
  /** What views have: made for the declared ones of the last question. */
  #together: { readonly declared: readonly PropertyIndex[]; readonly all: readonly PropertyIndex[] } | null = null;

  /** @param label, key symbol ids */
  add(label: number, key: number): PropertyIndex {
    const index = new PropertyIndex({ name: `automatic ${label} ${key}`, label, keys: [key], unique: false, automatic: true });
    this.#kept.add(index);
    return index;
  }

  show(index: PropertyIndex): void {
    this.#setShown([...this.#shown, index]);
  }

  has(index: PropertyIndex): boolean {
    return this.#shown.includes(index);
  }

  keeps(index: PropertyIndex): boolean {
    return this.#kept.has(index);
  }

  /** One that is shown: no transaction may be open, whose view would lose what its statements were planned with. */
  drop(index: PropertyIndex): void {
    this.#kept.delete(index);
    if (this.has(index)) this.#setShown(this.#shown.filter((one) => one !== index));
  }

  #setShown(indexes: readonly PropertyIndex[]): void {
    this.#shown = indexes;
    this.#together = null;
    this.version++;
  }

  /** Declared indexes, and these behind them. */
  beside(declared: readonly PropertyIndex[]): readonly PropertyIndex[] {
    if (this.#shown.length === 0) return declared;
    if (this.#together?.declared !== declared) this.#together = { declared, all: [...declared, ...this.#shown] };
    return this.#together.all;
  }

  /** Those of them that a declared one makes needless. */
  coveredBy(declared: readonly PropertyIndex[]): readonly PropertyIndex[] {
    return this.#shown.filter(({ properties: { label, keys } }) =>
      declared.some(({ properties: other }) => other.label === label && other.keys.length === 1 && other.keys[0] === keys[0]),
    );
  }

  [Symbol.iterator](): Iterator<PropertyIndex> {
    return this.#kept.values();
  }

  rowChanged(table: NodeTable, row: number, key: number): void {
    for (const index of this.#kept) index.rowChanged(table, row, key);
  }
}
