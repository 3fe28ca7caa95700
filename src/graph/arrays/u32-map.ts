/**
 * An open-addressing hash table from 32-bit keys (below 2^32 - 1) to 32-bit integers, in shared typed arrays: 12 to 16 bytes an entry.
 * Keys are never removed; a key whose value is -1 counts as absent.
 *
 * Another thread may read a shared table while this one writes (`share`): the reader finds every key that was there when
 * the table was shared, if its value never changes. For later keys it may find any value, or none.
 */
import { EMPTY_I32, EMPTY_U32, sharedArray } from './shared-array.ts';

const SMALLEST_CAPACITY = 16;

/** The arrays of a hash table, for other threads to read. */
export interface SharedU32Map {
  readonly keys: Uint32Array;
  readonly values: Int32Array;
  readonly shift: number;
}

/** A hash table from 32-bit keys to 32-bit integers. */
export class U32Map {
  /** Key + 1; 0 is a free slot. */
  #keys: Uint32Array = EMPTY_U32;
  #values: Int32Array = EMPTY_I32;
  #used = 0;
  #shift = 32;

  get byteLength(): number {
    return this.#keys.byteLength + this.#values.byteLength;
  }

  share(): SharedU32Map {
    return { keys: this.#keys, values: this.#values, shift: this.#shift };
  }

  /** Lets this table read what another thread has shared. */
  follow({ keys, values, shift }: SharedU32Map): void {
    this.#keys = keys;
    this.#values = values;
    this.#shift = shift;
  }

  get(key: number): number {
    const keys = this.#keys;
    const mask = keys.length - 1;
    if (mask < 0) return -1;
    const wanted = (key + 1) >>> 0;
    let slot = Math.imul(key, 0x9e3779b1) >>> this.#shift;
    for (;;) {
      const found = keys[slot] as number;
      if (found === wanted) return this.#values[slot] as number;
      if (found === 0) return -1;
      slot = (slot + 1) & mask;
    }
  }

  /**
   * Looks up the first `count` keys into `values`; -1 for an absent key. The look-ups do not wait for each other, and
   * leave the CPU caches filled for later look-ups of the same keys.
   */
  getAll(keys: Uint32Array, count: number, values: Int32Array): void {
    for (let i = 0; i < count; i++) values[i] = this.get(keys[i] as number);
  }

  /** Makes room for `count` more keys. */
  reserve(count: number): void {
    let capacity = Math.max(SMALLEST_CAPACITY, this.#keys.length);
    while ((this.#used + count) * 4 > capacity * 3) capacity *= 2;
    if (capacity > this.#keys.length) this.#grow(capacity);
  }

  set(key: number, value: number): void {
    if (this.#used * 4 >= this.#keys.length * 3) this.#grow(Math.max(SMALLEST_CAPACITY, this.#keys.length * 2));
    const slot = this.#slotOf(key);
    if (this.#keys[slot] === 0) {
      this.#keys[slot] = key + 1;
      this.#used++;
    }
    this.#values[slot] = value;
  }

  #slotOf(key: number): number {
    const keys = this.#keys;
    const mask = keys.length - 1;
    const wanted = (key + 1) >>> 0;
    let slot = Math.imul(key, 0x9e3779b1) >>> this.#shift;
    for (;;) {
      const found = keys[slot] as number;
      if (found === wanted || found === 0) return slot;
      slot = (slot + 1) & mask;
    }
  }

  #grow(capacity: number): void {
    const oldKeys = this.#keys;
    const oldValues = this.#values;
    this.#keys = sharedArray(EMPTY_U32, capacity);
    this.#values = sharedArray(EMPTY_I32, capacity);
    this.#shift = Math.clz32(capacity - 1);
    this.#used = 0;
    for (let i = 0; i < oldKeys.length; i++) {
      const key = oldKeys[i] as number;
      if (key === 0 || oldValues[i] === -1) continue;
      const slot = this.#slotOf(key - 1);
      this.#keys[slot] = key;
      this.#values[slot] = oldValues[i] as number;
      this.#used++;
    }
  }
}
