/**
 * Empty files made ahead of the puts that will fill them: giving a file its inode is the dearest part of making one (0.04 ms, and up to 0.4 after many
 * files were deleted, which ext4 takes care not to reuse at once), and so is not waited for by any put. They lie in a folder of their own until they are taken.
 *
 * What a killed process leaves behind is removed by a later one once it is old.
 */
import { closeSync, fstatSync, open, renameSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { ensureFolder, removeOldFiles } from './durable-files.ts';
import { SPARE_FOLDER } from './internal-names.ts';
import { removeIfThere } from './pending.ts';

const openAsync = promisify(open);

/** Enough for the puts that come while new ones are made. */
const SPARES = 32;
const REFILL_BELOW = 24;

interface Spare {
  readonly path: string;
  readonly fd: number;
}

export interface SpareFilesOptions {
  readonly root: string;
  /** The folder above the namespace, which is there. */
  readonly directory: string;
  readonly storeId: string;
}

export class SpareFiles {
  readonly #options: SpareFilesOptions;
  readonly #folder: string;
  #spares: Spare[] = [];
  #refilling: Promise<void> | null = null;
  #isPrepared = false;
  #closed = false;
  #count = 0;

  constructor(options: SpareFilesOptions) {
    this.#options = options;
    this.#folder = join(options.root, SPARE_FOLDER);
  }

  /** An empty file under that name, open for writing; null: there is none ready. ENOENT: the folder has gone, and all spares with it. */
  take(path: string): { readonly fd: number; readonly inode: number } | null {
    const spare = this.#spares.pop();
    if (this.#spares.length < REFILL_BELOW) this.#refill();
    if (spare === undefined) return null;
    try {
      renameSync(spare.path, path);
      return { fd: spare.fd, inode: fstatSync(spare.fd).ino };
    } catch (error) {
      closeSync(spare.fd);
      this.#drop();
      this.#isPrepared = false;
      throw error;
    }
  }

  async close(): Promise<void> {
    this.#closed = true;
    await this.#refilling;
    this.#drop();
  }

  #refill(): void {
    if (this.#closed) return;
    this.#refilling ??= this.#makeSpares()
      .catch(() => {}) // Puts make their files themselves, and a later one tries again.
      .finally(() => {
        this.#refilling = null;
      });
  }

  async #makeSpares(): Promise<void> {
    if (!this.#isPrepared) {
      await ensureFolder(this.#folder, this.#options.directory);
      await removeOldFiles(this.#folder);
      this.#isPrepared = true;
    }
    while (this.#spares.length < SPARES && !this.#closed) {
      const path = join(this.#folder, `${this.#options.storeId}-${this.#count++}`);
      this.#spares.push({ path, fd: await openAsync(path, 'wx', 0o644) });
    }
  }

  #drop(): void {
    for (const { fd, path } of this.#spares.splice(0)) {
      closeSync(fd);
      removeIfThere(path);
    }
  }
}
