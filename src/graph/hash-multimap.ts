/**
 * From 32-bit hashes to any number of 32-bit values each, newest first: hashed heads and linked entries in shared typed arrays. Entries are
 * never removed; whoever reads verifies them.
 */
import { EMPTY_I32, EMPTY_U32, grown } from './shared-array.ts';
import { U32Map } from './u32-map.ts';

const LARGEST_KEY = 0xfffffffe;

export class HashMultimap {
  size = 0;
  #values: Uint32Array = EMPTY_U32;
  #next: Int32Array = EMPTY_I32;
  readonly #heads = new U32Map();

  add(hash: number, value: number): void {
    const entry = this.size++;
    if (entry >= this.#values.length) {
      this.#values = grown(this.#values, entry + 1);
      this.#next = grown(this.#next, entry + 1);
    }
    const key = keyOf(hash);
    this.#values[entry] = value;
    this.#next[entry] = this.#heads.get(key);
    this.#heads.set(key, entry);
  }

  /** The newest entry, -1 for none. */
  first(hash: number): number {
    return this.#heads.get(keyOf(hash));
  }

  next(entry: number): number {
    return this.#next[entry] as number;
  }

  value(entry: number): number {
    return this.#values[entry] as number;
  }
}

function keyOf(hash: number): number {
  const key = hash >>> 0;
  return Math.min(key, LARGEST_KEY);
}
