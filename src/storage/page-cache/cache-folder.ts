/**
 * The folder of a cache of ranges: a file for each range, `pages/<store>/<2 digits>/<identity>-<length>`, all in
 * hexadecimal digits but the length. The store's part is a hash of its location, so nothing in the folder tells where
 * the bytes come from. Several processes share one folder: a file appears whole, by renaming, and is never changed; any
 * of them may remove any file at any time, and so may people.
 */
import { createHash } from 'node:crypto';
import { mkdir, readdir, readFile, rename, rm, stat, unlink, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { randomUuid, systemTimeMs } from '../../base/index.ts';
import { HEADER_BYTES } from './cached-range.ts';

/** The size of a disk block in bytes; a file takes a multiple of it. */
const DISK_BLOCK_BYTES = 4096;
const TEMPORARY_PREFIX = 'new-';
/** The age from which a file that was not renamed counts as left behind by a process that has ended. */
const TEMPORARY_MS = 10 * 60_000;
const RANGE_NAME = /^[0-9a-f]{32}-(\d{1,10})$/;

/** Returns the name of a store's folder within `pages`. */
export function storeName(location: string): string {
  return createHash('sha256').update(location).digest('hex').slice(0, 32);
}

/** Returns the name of a range, relative to the folder. */
export function rangeName(location: string, identity: Buffer, length: number): string {
  const digits = identity.toString('hex', 0, 16);
  return `${storeName(location)}/${digits.slice(0, 2)}/${digits}-${length}`;
}

/** Returns the bytes that a range of this length takes on the disk. */
export function bytesOnDisk(length: number): number {
  return Math.ceil((HEADER_BYTES + length) / DISK_BLOCK_BYTES) * DISK_BLOCK_BYTES;
}

/** The folder of a cache. */
export class CacheFolder {
  readonly #path: string;

  /** `directory` must exist; the folder is created in it with the first range. */
  constructor(directory: string) {
    this.#path = join(directory, 'pages');
  }

  /** Reads a file; null when it does not exist or cannot be read. */
  async read(name: string): Promise<Buffer | null> {
    try {
      return await readFile(join(this.#path, name));
    } catch {
      return null;
    }
  }

  /** Writes a file. Fails when the disk does. */
  async write(name: string, image: Uint8Array): Promise<void> {
    const path = join(this.#path, name);
    const temporary = join(dirname(path), `${TEMPORARY_PREFIX}${randomUuid()}`);
    const write = (): Promise<void> => writeFile(temporary, image, { mode: 0o600, flag: 'wx' });
    try {
      await write().catch(async () => {
        await mkdir(dirname(path), { recursive: true, mode: 0o700 });
        await write();
      });
      await rename(temporary, path);
    } catch (error) {
      await rm(temporary, { force: true }).catch(() => undefined);
      throw error;
    }
  }

  async remove(name: string): Promise<void> {
    await unlink(join(this.#path, name)).catch(() => undefined);
  }

  /** Lists all ranges with the bytes that each takes on the disk. Removes files that killed processes left half-written. */
  async *list(): AsyncGenerator<readonly [name: string, bytes: number], void> {
    for (const store of await namesIn(this.#path)) {
      for (const digits of await namesIn(join(this.#path, store))) {
        const folder = join(this.#path, store, digits);
        for (const name of await namesIn(folder)) {
          const length = RANGE_NAME.exec(name)?.[1];
          if (length !== undefined) yield [`${store}/${digits}/${name}`, bytesOnDisk(Number(length))];
          else if (name.startsWith(TEMPORARY_PREFIX)) await removeOld(join(folder, name));
        }
      }
    }
  }
}

/** Returns the names in a folder; an empty list when it does not exist. */
async function namesIn(folder: string): Promise<string[]> {
  return readdir(folder).catch(() => []);
}

async function removeOld(path: string): Promise<void> {
  const { mtimeMs = Number.POSITIVE_INFINITY } = await stat(path).catch(() => ({}) as { mtimeMs?: number });
  if (systemTimeMs() - mtimeMs > TEMPORARY_MS) await rm(path, { force: true }).catch(() => undefined);
}
