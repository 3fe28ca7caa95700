/**
 * The internal identifiers that a column `_id` sets. They are unique in the whole namespace. A node without one is
 * identified by `n` and its ordinal, so no set identifier may have the form of one that a new node gets in this way.
 */

import { GraphDBError } from '../../base/index.ts';
import { type FieldBlock, fieldText, type Selection } from '../../formats/index.ts';
import { ByteDictionary } from '../columns/byte-dictionary.ts';
import type { BadRows } from '../csv/bad-rows.ts';

const SMALL_N = 110;
const COMPUTED_FORM = /^n(0|[1-9]\d{0,9})$/;

/** The options of internal identifiers. */
export interface InternalIdsOptions {
  /** The ordinal of the first new node. */
  readonly firstOrdinal: number;
  /** Tells whether an existing node has the identifier; null: there are no existing nodes. */
  readonly isTaken: ((id: string) => boolean) | null;
}

/** The internal identifiers of new nodes. */
export class InternalIds {
  readonly #ids = new ByteDictionary();
  readonly #options: InternalIdsOptions;
  /** Identifiers that were entered for rows that were left out afterwards, so that no new node has them. */
  readonly #released = new Set<string>();
  /** The set identifier of computed form with the smallest ordinal that may be that of a new node; null: there is none. */
  #lowestComputed: { readonly text: string; readonly ordinal: number } | null = null;

  constructor(options: InternalIdsOptions) {
    this.#options = options;
  }

  /**
   * Enters the identifiers of rows. A row whose identifier is taken is bad; a row may have none. `settle` must follow once
   * it is known which of the rows become nodes.
   */
  enter(block: FieldBlock, column: number, rows: Selection, bad: BadRows): void {
    const { bytes, columns, starts, ends } = block;
    const { isTaken } = this.#options;
    for (let i = 0; i < rows.length; i++) {
      const row = rows[i]!;
      const at = row * columns + column;
      const from = starts[at]!;
      const to = ends[at]!;
      if (from === to) continue;
      const expected = this.#ids.size;
      const code = this.#ids.intern(bytes, from, Math.max(from, to));
      const isFree = code === expected || (this.#released.size > 0 && this.#released.delete(fieldText(block, row, column)));
      const isKnown = isFree && isTaken?.(fieldText(block, row, column)) === true;
      if (isKnown) this.#released.add(fieldText(block, row, column));
      if (!isFree || isKnown) bad.add(row, `the _id ${JSON.stringify(fieldText(block, row, column))} is taken by another node`);
    }
  }

  /** Notes the identifiers of rows that have become nodes, and gives back those of bad rows, which were left out. */
  settle(block: FieldBlock, column: number, rows: Selection, bad: BadRows): void {
    const { bytes, columns, starts, ends } = block;
    for (let i = 0; i < rows.length; i++) {
      const row = rows[i]!;
      const at = row * columns + column;
      const from = starts[at]!;
      if (from === ends[at]!) continue;
      if (bad.size > 0 && bad.has(row)) this.#released.add(fieldText(block, row, column));
      else if (bytes[from] === SMALL_N) this.#note(fieldText(block, row, column));
    }
  }

  #note(text: string): void {
    const match = COMPUTED_FORM.exec(text);
    if (match === null) return;
    const ordinal = Number(match[1]);
    if (ordinal < this.#options.firstOrdinal) return;
    if (this.#lowestComputed === null || ordinal < this.#lowestComputed.ordinal) this.#lowestComputed = { text, ordinal };
  }

  /**
   * Checks the set identifiers once all new nodes are known.
   *
   * @throws ARGUMENT_ERROR when a node without an identifier would get one that was set
   */
  check(nodes: number): void {
    const lowest = this.#lowestComputed;
    if (lowest === null || this.#ids.size - this.#released.size === nodes || lowest.ordinal >= this.#options.firstOrdinal + nodes) return;
    throw new GraphDBError(
      'ARGUMENT_ERROR',
      `the _id "${lowest.text}" has the form of the identifiers that nodes without an _id get; give every node an _id, or none ` +
        'of this form; nothing was imported',
    );
  }
}
