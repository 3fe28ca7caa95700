/**
 * Detects that pages are asked for in sequence, as a scan does, and decides how many further pages to read with the next
 * one: about twice as many each time.
 */
/** The most bytes that are read ahead at once. */
const MOST_BYTES = 2 ** 20;
/** The largest share of the memory for pages that one scan reads ahead. */
const SHARE_OF_PAGES = 1 / 64;

/** Decides how many further pages to read with a page that was asked for. */
export class ReadAhead {
  #expected = -1;
  #count = 0;

  /** Returns how many pages after this one to read with it. @param limitBytes the limit for all pages in memory together */
  behind(page: number, pageBytes: number, limitBytes: number): number {
    const most = Math.floor(Math.min(MOST_BYTES, limitBytes * SHARE_OF_PAGES) / pageBytes);
    this.#count = page === this.#expected ? Math.min(2 * this.#count + 1, most) : 0;
    this.#expected = page + this.#count + 1;
    return this.#count;
  }
}
