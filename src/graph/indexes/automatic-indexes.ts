/**
 * Indexes that nobody declared: the engine makes them where look-ups have scanned long enough, and drops them again.
 * They stand beside those of the schema, and are no part of it: no transaction makes one or takes one back, no file
 * knows of them.
 *
 * An index is kept up from its beginning (`add`) and filled a part at a time; views that are taken once it is complete
 * have it (`show`). A view keeps the indexes that it was taken with: what its rows held does not change, so one that
 * was dropped goes on to answer right.
 */
import type { NodeTable } from '../tables/node-table.ts';
import type { IndexSubject } from '../view/index-view.ts';
import type { GraphIndex, IndexStatistics } from './graph-index.ts';
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
  statistics(): IndexStatistics;
}

/** The indexes that the engine has built by itself. */
export class AutomaticIndexes {
  /** Counts what came and went. */
  version = 0;
  #shown: readonly GraphIndex[] = [];
  /** Those that are shown, and what is being filled. */
  readonly #kept = new Set<GraphIndex>();
  /** The indexes of views, made for the declared ones of the last question. */
  #together: { readonly declared: readonly GraphIndex[]; readonly all: readonly GraphIndex[] } | null = null;

  /** @param label, key symbol ids */
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

  /** One that is shown: no transaction may be open, whose view would lose what its statements were planned with. */
  drop(index: GraphIndex): void {
    this.#kept.delete(index);
    if (this.has(index)) this.#setShown(this.#shown.filter((one) => one !== index));
  }

  #setShown(indexes: readonly GraphIndex[]): void {
    this.#shown = indexes;
    this.#together = null;
    this.version++;
  }

  /** Declared indexes, and these behind them. */
  beside(declared: readonly GraphIndex[]): readonly GraphIndex[] {
    if (this.#shown.length === 0) return declared;
    if (this.#together?.declared !== declared) this.#together = { declared, all: [...declared, ...this.#shown] };
    return this.#together.all;
  }

  /** Those of them that a declared one makes needless. */
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

/** Is everything that the automatic index knows in the other one too? */
function covers({ entity, labelsOrTypes, keys }: IndexSubject, automatic: IndexSubject): boolean {
  const [label, key] = [automatic.labelsOrTypes[0] as number, automatic.keys[0]];
  return entity === 'node' && labelsOrTypes.includes(label) && keys.length === 1 && keys[0] === key;
}
