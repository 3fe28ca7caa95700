/**
 * Maps 32-bit hashes to any number of 32-bit values each, oldest first: hashed heads and linked entries in shared typed arrays. Entries are
 * never removed, so readers verify them. A value added again (each version of a node has the values that did not change) is not kept twice
 * when it is among the first entries of its list, so the lists of an index with few nodes per value do not grow with updates.
 *
 * Another thread may read the entries that existed when it was given the arrays, while this one adds more: the head of a
 * list never changes, and later entries are appended.
 */
import { EMPTY_I32, EMPTY_U32, grown } from './shared-array.ts';
import { type SharedU32Map, U32Map } from './u32-map.ts';

const LARGEST_KEY = 0xfffffffe;
const NO_ENTRY = -1;
/** How many of the first entries of a list are compared with a value before it is added. */
const LOOKED_AT = 4;
let heads = new Int32Array(0);

/** The arrays of a multimap, for other threads to read. */
export interface SharedMultimap {
  readonly size: number;
  readonly values: Uint32Array;
  readonly next: Int32Array;
  readonly heads: SharedU32Map;
}

/** A map from hashes to several values each. */
export class HashMultimap {
  size = 0;
  #values: Uint32Array = EMPTY_U32;
  #next: Int32Array = EMPTY_I32;
  /** The last entry of each list with several entries, indexed by the first entry of the list. */
  #tails: Int32Array = EMPTY_I32;
  readonly #heads = new U32Map();

  add(hash: number, value: number): void {
    const key = keyOf(hash);
    this.#addTo(this.#heads.get(key), key, value);
  }

  /** Adds the first `count` values, as calls of `add` would; faster for many. Overwrites `hashes`. */
  addAll(hashes: Uint32Array, values: Uint32Array, count: number): void {
    if (heads.length < count) heads = new Int32Array(count);
    for (let i = 0; i < count; i++) hashes[i] = keyOf(hashes[i] as number);
    this.#heads.getAll(hashes, count, heads);
    for (let i = 0; i < count; i++) {
      const key = hashes[i] as number;
      // A key that was absent may have been added in this loop.
      const head = (heads[i] as number) >= 0 ? (heads[i] as number) : this.#heads.get(key);
      this.#addTo(head, key, values[i] as number);
    }
  }

  #addTo(head: number, key: number, value: number): void {
    if (head >= 0 && this.#isAmongFirst(head, value)) return;
    const entry = this.size++;
    if (entry >= this.#values.length) {
      this.#values = grown(this.#values, entry + 1);
      this.#next = grown(this.#next, entry + 1);
    }
    this.#values[entry] = value;
    this.#next[entry] = NO_ENTRY;
    if (head < 0) this.#heads.set(key, entry);
    else this.#append(head, entry);
  }

  #append(head: number, entry: number): void {
    const last = this.#next[head] === NO_ENTRY ? head : (this.#tails[head] as number);
    this.#next[last] = entry;
    this.#tails = grown(this.#tails, head + 1);
    this.#tails[head] = entry;
  }

  /** Makes room for `count` more entries. @param lists how many new hashes at least to make room for in the hash table */
  reserve(count: number, lists: number): void {
    this.#values = grown(this.#values, this.size + count);
    this.#next = grown(this.#next, this.size + count);
    this.#heads.reserve(lists);
  }

  /**
   * Yields each value that has another one after it in the list of its hash, in the order of adding; nothing when no hash
   * has two values.
   */
  *valuesBeforeOthers(): Generator<number, void, void> {
    for (let entry = 0; entry < this.size; entry++) if (this.#next[entry] !== NO_ENTRY) yield this.#values[entry] as number;
  }

  #isAmongFirst(head: number, value: number): boolean {
    let entry = head;
    for (let i = 0; i < LOOKED_AT && entry >= 0; i++) {
      if (this.#values[entry] === value) return true;
      entry = this.#next[entry] as number;
    }
    return false;
  }

  get byteLength(): number {
    return this.#values.byteLength + this.#next.byteLength + this.#tails.byteLength + this.#heads.byteLength;
  }

  share(): SharedMultimap {
    return { size: this.size, values: this.#values, next: this.#next, heads: this.#heads.share() };
  }

  /** Lets this multimap read what another thread has shared. */
  follow({ size, values, next, heads }: SharedMultimap): void {
    this.size = size;
    this.#values = values;
    this.#next = next;
    this.#heads.follow(heads);
  }

  /** Returns the oldest entry of a hash; -1 for none. */
  first(hash: number): number {
    return this.#known(this.#heads.get(keyOf(hash)));
  }

  next(entry: number): number {
    return this.#known(this.#next[entry] as number);
  }

  #known(entry: number): number {
    return entry < this.size ? entry : NO_ENTRY;
  }

  value(entry: number): number {
    return this.#values[entry] as number;
  }
}

function keyOf(hash: number): number {
  const key = hash >>> 0;
  return Math.min(key, LARGEST_KEY);
}
