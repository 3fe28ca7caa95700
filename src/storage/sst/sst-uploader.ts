/**
 * Encodes tables and puts them under fresh names. A big table becomes several files, so that no more than a few hundred megabytes are held twice.
 * Cost: one put per file.
 */
import type { SstFile, SstTable, TableName, UploadedSst } from '../api.ts';
import { mapConcurrently } from '../concurrency.ts';
import { dataKey } from '../keys.ts';
import type { NamespaceContext } from '../namespace-context.ts';
import { putUnique } from '../settled-put.ts';
import { valueBufferLengths } from './encode-column.ts';
import { encodeSst, tableName } from './encode-sst.ts';
import type { RowRange } from './statistics.ts';

export const FILE_BYTES = 64 * 2 ** 20;
const CONCURRENT_UPLOADS = 2;

export class SstUploader {
  readonly #context: NamespaceContext;
  #uploads = 0;
  readonly #pending = new Set<string>();

  constructor(context: NamespaceContext) {
    this.#context = context;
  }

  /** Keys that have been given out and may still become part of a manifest: no garbage. */
  get pending(): ReadonlySet<string> {
    return this.#pending;
  }

  /** These files are in a manifest, or never will be. */
  release(uploaded: readonly UploadedSst[]): void {
    for (const { file } of uploaded) this.#pending.delete(file.key);
  }

  /** In the order of the tables and of their rows. */
  upload(tables: readonly SstTable[]): Promise<UploadedSst[]> {
    const files = tables.flatMap((table) => fileRanges(table).map((range) => ({ table, range })));
    return mapConcurrently(files, CONCURRENT_UPLOADS, ({ table, range }) => this.#uploadFile(table, range));
  }

  /** The bytes of a file of another namespace under a name of its own. */
  async uploadCopy(table: TableName, file: SstFile, bytes: Uint8Array): Promise<UploadedSst> {
    const key = this.#nextKey();
    await this.#put(key, bytes);
    return { table, file: { ...file, key } };
  }

  async #uploadFile(table: SstTable, range: RowRange): Promise<UploadedSst> {
    const key = this.#nextKey();
    const { bytes, file } = await encodeSst(table, { key, range });
    await this.#put(key, bytes);
    return { table: tableName(table), file };
  }

  #nextKey(): string {
    return dataKey(`${this.#context.writerId}-${++this.#uploads}`);
  }

  async #put(key: string, bytes: Uint8Array): Promise<void> {
    const { store, clock, closing } = this.#context;
    this.#pending.add(key);
    try {
      await putUnique(store, key, bytes, { clock, signal: closing.signal });
    } catch (error) {
      this.#pending.delete(key);
      throw error;
    }
  }
}

/** Splits a table's rows so that each file has about `FILE_BYTES`. */
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

/** About what the rows take in a file. */
export function tableBytes({ columns, rows }: SstTable): number {
  const whole = { from: 0, to: rows };
  return columns.reduce(
    (sum, column) => sum + (rows >> 3) + valueBufferLengths(column, whole).reduce((bytes, length) => bytes + length, 0),
    0,
  );
}
