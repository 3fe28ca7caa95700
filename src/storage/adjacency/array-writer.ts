/** Writes an array of numbers as pages of a fixed number of elements. */
import type { PageSequence } from '../artefacts/artefact-kind.ts';
import type { PagedArrayPlace } from './adjacency-directory.ts';
import { packPage } from './packed-page.ts';

/** The elements of a page, 64 KiB in memory: a hop reads few bytes in excess, and adjacent pages are read at once anyway. */
export const PAGE_ELEMENTS = 16_384;

/** Writes an array as pages. */
export class ArrayWriter {
  length = 0;
  readonly #pages: PageSequence;
  readonly #page = new Uint32Array(PAGE_ELEMENTS);
  #filled = 0;

  constructor(pages: PageSequence) {
    this.#pages = pages;
  }

  async append(values: Uint32Array): Promise<void> {
    for (let from = 0; from < values.length; ) {
      const count = Math.min(values.length - from, PAGE_ELEMENTS - this.#filled);
      this.#page.set(values.subarray(from, from + count), this.#filled);
      this.#filled += count;
      from += count;
      if (this.#filled === PAGE_ELEMENTS) await this.#flush();
    }
    this.length += values.length;
  }

  /** Finishes the array, and returns its place; `firstPage` is the number of the artefact's pages before it. */
  async finish(firstPage: number): Promise<PagedArrayPlace> {
    if (this.#filled > 0) await this.#flush();
    return { length: this.length, firstPage, pages: this.#pages.pageCount };
  }

  async #flush(): Promise<void> {
    await this.#pages.add(packPage(this.#page.subarray(0, this.#filled)));
    this.#filled = 0;
  }
}
