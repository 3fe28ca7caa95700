/**
 * Strings of a UTF-8 column that were decoded lately: the last row of each slot. Only for rows that a snapshot sees, which stay as they are (M1).
 *
 * Costs 4 bytes a slot, and up to some 80 for its string; a hit saves the 150 ns of a call out of JavaScript.
 */

interface Column {
  get(row: number): unknown;
}

const MOST_SLOTS = 1 << 14;
const LEAST_SLOTS = 1 << 6;
/** Longer ones are not kept. */
const LONGEST_KEPT = 64;
const NONE = new Int32Array(0);

export class TextCache {
  readonly #column: Column;
  #rows: Int32Array = NONE;
  readonly #slots: number;
  readonly #texts: (string | null)[] = [];

  constructor(column: Column, rowCount: number) {
    let slots = LEAST_SLOTS;
    while (slots < rowCount && slots < MOST_SLOTS) slots *= 2;
    this.#column = column;
    this.#slots = slots;
  }

  /** null where the row has no value. */
  get(row: number): string | null {
    const slot = row & (this.#slots - 1);
    if (this.#rows[slot] === row) return this.#texts[slot]!;
    const text = this.#column.get(row) as string | null;
    if (text !== null && text.length > LONGEST_KEPT) return text;
    if (this.#rows === NONE) this.#rows = new Int32Array(this.#slots).fill(-1);
    while (this.#texts.length <= slot) this.#texts.push(null);
    this.#rows[slot] = row;
    this.#texts[slot] = text;
    return text;
  }
}
