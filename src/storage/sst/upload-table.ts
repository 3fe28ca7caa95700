/**
 * Encodes a table and uploads it under fresh keys. A big table becomes several files, so that no more than a few
 * hundred megabytes are held twice. Cost: one put per file.
 */
import type { EncodedFile, SstTable, UploadedSst } from '../api.ts';
import { mapConcurrently } from '../concurrency.ts';
import type { FileAccess } from '../files/file-access.ts';
import { valueBufferLengths } from './encode-column.ts';
import { encodeSst, tableName } from './encode-sst.ts';
import type { RowRange } from './statistics.ts';

/** The target size of a file in bytes. A merge holds three times as much: gathered rows, a table of them, and its file. */
export const FILE_BYTES = 32 * 2 ** 20;
const CONCURRENT_UPLOADS = 2;

/** Encodes a table as the files that `uploadTable` would store, in the order of the rows. */
export function encodeFiles(table: SstTable): Promise<EncodedFile[]> {
  return mapConcurrently(fileRanges(table), 1, (range) => encodeSst(table, { range }));
}

/** Encodes and uploads a table; returns its files in the order of the rows. */
export function uploadTable(table: SstTable, access: Pick<FileAccess, 'create' | 'image'>): Promise<UploadedSst[]> {
  return mapConcurrently(fileRanges(table), CONCURRENT_UPLOADS, async (range) => {
    const { bytes, content } = await encodeSst(table, { range, image: (length) => access.image(length) });
    return { table: tableName(table), file: { key: await access.create(bytes), ...content } };
  });
}

/** Divides the rows of a table so that each file has at most about `FILE_BYTES`. */
function fileRanges(table: SstTable): RowRange[] {
  const whole = { from: 0, to: table.rows };
  if (table.rows === 0) return [];
  const count = Math.ceil(tableBytes(table) / FILE_BYTES);
  if (count <= 1) return [whole];
  const rows = Math.ceil(table.rows / count / 8) * 8;
  return Array.from({ length: Math.ceil(table.rows / rows) }, (_, index) => ({
    from: index * rows,
    to: Math.min((index + 1) * rows, table.rows),
  }));
}

/** Estimates the bytes that the rows of a table take in a file. */
export function tableBytes({ columns, rows }: SstTable): number {
  const whole = { from: 0, to: rows };
  return columns.reduce(
    (sum, column) => sum + (rows >> 3) + valueBufferLengths(column, whole).reduce((bytes, length) => bytes + length, 0),
    0,
  );
}
