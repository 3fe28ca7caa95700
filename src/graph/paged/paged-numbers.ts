/** Reads a system column of ordinals (sources, targets or row ordinals) by page, over all rows of the files of a table. */
import { assert } from '../../base/index.ts';
import type { SstReader } from '../../storage/index.ts';
import type { PageCache } from './page-cache.ts';
import { PagedArray } from './paged-array.ts';

/** A page has as many rows as a read of a column around a row usually returns. */
const PAGE_SHIFT = 13;
const PAGE_ROWS = 2 ** PAGE_SHIFT;

/** An open file of a table, and the row of the table that is its first. */
export interface PagedFile {
  readonly reader: SstReader;
  readonly firstRow: number;
}

/** Opens a system column as a paged array. @param name of the column */
export function pagedNumbers(name: string, files: readonly PagedFile[], rowCount: number, cache: PageCache): PagedArray {
  const form = { name: `column ${name}`, length: rowCount, shift: PAGE_SHIFT };
  return new PagedArray(form, cache, (page, length) => readRows(name, files, page * PAGE_ROWS, length));
}

/** Reads the numbers of `length` rows from `first` on, from all parts of blocks that have some of these rows. */
async function readRows(name: string, files: readonly PagedFile[], first: number, length: number): Promise<Uint32Array> {
  const end = first + length;
  const values = new Uint32Array(length);
  const readPart = async (reader: SstReader, index: number, place: { readonly blockRow: number; readonly row: number }): Promise<void> => {
    const part = await reader.readAround(name, index, place.row);
    assert(part !== null, `a file has the column ${name}`);
    const start = place.blockRow + part.firstRow;
    const numbers = part.column.values as Uint32Array; // as: it is a column of ordinals.
    values.set(numbers.subarray(Math.max(first - start, 0), Math.max(end - start, 0)), Math.max(start - first, 0));
  };
  await Promise.all(
    files.map(async ({ reader, firstRow }) => {
      if (firstRow >= end || firstRow + reader.file.rows <= first) return;
      const reads: Promise<void>[] = [];
      let blockRow = firstRow;
      for (const [index, { rows }] of (await reader.readLayout()).blocks.entries()) {
        const [from, to] = [Math.max(first - blockRow, 0), Math.min(end - blockRow, rows)];
        // The parts of a block begin with multiples of the rows of a page.
        for (let row = from - (from % PAGE_ROWS); row < to; row += PAGE_ROWS) reads.push(readPart(reader, index, { blockRow, row }));
        blockRow += rows;
      }
      await Promise.all(reads);
    }),
  );
  return values;
}
