/** Ordinals of rows in files: they follow from the row where those of a file are dense, and are read by page elsewhere. */
import { lastAtMost } from './last-at-most.ts';
import type { PageCache } from './page-cache.ts';
import type { PagedArray } from './paged-array.ts';
import { type PagedFile, pagedNumbers } from './paged-numbers.ts';

/** The ordinals of rows in files. */
export class PagedOrdinals {
  readonly #files: readonly PagedFile[];
  readonly #firstRows: readonly number[];
  /** Null: all are dense. */
  readonly #numbers: PagedArray | null;

  /** `column`: where ordinals stand. */
  constructor(column: string, files: readonly PagedFile[], rowCount: number, cache: PageCache) {
    this.#files = files;
    this.#firstRows = files.map(({ firstRow }) => firstRow);
    const listed = files.filter(({ reader }) => !reader.file.denseOrdinals);
    this.#numbers = listed.length === 0 ? null : pagedNumbers(column, listed, rowCount, cache);
  }

  /** The ordinal of a row; 0 where its page was not in memory and is noted. */
  at(row: number): number {
    const { reader, firstRow } = this.#files[lastAtMost(this.#firstRows, row)]!;
    const { denseOrdinals, minOrdinal } = reader.file;
    return denseOrdinals ? minOrdinal + row - firstRow : this.#numbers!.get(row); // Some file has them listed.
  }
}
