/**
 * Finds the rows of the input that certain nodes and relationships came from. An import does not keep where its rows
 * stood, which would cost memory for each: who wants to know reads the files again, and the watch is shown what becomes
 * of every row. Rows are told apart by what does not hang on how the files are cut into blocks and tables into SSTs.
 */
import type { Selection } from '../formats/index.ts';
import type { BadRow } from './api.ts';

/** The place of a row in the input. */
export interface RowPlace extends Pick<BadRow, 'file' | 'line'> {
  /** Later rows of the input have higher ones. */
  readonly position: number;
}

/** The origin of a node or relationship that is looked for. */
export type WantedRow =
  /** A new node: by its label set, in the order in which these came, and its row among all of that set. */
  | { readonly kind: 'node'; readonly table: number; readonly row: number }
  /** The last row that has updated a node. */
  | { readonly kind: 'update'; readonly node: number }
  /** A new relationship: so many of its type and nodes come before it. */
  | { readonly kind: 'relationship'; readonly type: string; readonly source: number; readonly target: number; readonly before: number };

interface Search {
  readonly wanted: WantedRow;
  before: number;
  found: RowPlace | null;
}

/** Finds the rows that certain nodes and relationships came from. */
export class RowWatch {
  /** Searches by the row that was wanted. */
  readonly #all: readonly (Search | null)[];
  readonly #searches: readonly Search[];

  constructor(wanted: readonly (WantedRow | null)[]) {
    this.#all = wanted.map((each) =>
      each === null ? null : { wanted: each, before: each.kind === 'relationship' ? each.before : 0, found: null },
    );
    this.#searches = this.#all.filter((search) => search !== null);
  }

  /** In the order of what was wanted; null: not found (yet). */
  get found(): readonly (RowPlace | null)[] {
    return this.#all.map((search) => search?.found ?? null);
  }

  wants(kind: WantedRow['kind']): boolean {
    return this.#searches.some(({ wanted }) => wanted.kind === kind);
  }

  /** `rows` of a block became the rows of the table from `firstRow` on. */
  nodes(table: number, firstRow: number, rows: Selection, placeOf: (row: number) => RowPlace): void {
    for (const search of this.#searches) {
      const { wanted } = search;
      if (wanted.kind !== 'node' || wanted.table !== table) continue;
      const row = rows[wanted.row - firstRow];
      if (row !== undefined) search.found = placeOf(row);
    }
  }

  update(node: number, place: () => RowPlace): void {
    for (const search of this.#searches) {
      if (search.wanted.kind === 'update' && search.wanted.node === node) search.found = place();
    }
  }

  relationship(type: string, source: number, target: number, place: () => RowPlace): void {
    for (const search of this.#searches) {
      const { wanted } = search;
      if (wanted.kind !== 'relationship' || wanted.source !== source || wanted.target !== target || wanted.type !== type) continue;
      if (search.before-- === 0) search.found = place();
    }
  }
}
