/**
 * Caches decoded strings of a UTF-8 column, for rows that a snapshot sees, whose values never change (M1).
 *
 * - Each slot keeps the last string that was decoded for one of its rows.
 * - When a column has more rows than there are slots, a *block* of rows whose text is ASCII is decoded as one string, and
 *   the strings of its rows are cut out of it: some 70 ns, against 300 ns for a call out of JavaScript. A block is complete
 *   once a row after it was asked for, because a reader of a row sees all rows before it.
 *
 * Blocks take a byte per character, up to `MOST_BYTES` a column; a slot takes 4 bytes and up to some 80 for its string.
 * A string that the caller keeps may keep its whole block in memory.
 */
import { hasBit } from '../arrays/bitmap.ts';
import { decodeUtf8 } from '../arrays/utf8.ts';

interface Column {
  /** Offsets of the rows and of their end in the bytes of `heap`. */
  readonly values: ArrayLike<unknown>;
  readonly valid: Uint8Array | null;
  readonly heap: Uint8Array | null;
  get(row: number): unknown;
}

const BLOCK_BITS = 8;
const BLOCK_ROWS = 1 << BLOCK_BITS;
/** A block with more bytes than this is not decoded as one: that would take too long for a caller that wants one row. */
const MOST_BLOCK_BYTES = 1 << 13;
const MOST_BYTES = 1 << 24;
const MOST_SLOTS = 1 << 14;
const LEAST_SLOTS = 1 << 6;
/** Strings with more characters than this are not kept in a slot. */
const LONGEST_KEPT = 64;
const NO_ROWS = new Int32Array(0);
/** Marks a block that was not looked at yet; null marks a block that cannot be decoded as one. */
const UNKNOWN = '';

/** A cache of decoded strings. */
export class TextCache {
  readonly #column: Column;
  readonly #offsets: Uint32Array;
  readonly #hasBlocks: boolean;
  readonly #blocks: (string | null)[] = [];
  #blockBytes = 0;
  /** The highest row that was asked for in a block not decoded yet. */
  #last = -1;
  #rows: Int32Array = NO_ROWS;
  readonly #slots: number;
  readonly #texts: (string | null)[] = [];

  constructor(column: Column, rowCount: number) {
    let slots = LEAST_SLOTS;
    while (slots < rowCount && slots < MOST_SLOTS) slots *= 2;
    this.#column = column;
    this.#offsets = column.values as Uint32Array; // Of a column of strings.
    this.#slots = slots;
    this.#hasBlocks = rowCount > MOST_SLOTS;
  }

  /** Returns the string of a row; null when the row has no value. */
  get(row: number): string | null {
    if (!this.#hasBlocks) return this.#byItself(row);
    let block = this.#blocks[row >> BLOCK_BITS];
    if (block === undefined || block === UNKNOWN) block = this.#blockOf(row);
    if (block === null) return this.#byItself(row);
    const { valid } = this.#column;
    if (valid !== null && !hasBit(valid, row)) return null;
    const offsets = this.#offsets;
    const first = offsets[row & -BLOCK_ROWS]!;
    return block.substring(offsets[row]! - first, offsets[row + 1]! - first);
  }

  #blockOf(row: number): string | null {
    const at = row >> BLOCK_BITS;
    const blocks = this.#blocks;
    if (row > this.#last) this.#last = row;
    if ((at + 1) * BLOCK_ROWS > this.#last) return null;
    while (blocks.length <= at) blocks.push(UNKNOWN);
    return (blocks[at] = this.#decoded(at * BLOCK_ROWS));
  }

  #decoded(row: number): string | null {
    const from = this.#offsets[row]!;
    const to = this.#offsets[row + BLOCK_ROWS]!;
    const bytes = to - from;
    if (bytes === 0 || bytes > MOST_BLOCK_BYTES || this.#blockBytes + bytes > MOST_BYTES) return null;
    const text = decodeUtf8(this.#column.heap!, from, to);
    // Any other character has more bytes than it has places in a string.
    if (text.length < bytes) return null;
    this.#blockBytes += bytes;
    return text;
  }

  #byItself(row: number): string | null {
    const slot = row & (this.#slots - 1);
    if (this.#rows[slot] === row) return this.#texts[slot]!;
    const text = this.#column.get(row) as string | null;
    if (text !== null && text.length > LONGEST_KEPT) return text;
    if (this.#rows === NO_ROWS) this.#rows = new Int32Array(this.#slots).fill(-1);
    while (this.#texts.length <= slot) this.#texts.push(null);
    this.#rows[slot] = row;
    this.#texts[slot] = text;
    return text;
  }
}
