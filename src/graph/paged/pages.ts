/**
 * Which pages of an array are in memory. The array has its full length from the beginning, and takes memory only where pages have been read into it; what was not read is zero. A page has
 * 2^`shift` elements.
 */
import { type Missing, noteMissing } from './page-faults.ts';

/** Reads the elements of a page into the array. */
export type ReadPage = (page: number) => Promise<void>;

export class Pages {
  readonly #shift: number;
  readonly #isThere: Uint8Array;
  readonly #read: ReadPage;
  readonly #name: string;
  readonly #missing = new Map<number, Missing>();

  /** `name`: of what the array holds, for errors. */
  constructor(name: string, length: number, shift: number, read: ReadPage) {
    this.#name = name;
    this.#shift = shift;
    this.#isThere = new Uint8Array(Math.ceil(length / 2 ** shift));
    this.#read = read;
  }

  /** Whether an element is in memory; its page is noted where it is not. INTERNAL: nobody watches for pages. */
  touch(index: number): boolean {
    return this.#isThere[index >>> this.#shift] === 1 || this.#note(index >>> this.#shift);
  }

  /** Whether all elements from `first` to before `end` are in memory; what is not is noted. */
  touchRange(first: number, end: number): boolean {
    if (first >= end) return true;
    let areThere = true;
    const last = (end - 1) >>> this.#shift;
    for (let page = first >>> this.#shift; page <= last; page++) if (this.#isThere[page] !== 1) areThere = this.#note(page);
    return areThere;
  }

  #note(page: number): false {
    let missing = this.#missing.get(page);
    if (missing === undefined) {
      let loading: Promise<void> | null = null;
      missing = { load: () => (loading ??= this.#load(page)) };
      this.#missing.set(page, missing);
    }
    noteMissing(missing, `page ${page} of ${this.#name}`);
    return false;
  }

  async #load(page: number): Promise<void> {
    try {
      await this.#read(page);
      this.#isThere[page] = 1;
    } finally {
      this.#missing.delete(page);
    }
  }
}
