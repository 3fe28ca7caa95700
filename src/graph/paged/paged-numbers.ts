/** A system column of relationships (an end) over all rows of the files of a table, read by page. */
import type { SstReader } from '../../storage/index.ts';
import { lastAtMost } from './last-at-most.ts';
import type { PageCache } from './page-cache.ts';
import { PagedArray } from './paged-array.ts';

/** Blocks of large files have so many rows. */
const PAGE_SHIFT = 16;

/** A file of the table, and the row of the table that is its first. */
export interface PagedFile {
  readonly reader: SstReader;
  readonly firstRow: number;
}

/** `name`: of the column. */
export function pagedNumbers(name: string, files: readonly PagedFile[], rowCount: number, cache: PageCache): PagedArray {
  const form = { name: `column ${name}`, length: rowCount, shift: PAGE_SHIFT };
  return new PagedArray(form, cache, (page, length) => readRows(name, files, page * 2 ** PAGE_SHIFT, length));
}

/** The numbers of `length` rows from `first` on. Reads every block that has some of them. */
async function readRows(name: string, files: readonly PagedFile[], first: number, length: number): Promise<Uint32Array> {
  const end = first + length;
  const values = new Uint32Array(length);
  const readBlock = async (reader: SstReader, index: number, start: number): Promise<void> => {
    const block = (await reader.readBlock(index, new Set([name])))[0]!;
    const numbers = block.values as Uint32Array; // as: it is a column of ordinals.
    values.set(numbers.subarray(Math.max(first - start, 0), Math.max(end - start, 0)), Math.max(start - first, 0));
  };
  await Promise.all(
    files.map(async ({ reader, firstRow }) => {
      if (firstRow >= end || firstRow + reader.file.rows <= first) return;
      const starts = [firstRow];
      for (const { rows } of (await reader.readLayout()).blocks) starts.push(starts.at(-1)! + rows);
      const reads: Promise<void>[] = [];
      for (let at = Math.max(lastAtMost(starts, first), 0); at + 1 < starts.length && starts[at]! < end; at++)
        reads.push(readBlock(reader, at, starts[at]!));
      await Promise.all(reads);
    }),
  );
  return values;
}
