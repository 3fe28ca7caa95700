/** Which rows of a column have a value: a bitmap (bit r & 7 of byte r >> 3), or none while all rows have one. */
import type { Selection } from '../../formats/index.ts';
import { grown } from './growing.ts';

/** The rows of a column that have a value. */
export class Validity {
  /** The bitmap; null: every row has a value. Bits beyond the rows may be anything. */
  bits: Uint8Array | null = null;
  rows = 0;

  /** Appends `count` rows; `present` is 1 for those that have a value, else 0. */
  append(present: Uint8Array, count: number, presentCount: number): void {
    if (presentCount === count) return this.appendSame(count, true);
    const bits = this.#room(count);
    for (let i = 0, row = this.rows; i < count; i++, row++) {
      if (present[i] === 1) bits[row >> 3]! |= 1 << (row & 7);
      else bits[row >> 3]! &= ~(1 << (row & 7));
    }
    this.rows += count;
  }

  /** Appends rows of another bitmap; null: all of them have a value. */
  appendBits(bits: Uint8Array | null, rows: Selection): void {
    if (bits === null) return this.appendSame(rows.length, true);
    const target = this.#room(rows.length);
    for (let i = 0, row = this.rows; i < rows.length; i++, row++) {
      if (isSet(bits, rows[i]!)) target[row >> 3]! |= 1 << (row & 7);
      else target[row >> 3]! &= ~(1 << (row & 7));
    }
    this.rows += rows.length;
  }

  appendSame(count: number, present: boolean): void {
    if (present && this.bits === null) this.rows += count;
    else {
      fillBits(this.#room(count), this.rows, count, present);
      this.rows += count;
    }
  }

  /** Whether no row has a value. */
  get isEmpty(): boolean {
    const { bits, rows } = this;
    if (bits === null) return rows === 0;
    for (let byte = 0; byte < rows >> 3; byte++) if (bits[byte] !== 0) return false;
    return (rows & 7) === 0 || (bits[rows >> 3]! & ((1 << (rows & 7)) - 1)) === 0;
  }

  #room(count: number): Uint8Array {
    const bytes = (this.rows + count + 7) >> 3;
    if (this.bits === null) {
      this.bits = new Uint8Array(Math.max(bytes, 1024));
      fillBits(this.bits, 0, this.rows, true);
    }
    this.bits = grown(this.bits, bytes);
    return this.bits;
  }
}

/** Tells whether a row has a value. @param bits null: every row has one */
export function isSet(bits: Uint8Array | null, row: number): boolean {
  return bits === null || ((bits[row >> 3]! >> (row & 7)) & 1) === 1;
}

function fillBits(bits: Uint8Array, from: number, count: number, value: boolean): void {
  const to = from + count;
  let row = from;
  while (row < to) {
    if ((row & 7) === 0 && row + 8 <= to) {
      const bytes = (to - row) >> 3;
      bits.fill(value ? 0xff : 0, row >> 3, (row >> 3) + bytes);
      row += 8 * bytes;
      continue;
    }
    if (value) bits[row >> 3]! |= 1 << (row & 7);
    else bits[row >> 3]! &= ~(1 << (row & 7));
    row++;
  }
}

/** Returns the bitmap with rows in another order: row r is row `order[r]` of the given one. */
export function reorderBits(bits: Uint8Array, order: Uint32Array): Uint8Array {
  const result = new Uint8Array((order.length + 7) >> 3);
  for (let row = 0; row < order.length; row++) {
    const from = order[row]!;
    if ((bits[from >> 3]! >> (from & 7)) & 1) result[row >> 3]! |= 1 << (row & 7);
  }
  return result;
}
