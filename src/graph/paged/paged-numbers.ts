/** A system column of relationships (an end) over all rows of the files of a table, in one array that is filled by page. */
import type { SstReader } from '../../storage/index.ts';
import { EMPTY_U32, sharedArray } from '../arrays/shared-array.ts';
import { lastAtMost } from './last-at-most.ts';
import { Pages } from './pages.ts';

/** Blocks of large files have so many rows. */
const PAGE_SHIFT = 16;

/** A file of the table, and the row of the table that is its first. */
export interface PagedFile {
  readonly reader: SstReader;
  readonly firstRow: number;
}

export class PagedNumbers {
  readonly values: Uint32Array;
  readonly pages: Pages;
  readonly #name: string;
  readonly #files: readonly PagedFile[];

  constructor(name: string, files: readonly PagedFile[], rowCount: number) {
    this.#name = name;
    this.#files = files;
    this.values = sharedArray(EMPTY_U32, rowCount);
    this.pages = new Pages(`column ${name}`, rowCount, PAGE_SHIFT, (page) => this.#read(page));
  }

  /** The number in a row; 0 where its page was not in memory and is noted. */
  at(row: number): number {
    return this.pages.touch(row) ? this.values[row]! : 0;
  }

  /** Reads every block that has rows in the page; rows of other pages that come with them are filled in as well, but their pages wait for all of theirs. */
  async #read(page: number): Promise<void> {
    const first = page * 2 ** PAGE_SHIFT;
    const end = Math.min(first + 2 ** PAGE_SHIFT, this.values.length);
    await Promise.all(
      this.#files.map(async ({ reader, firstRow }) => {
        if (firstRow >= end || firstRow + reader.file.rows <= first) return;
        const starts = [firstRow];
        for (const { rows } of (await reader.readLayout()).blocks) starts.push(starts.at(-1)! + rows);
        const reads: Promise<void>[] = [];
        for (let at = Math.max(lastAtMost(starts, first), 0); at + 1 < starts.length && starts[at]! < end; at++)
          reads.push(this.#readBlock(reader, at, starts[at]!));
        await Promise.all(reads);
      }),
    );
  }

  async #readBlock(reader: SstReader, at: number, firstRow: number): Promise<void> {
    const block = (await reader.readBlock(at, new Set([this.#name])))[0];
    this.values.set(block!.values as Uint32Array, firstRow); // as: it is a column of ordinals.
  }
}
