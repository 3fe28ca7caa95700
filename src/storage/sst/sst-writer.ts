/**
 * Writes a table that need not fit in memory. Batches gather until they make a file; files are encoded and uploaded one
 * at a time while the next batches come, so at most about the memory of three files is used.
 */
import { assert } from '../../base/index.ts';
import type { SstColumnKind, SstTable, SstWriter, TableName, UploadedSst } from '../api.ts';
import type { FileAccess } from '../files/file-access.ts';
import { canFollow, concatTables, withDenseOrdinals } from './concat-tables.ts';
import { FILE_BYTES, tableBytes } from './upload-table.ts';

/** Writes a table in batches. */
export class BatchingSstWriter implements SstWriter {
  readonly #access: Pick<FileAccess, 'release'>;
  readonly #table: TableName;
  readonly #uploadTable: (table: SstTable) => Promise<UploadedSst[]>;
  #batches: SstTable[] = [];
  readonly #kinds = new Map<string, SstColumnKind>();
  #bytes = 0;
  #upload: Promise<UploadedSst[]> = Promise.resolve([]);
  readonly #uploaded: UploadedSst[] = [];
  #finished = false;

  constructor(access: Pick<FileAccess, 'release'>, table: TableName, upload: (table: SstTable) => Promise<UploadedSst[]>) {
    this.#access = access;
    this.#table = table;
    this.#uploadTable = upload;
  }

  async add(batch: SstTable): Promise<void> {
    assert(!this.#finished, 'the writer has ended');
    if (batch.rows === 0) return;
    if (!this.#fits(batch)) await this.#flush();
    for (const { name, kind } of batch.columns) this.#kinds.set(name, kind);
    this.#batches.push({ ...batch, ...this.#table });
    this.#bytes += tableBytes(batch);
    if (this.#bytes >= FILE_BYTES) await this.#flush();
  }

  async finish(): Promise<readonly UploadedSst[]> {
    assert(!this.#finished, 'the writer has ended');
    this.#finished = true;
    await this.#flush();
    await this.#settle();
    return this.#uploaded;
  }

  async abandon(): Promise<void> {
    this.#finished = true;
    this.#batches = [];
    await this.#settle().catch(() => {}); // It is given up either way.
    this.#access.release(this.#uploaded.map(({ file }) => file.key));
  }

  #fits(batch: SstTable): boolean {
    const previous = this.#batches.at(-1);
    const sameKinds = batch.columns.every(({ name, kind }) => (this.#kinds.get(name) ?? kind) === kind);
    return previous === undefined || (sameKinds && canFollow(previous, batch));
  }

  /** Waits for the previous upload, then starts that of the gathered batches. */
  async #flush(): Promise<void> {
    await this.#settle();
    if (this.#batches.length === 0) return;
    const table = withDenseOrdinals(await concatTables(this.#batches));
    this.#batches = [];
    this.#kinds.clear();
    this.#bytes = 0;
    this.#upload = this.#uploadTable(table);
    this.#upload.catch(() => {}); // Thrown where it is awaited.
  }

  async #settle(): Promise<void> {
    this.#uploaded.push(...(await this.#upload));
    this.#upload = Promise.resolve([]);
  }
}
