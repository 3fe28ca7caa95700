/**
 * The internal identifiers that a column `_id` sets: unique over the whole namespace. Nodes without one answer to `n`
 * and their ordinal, so where the import makes such nodes no set identifier may look like that of one.
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
  /** Does a node that is there already answer to it? Null: there is none. */
  readonly isTaken: ((id: string) => boolean) | null;
}

/** The internal identifiers of new nodes. */
export class InternalIds {
  readonly #ids = new ByteDictionary();
  readonly #options: InternalIdsOptions;
  /** An identifier of computed form, with the smallest number that may be of a new node. */
  #lowestComputed: { readonly text: string; readonly ordinal: number } | null = null;

  constructor(options: InternalIdsOptions) {
    this.#options = options;
  }

  /** Rows whose identifier is taken are bad; rows without one are not. */
  insert(block: FieldBlock, column: number, rows: Selection, bad: BadRows): void {
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
      if (code < expected || isTaken?.(fieldText(block, row, column)) === true)
        bad.add(row, `the _id ${JSON.stringify(fieldText(block, row, column))} is taken by another node`);
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

  /** Once there are so many new nodes. ARGUMENT_ERROR when a node without an identifier may answer to one that is set. */
  check(nodes: number): void {
    const lowest = this.#lowestComputed;
    if (lowest === null || this.#ids.size === nodes || lowest.ordinal >= this.#options.firstOrdinal + nodes) return;
    throw new GraphDBError(
      'ARGUMENT_ERROR',
      `the _id "${lowest.text}" has the form of the identifiers that nodes without an _id get; give every node an _id, or none ` +
        'of this form; nothing was imported',
    );
  }
}
