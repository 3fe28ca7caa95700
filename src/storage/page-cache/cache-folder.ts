/**
 * The folder of a cache of ranges: a file for each, `pages/<store>/<2 digits>/<identity>-<length>`, all in hexadecimal
 * digits but the length. A store is known by the hash of its location, so nothing in the folder tells where the bytes
 * come from. Several processes share one folder: a file appears whole, by renaming, and is never changed; each of them
 * may remove any file at any time, and so may people.
 */
import { createHash } from 'node:crypto';
import { mkdir, readdir, readFile, rename, rm, stat, unlink, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { randomUuid, systemTimeMs } from '../../base/index.ts';
import { HEADER_BYTES } from './cached-range.ts';

/** The size of a block: a file takes a multiple of it on a disk. */
const DISK_BLOCK_BYTES = 4096;
const TEMPORARY_PREFIX = 'new-';
/** A file that is not renamed by then belongs to a process that has ended. */
const TEMPORARY_MS = 10 * 60_000;
const RANGE_NAME = /^[0-9a-f]{32}-(\d{1,10})$/;

/** The name of what a store has in the folder. */
export function storeName(location: string): string {
  return createHash('sha256').update(location).digest('hex').slice(0, 32);
}

/** The name of a range below the folder. */
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

  /** `directory` exists; the folder is made in it with the first range. */
  constructor(directory: string) {
    this.#path = join(directory, 'pages');
  }

  /** Null: there is no such file. */
  async read(name: string): Promise<Buffer | null> {
    try {
      return await readFile(join(this.#path, name));
    } catch {
      return null;
    }
  }

  /** Fails where the disk does. */
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

  /** The names of all ranges and what each takes on the disk. Removes what processes that were killed have left half-written. */
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

/** Nothing where there is no such folder. */
async function namesIn(folder: string): Promise<string[]> {
  return readdir(folder).catch(() => []);
}

async function removeOld(path: string): Promise<void> {
  const { mtimeMs = Number.POSITIVE_INFINITY } = await stat(path).catch(() => ({}) as { mtimeMs?: number });
  if (systemTimeMs() - mtimeMs > TEMPORARY_MS) await rm(path, { force: true }).catch(() => undefined);
}
