/**
 * Finds the rows of the input that certain nodes and relationships came from. An import does not keep the places of its
 * rows, which would cost memory for each row. To find a row, the files are read again, and the watch is shown what
 * becomes of every row. It identifies rows in ways that do not depend on how files are cut into blocks and tables into
 * SSTs.
 */
import type { Selection } from '../formats/index.ts';
import type { BadRow } from './api.ts';

/** The place of a row in the input. */
export interface RowPlace extends Pick<BadRow, 'file' | 'line'> {
  /** The place of the row among all rows of the input, in the order in which they are read. */
  readonly position: number;
}

/** The origin of a node or relationship that is looked for. */
export type WantedRow =
  /** A new node: `table` is the number of its label set, in the order of first use, `row` its place among the nodes of that set. */
  | { readonly kind: 'node'; readonly table: number; readonly row: number }
  /** The last row that updated an existing node. */
  | { readonly kind: 'update'; readonly node: number }
  /** A new relationship: `before` counts the new ones of the same type, source and target that come before it. */
  | { readonly kind: 'relationship'; readonly type: string; readonly source: number; readonly target: number; readonly before: number };

interface Search {
  readonly wanted: WantedRow;
  before: number;
  found: RowPlace | null;
}

/** Finds the rows that certain nodes and relationships came from. */
export class RowWatch {
  /** The searches, in the order of the wanted rows; null where none is wanted. */
  readonly #all: readonly (Search | null)[];
  readonly #searches: readonly Search[];

  constructor(wanted: readonly (WantedRow | null)[]) {
    this.#all = wanted.map((each) =>
      each === null ? null : { wanted: each, before: each.kind === 'relationship' ? each.before : 0, found: null },
    );
    this.#searches = this.#all.filter((search) => search !== null);
  }

  /** The places found so far, in the order of the wanted rows; null: not found. */
  get found(): readonly (RowPlace | null)[] {
    return this.#all.map((search) => search?.found ?? null);
  }

  wants(kind: WantedRow['kind']): boolean {
    return this.#searches.some(({ wanted }) => wanted.kind === kind);
  }

  /** Called when `rows` of a block became the rows of a table from `firstRow` on. */
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
