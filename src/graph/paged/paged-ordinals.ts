/** The ordinals of rows in files: computed from the row in a file with dense ordinals, and read by page in other files. */
import { lastAtMost } from './last-at-most.ts';
import type { PageCache } from './page-cache.ts';
import type { PagedArray } from './paged-array.ts';
import { type PagedFile, pagedNumbers } from './paged-numbers.ts';

/** The ordinals of rows in files. */
export class PagedOrdinals {
  readonly #files: readonly PagedFile[];
  readonly #firstRows: readonly number[];
  /** The stored ordinals; null when the ordinals of all files are dense. */
  readonly #numbers: PagedArray | null;

  /** @param column the name of the column that stores ordinals */
  constructor(column: string, files: readonly PagedFile[], rowCount: number, cache: PageCache) {
    this.#files = files;
    this.#firstRows = files.map(({ firstRow }) => firstRow);
    const listed = files.filter(({ reader }) => !reader.file.denseOrdinals);
    this.#numbers = listed.length === 0 ? null : pagedNumbers(column, listed, rowCount, cache);
  }

  /** Returns the ordinal of a row; 0 when its page is not in memory, which is noted. */
  at(row: number): number {
    const { reader, firstRow } = this.#files[lastAtMost(this.#firstRows, row)]!;
    const { denseOrdinals, minOrdinal } = reader.file;
    return denseOrdinals ? minOrdinal + row - firstRow : this.#numbers!.get(row); // Some file has them listed.
  }
}
