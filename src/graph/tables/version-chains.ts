/**
 * Changes of numbered things (nodes by ordinal, rows by number), with the sequence from which on each holds: an
 * append-only log of entries, each linked to the entry before it of the same key, newest first. Things that never
 * changed cost nothing: a bitmap, allocated with the first entry, says who has a chain. An entry holds where the thing
 * stands from `begin` on: a table and a row; what these mean is the owner's affair. Entries are never changed once
 * their sequence is published, so a reader at sequence s finds the same answer for ever.
 *
 * Heads, links and bitmap change under a reader in another thread. So it keeps its own, made from the log of published
 * entries, which does not (`follow`).
 */
import { bitmapFor, clearBit, hasBit, setBit } from '../arrays/bitmap.ts';
import { OrdinalHeads } from '../arrays/ordinal-heads.ts';
import { EMPTY_F64, EMPTY_I32, EMPTY_U16, EMPTY_U32, grown } from '../arrays/shared-array.ts';

const NO_ENTRY = -1;
const BURIED = -2;

/** The entries of published sequences, in their order. */
export interface SharedChains {
  readonly length: number;
  readonly keys: Uint32Array;
  readonly begins: Float64Array;
  readonly tables: Uint16Array;
  readonly rows: Int32Array;
  /** In order of their burial. */
  readonly buried: Uint32Array;
}

/** The versions of numbered things. */
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

  /** The key is gone for every reader: no entry says from when on. Not undone by `truncate`. */
  bury(key: number): void {
    this.#buried = grown(this.#buried, this.#buriedCount + 1);
    this.#buried[this.#buriedCount++] = key;
    this.#heads.set(key, BURIED);
    this.bitmap = bitmapFor(this.bitmap, key + 1);
    setBit(this.bitmap, key);
  }

  /** Keys below `count` may be gone though they have no entry: their owner knows. Not undone by `truncate`. */
  doubtFirst(count: number): void {
    this.#hasDoubts = true;
    this.bitmap = bitmapFor(this.bitmap, count);
    this.bitmap.fill(0xff, 0, count >>> 3);
    for (let key = count & ~7; key < count; key++) setBit(this.bitmap, key);
  }

  /** Declares that things without an entry, which are not buried, exist. */
  dropDoubts(): void {
    if (!this.#hasDoubts) return;
    this.#hasDoubts = false;
    const bitmap = this.bitmap!; // It was made with the doubts.
    bitmap.fill(0);
    for (let i = 0; i < this.#buriedCount; i++) setBit(bitmap, this.#buried[i]!);
    for (let entry = 0; entry < this.length; entry++) setBit(bitmap, this.keys[entry]!);
    if (this.length === 0 && this.#buriedCount === 0) this.bitmap = null;
  }

  isBuried(key: number): boolean {
    return this.#buriedCount > 0 && this.has(key) && this.#heads.get(key) === BURIED;
  }

  /** The entry that holds at `sequence`; -1 when the key was as it began, -2 when it is buried. */
  find(key: number, sequence: number): number {
    let entry = this.#heads.get(key);
    while (entry >= 0 && (this.begins[entry] as number) > sequence) entry = this.#previous[entry] as number;
    return entry;
  }

  /** Calls `visit` with the table of each entry of a key. */
  forEachTable(key: number, visit: (table: number) => void): void {
    for (let entry = this.newest(key); entry >= 0; entry = this.#previous[entry] as number) visit(this.tables[entry] as number);
  }

  /** The newest entry of a key, -1 for none. */
  newest(key: number): number {
    return this.has(key) ? this.#heads.get(key) : NO_ENTRY;
  }

  /** From `begin` on the key stands at (table, row). An entry that began then is overwritten. */
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

  /** Returns the part of it that readers at `sequence`, a published one, need. */
  share(sequence: number): SharedChains {
    const { keys, begins, tables, rows } = this;
    return { length: this.countUpTo(sequence), keys, begins, tables, rows, buried: this.#buried.subarray(0, this.#buriedCount) };
  }

  /** Takes in what another thread has shared since the last time; nothing else may be written here. */
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

  /** How many entries began at `sequence` or before; entries are in the order of their sequences. */
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
