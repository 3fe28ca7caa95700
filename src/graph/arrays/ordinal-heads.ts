/**
 * A map from ordinals or row numbers to 32-bit integers, for one thread: 4 bytes per key where keys are dense, about 16
 * where they are scattered.
 *
 * Keys are divided into pages. The keys of a page are kept in a hash table until there are `MANY` of them, and in an
 * array per page from then on, so that ascending keys, as of a statement that changes every node, do not cost a cache
 * miss each.
 */
import { EMPTY_I32 } from './shared-array.ts';
import { U32Map } from './u32-map.ts';

const ABSENT = -1;
const PAGE_BITS = 10;
const PAGE_SIZE = 1 << PAGE_BITS;
const PAGE_MASK = PAGE_SIZE - 1;
/** How many keys of a page the hash table holds at most; one more turns them into an array, of 32 bytes a key at that point. */
const MANY = PAGE_SIZE / 8;

/** A map from ordinals or row numbers to 32-bit integers. */
export class OrdinalHeads {
  readonly #sparse = new U32Map();
  /** The values of each page; an empty array while the keys of the page are in the hash table. */
  #pages: Int32Array[] = [];
  /** How many keys of each page are in the hash table. */
  #counts = new Uint8Array(0);

  /** Returns the value of a key; -1 when the key has none. */
  get(key: number): number {
    const page = key >>> PAGE_BITS;
    if (page >= this.#pages.length) return ABSENT;
    const values = this.#pages[page] as Int32Array;
    return values.length > 0 ? (values[key & PAGE_MASK] as number) : this.#sparse.get(key);
  }

  /** Gives a key a value; -1 removes it. */
  set(key: number, value: number): void {
    const page = key >>> PAGE_BITS;
    if (page >= this.#pages.length) this.#widen(page);
    const values = this.#pages[page] as Int32Array;
    if (values.length > 0) values[key & PAGE_MASK] = value;
    else this.#setSparse(page, key, value);
  }

  #widen(page: number): void {
    while (this.#pages.length <= page) this.#pages.push(EMPTY_I32);
    if (this.#counts.length > page) return;
    const counts = new Uint8Array(Math.max(page + 1, 2 * this.#counts.length));
    counts.set(this.#counts);
    this.#counts = counts;
  }

  #setSparse(page: number, key: number, value: number): void {
    const count = this.#counts[page] as number;
    if (count < MANY) {
      if (this.#sparse.get(key) === ABSENT) this.#counts[page] = count + 1;
      this.#sparse.set(key, value);
      return;
    }
    const values = new Int32Array(PAGE_SIZE);
    for (let i = 0, each = page * PAGE_SIZE; i < PAGE_SIZE; i++, each++) {
      const found = this.#sparse.get(each);
      values[i] = found;
      if (found !== ABSENT) this.#sparse.set(each, ABSENT);
    }
    values[key & PAGE_MASK] = value;
    this.#pages[page] = values;
  }
}
