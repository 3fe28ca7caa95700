/**
 * The changes of numbered keys (nodes by ordinal, rows by number), each with the sequence from which on it holds: an
 * append-only log of entries, each linked to the previous entry of the same key. Keys that never changed cost nothing: a
 * bitmap, allocated with the first entry, tells which keys have a chain. An entry says where its key is from `begin` on: a
 * table and a row, whose meaning is up to the owner. Entries never change once their sequence is published, so a reader
 * at sequence s always gets the same answer.
 *
 * Heads, links and bitmap do change while another thread reads. Each thread therefore builds its own from the log of
 * published entries, which does not change (`follow`).
 */
import { bitmapFor, clearBit, hasBit, setBit } from '../arrays/bitmap.ts';
import { OrdinalHeads } from '../arrays/ordinal-heads.ts';
import { EMPTY_F64, EMPTY_I32, EMPTY_U16, EMPTY_U32, grown } from '../arrays/shared-array.ts';

const NO_ENTRY = -1;
const BURIED = -2;

/** The entries of published sequences, in the order of the sequences. */
export interface SharedChains {
  readonly length: number;
  readonly keys: Uint32Array;
  readonly begins: Float64Array;
  readonly tables: Uint16Array;
  readonly rows: Int32Array;
  /** The buried keys, in the order of burial. */
  readonly buried: Uint32Array;
}

/** The changes of numbered keys. */
export class VersionChains {
  /** Number of entries. */
  length = 0;
  /** A bit for each key that has a chain. */
  bitmap: Uint8Array | null = null;
  keys: Uint32Array = EMPTY_U32;
  begins: Float64Array = EMPTY_F64;
  tables: Uint16Array = EMPTY_U16;
  rows: Int32Array = EMPTY_I32;
  #previous: Int32Array = EMPTY_I32;
  readonly #heads = new OrdinalHeads();
  #buried: Uint32Array = EMPTY_U32;
  #buriedCount = 0;
  #hasDoubts = false;

  has(key: number): boolean {
    const bitmap = this.bitmap;
    return bitmap !== null && key >>> 3 < bitmap.length && hasBit(bitmap, key);
  }

  /** Marks a key as gone for every reader, without an entry. `truncate` does not undo it. */
  bury(key: number): void {
    this.#buried = grown(this.#buried, this.#buriedCount + 1);
    this.#buried[this.#buriedCount++] = key;
    this.#heads.set(key, BURIED);
    this.bitmap = bitmapFor(this.bitmap, key + 1);
    setBit(this.bitmap, key);
  }

  /** Marks the keys below `count` as possibly gone without an entry: the owner must check. `truncate` does not undo it. */
  doubtFirst(count: number): void {
    this.#hasDoubts = true;
    this.bitmap = bitmapFor(this.bitmap, count);
    this.bitmap.fill(0xff, 0, count >>> 3);
    for (let key = count & ~7; key < count; key++) setBit(this.bitmap, key);
  }

  /**
   * Undoes `doubtFirst`: keys without an entry exist, except buried ones. The bitmap stays the same array, so that a
   * statement that reads it now sees which keys are buried next.
   */
  dropDoubts(): void {
    if (!this.#hasDoubts) return;
    this.#hasDoubts = false;
    const bitmap = this.bitmap!; // It was made with the doubts.
    bitmap.fill(0);
    for (let i = 0; i < this.#buriedCount; i++) setBit(bitmap, this.#buried[i]!);
    for (let entry = 0; entry < this.length; entry++) setBit(bitmap, this.keys[entry]!);
  }

  isBuried(key: number): boolean {
    return this.#buriedCount > 0 && this.has(key) && this.#heads.get(key) === BURIED;
  }

  /** Returns the entry that holds at `sequence`; -1 when the key has not changed by then, -2 when it is buried. */
  find(key: number, sequence: number): number {
    let entry = this.#heads.get(key);
    while (entry >= 0 && (this.begins[entry] as number) > sequence) entry = this.#previous[entry] as number;
    return entry;
  }

  /** Calls `visit` with the table of each entry of a key. */
  forEachTable(key: number, visit: (table: number) => void): void {
    for (let entry = this.newest(key); entry >= 0; entry = this.#previous[entry] as number) visit(this.tables[entry] as number);
  }

  /** Returns the newest entry of a key; a negative number when it has none: -1, or -2 when it is buried. */
  newest(key: number): number {
    return this.has(key) ? this.#heads.get(key) : NO_ENTRY;
  }

  /** Notes that a key is at (table, row) from `begin` on; overwrites an entry of the key with the same `begin`. */
  put(key: number, begin: number, table: number, row: number): void {
    const head = this.newest(key);
    if (head >= 0 && this.begins[head] === begin) {
      this.tables[head] = table;
      this.rows[head] = row;
    } else {
      this.#append(key, begin, table, row, head);
    }
  }

  #append(key: number, begin: number, table: number, row: number, previous: number): void {
    const entry = this.length++;
    this.#reserve(this.length);
    this.keys[entry] = key;
    this.begins[entry] = begin;
    this.tables[entry] = table;
    this.rows[entry] = row;
    this.#link(entry, key, previous);
  }

  #link(entry: number, key: number, previous: number): void {
    this.#previous[entry] = previous;
    this.#heads.set(key, entry);
    this.bitmap = bitmapFor(this.bitmap, key + 1);
    setBit(this.bitmap, key);
  }

  /** Returns the entries for readers at `sequence`, which must be published. */
  share(sequence: number): SharedChains {
    const { keys, begins, tables, rows } = this;
    return { length: this.countUpTo(sequence), keys, begins, tables, rows, buried: this.#buried.subarray(0, this.#buriedCount) };
  }

  /** Adds what another thread has shared since the last call. Chains that follow another thread must not be written to otherwise. */
  follow(shared: SharedChains): void {
    for (let i = this.#buriedCount; i < shared.buried.length; i++) this.bury(shared.buried[i] as number);
    if (shared.length <= this.length) return;
    this.keys = shared.keys;
    this.begins = shared.begins;
    this.tables = shared.tables;
    this.rows = shared.rows;
    this.#previous = grown(this.#previous, shared.length);
    for (; this.length < shared.length; this.length++) {
      const key = this.keys[this.length] as number;
      this.#link(this.length, key, this.newest(key));
    }
  }

  #reserve(count: number): void {
    if (count <= this.keys.length) return;
    this.keys = grown(this.keys, count);
    this.begins = grown(this.begins, count);
    this.tables = grown(this.tables, count);
    this.rows = grown(this.rows, count);
    this.#previous = grown(this.#previous, count);
  }

  /** Returns how many entries began at `sequence` or earlier; entries are in the order of their sequences. */
  countUpTo(sequence: number): number {
    let count = this.length;
    while (count > 0 && (this.begins[count - 1] as number) > sequence) count--;
    return count;
  }

  /** Undoes the entries from `length` on. */
  truncate(length: number): void {
    while (this.length > length) {
      const entry = --this.length;
      const key = this.keys[entry] as number;
      const previous = this.#previous[entry] as number;
      this.#heads.set(key, previous);
      if (previous < 0) clearBit(this.bitmap as Uint8Array, key);
    }
    if (this.length === 0 && this.#buriedCount === 0 && !this.#hasDoubts) this.bitmap = null;
  }
}
