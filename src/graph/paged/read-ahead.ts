/**
 * Finds out that pages are asked for one after the other, as a scan does, and how many further ones are worth reading
 * with the next one: twice as many each time.
 */
const MOST_BYTES = 2 ** 20;
/** The largest share of the memory for pages that one scan reads ahead. */
const SHARE_OF_PAGES = 1 / 64;

/** Tells how many further pages to read with those that were asked for. */
export class ReadAhead {
  #expected = -1;
  #count = 0;

  /** How many pages behind this one are to be read with it. `limitBytes`: what pages may take together. */
  behind(page: number, pageBytes: number, limitBytes: number): number {
    const most = Math.floor(Math.min(MOST_BYTES, limitBytes * SHARE_OF_PAGES) / pageBytes);
    this.#count = page === this.#expected ? Math.min(2 * this.#count + 1, most) : 0;
    this.#expected = page + this.#count + 1;
    return this.#count;
  }
}
