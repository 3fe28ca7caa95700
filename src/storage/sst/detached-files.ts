/** Encodes tables as files in memory that no bucket holds, so that rows that are in no file yet can be read like files. */
import type { SstFile, SstReader, SstTable, UploadedSst } from '../api.ts';
import { openSstReader } from './sst-reader.ts';
import { uploadTable } from './upload-table.ts';

/** Files in memory that no bucket holds. */
export class DetachedFiles {
  readonly uploaded: UploadedSst[] = [];
  readonly #objects = new Map<string, Uint8Array>();

  static async of(tables: readonly SstTable[]): Promise<DetachedFiles> {
    const files = new DetachedFiles();
    const access = { image: (length: number) => new Uint8Array(length), create: (bytes: Uint8Array) => files.#create(bytes) };
    for (const table of tables) files.uploaded.push(...(await uploadTable(table, access)));
    return files;
  }

  async #create(bytes: Uint8Array): Promise<string> {
    const key = `detached/${this.#objects.size}`;
    this.#objects.set(key, bytes);
    return key;
  }

  /** Opens one of these files; null for any other file. */
  open(file: SstFile): SstReader | null {
    if (!this.#objects.has(file.key)) return null;
    return openSstReader(
      {
        get: async (key) => this.#objects.get(key) ?? null,
        readInto: async (key, offset, target) => {
          const bytes = this.#objects.get(key)?.subarray(offset, offset + target.length);
          if (bytes === undefined) return null;
          target.set(bytes);
          return bytes.length;
        },
      },
      file,
    );
  }
}
