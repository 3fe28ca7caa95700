/** An array of numbers in files, of which some pages are in memory. A page has 2^`shift` elements; the last one may have fewer. */
import type { CachedPage, PageCache } from './page-cache.ts';
import { type Missing, noteMissing } from './page-faults.ts';
import { ReadAhead } from './read-ahead.ts';

/** Reads the elements of a page; `length` is their number. */
export type ReadPage = (page: number, length: number) => Promise<Uint32Array>;

interface NumberPage extends CachedPage {
  readonly values: Uint32Array;
}

/** The name and size of an array that is read by page. */
export interface PagedArrayForm {
  /** Names the array in error messages. */
  readonly name: string;
  readonly length: number;
  readonly shift: number;
}

/** An array of numbers that is read by page. */
export class PagedArray {
  readonly length: number;
  /** An array that holds the elements of the last successful `open`, from `at` on. Its content never changes. */
  list: Uint32Array = NOTHING;
  /** The position in `list` of the first element that was asked for. */
  at = 0;
  readonly #name: string;
  readonly #shift: number;
  readonly #mask: number;
  readonly #read: ReadPage;
  readonly #cache: PageCache;
  readonly #pages: (NumberPage | undefined)[];
  readonly #missing = new Map<number, Missing>();
  readonly #ahead = new ReadAhead();

  constructor({ name, length, shift }: PagedArrayForm, cache: PageCache, read: ReadPage) {
    this.#name = name;
    this.length = length;
    this.#shift = shift;
    this.#mask = 2 ** shift - 1;
    this.#cache = cache;
    this.#read = read;
    this.#pages = new Array(Math.ceil(length / 2 ** shift)).fill(undefined);
  }

  /** Returns an element; 0 when its page is not in memory, which is noted. @throws INTERNAL when no statement is watched */
  get(index: number): number {
    const page = this.#pages[index >>> this.#shift];
    if (page === undefined) return this.#note(index >>> this.#shift);
    page.used = this.#cache.now;
    return page.values[index & this.#mask]!;
  }

  /** Opens the elements from `first` to below `end` in `list`. Returns false when some are not in memory; their pages are noted. */
  open(first: number, end: number): boolean {
    const [from, to] = [first >>> this.#shift, (end - 1) >>> this.#shift];
    if (from !== to) return this.#openSeveral(first, end);
    const page = this.#pages[from];
    if (page === undefined) {
      this.#note(from);
      return false;
    }
    page.used = this.#cache.now;
    this.list = page.values;
    this.at = first & this.#mask;
    return true;
  }

  #openSeveral(first: number, end: number): boolean {
    if (first >= end) {
      this.list = NOTHING;
      this.at = 0;
      return true;
    }
    let areThere = true;
    const [from, to] = [first >>> this.#shift, (end - 1) >>> this.#shift];
    for (let index = from; index <= to; index++) {
      const page = this.#pages[index];
      if (page !== undefined) page.used = this.#cache.now;
      else {
        this.#note(index);
        areThere = false;
      }
    }
    if (!areThere) return false;
    const list = new Uint32Array(end - first);
    for (let index = from; index <= to; index++) {
      const start = index * 2 ** this.#shift;
      const { values } = this.#pages[index]!; // All are there.
      const part = values.subarray(Math.max(first - start, 0), Math.min(end - start, values.length));
      list.set(part, Math.max(start - first, 0));
    }
    this.list = list;
    this.at = 0;
    return true;
  }

  #note(page: number): 0 {
    let missing = this.#missing.get(page);
    if (missing === undefined) {
      const bytes = 4 * 2 ** this.#shift;
      const behind = this.#ahead.behind(page, bytes, this.#cache.limit);
      let loading: Promise<void> | null = null;
      missing = { bytes: bytes * (1 + behind), load: () => (loading ??= this.#loadSeveral(page, page + behind)) };
      this.#missing.set(page, missing);
    }
    noteMissing(missing, `page ${page} of ${this.#name}`);
    return 0;
  }

  #drop(index: number, page: NumberPage): void {
    if (this.#pages[index] === page) this.#pages[index] = undefined;
  }

  async #loadSeveral(first: number, last: number): Promise<void> {
    const loads = [this.#load(first)];
    for (let page = first + 1; page <= last && page < this.#pages.length; page++)
      if (this.#pages[page] === undefined && !this.#missing.has(page)) loads.push(this.#load(page));
    await Promise.all(loads);
  }

  async #load(index: number): Promise<void> {
    try {
      const values = await this.#read(index, Math.min(2 ** this.#shift, this.length - index * 2 ** this.#shift));
      const page: NumberPage = { values, bytes: values.byteLength, used: this.#cache.now, drop: () => this.#drop(index, page) };
      this.#pages[index] = page;
      this.#cache.add(page);
    } finally {
      this.#missing.delete(index);
    }
  }
}

const NOTHING = new Uint32Array(0);
