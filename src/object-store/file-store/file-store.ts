/**
 * `file://`: objects as files below `<directory>/<ns>/`, for any number of processes at once, without a lock (decision 0001).
 *
 * B1: an object is written to `.tmp/`, its content is synced, and link(2) gives it its final name: the kernel makes that name once, for one of all the
 * processes that try. Then the folder is synced, and only then is the put answered. A process killed at any moment leaves at most a file in `.tmp/`,
 * which nobody waits for and which the next writer removes once it is old.
 *
 * Cost of `putIfAbsent`: two flushes of the disk (content, name).
 */

import { randomBytes } from 'node:crypto';
import { type FileHandle, link, readdir, rename, stat, unlink } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { throwIfAborted } from '../faults.ts';
import { assertKey, assertRange, type ListOptions, type ObjectInfo, type ObjectStore, type RequestOptions } from '../object-store.ts';
import { type FileUri, formatStorageUri } from '../storage-uri.ts';
import { ensureFolder, isMissing, openToRead, readFully, syncFolder, writeNewFile } from './durable-files.ts';
import { errorCode, refusedLink, translateIoError } from './io-errors.ts';
import { listFolder } from './list-folder.ts';

const TEMPORARY_FOLDER = '.tmp';
/** No put takes so long; what is older was left by a process that died. */
const TEMPORARY_FILE_MAX_AGE_MS = 3_600_000;

/** Touches nothing: folders are made by the first put, so that a store can be read where it cannot be written. */
export function openFileStore(uri: FileUri): ObjectStore {
  return new FileStore(uri);
}

class FileStore implements ObjectStore {
  readonly location: string;
  readonly #directory: string;
  readonly #root: string;
  readonly #temporary: string;
  readonly #temporaryPrefix = `${process.pid}-${randomBytes(6).toString('hex')}`;
  /** Folders that this store has made sure of, each by one attempt that all puts share. */
  readonly #folders = new Map<string, Promise<void>>();
  #temporaryCount = 0;

  constructor(uri: FileUri) {
    this.location = formatStorageUri(uri);
    this.#directory = uri.directory;
    this.#root = join(uri.directory, uri.namespace);
    this.#temporary = join(this.#root, TEMPORARY_FOLDER);
  }

  get(key: string, options?: RequestOptions): Promise<Uint8Array | null> {
    return this.#read(key, options, async (handle) => {
      const { size } = await handle.stat();
      const bytes = new Uint8Array(size);
      return bytes.subarray(0, await readFully(handle, 0, bytes));
    });
  }

  getRange(key: string, offset: number, length: number, options?: RequestOptions): Promise<Uint8Array | null> {
    assertRange(offset, length);
    return this.#read(key, options, async (handle) => {
      const { size } = await handle.stat();
      const bytes = new Uint8Array(Math.max(0, Math.min(length, size - offset)));
      return bytes.subarray(0, await readFully(handle, offset, bytes));
    });
  }

  readInto(key: string, offset: number, target: Uint8Array, options?: RequestOptions): Promise<number | null> {
    assertRange(offset, target.length);
    return this.#read(key, options, (handle) => readFully(handle, offset, target));
  }

  async size(key: string, options?: RequestOptions): Promise<number | null> {
    const path = this.#path(key, options);
    try {
      const stats = await stat(path);
      return stats.isFile() ? stats.size : null;
    } catch (error) {
      if (isMissing(error)) return null;
      throw translateIoError(error, `read ${path}`);
    }
  }

  async putIfAbsent(key: string, bytes: Uint8Array, options?: RequestOptions): Promise<boolean> {
    const path = this.#path(key, options);
    return this.#withTemporaryFile(path, bytes, options, async (temporary) => {
      const created = await linkIfAbsent(temporary, path);
      // Also for the loser: what it is told exists must not vanish in a crash.
      await syncFolder(dirname(path));
      return created;
    });
  }

  async put(key: string, bytes: Uint8Array, options?: RequestOptions): Promise<void> {
    const path = this.#path(key, options);
    await this.#withTemporaryFile(path, bytes, options, async (temporary) => {
      await rename(temporary, path);
      await syncFolder(dirname(path));
    });
  }

  async list(prefix: string, options: ListOptions = {}): Promise<ObjectInfo[]> {
    const { startAfter = '', limit = Number.POSITIVE_INFINITY, signal } = options;
    throwIfAborted(signal);
    try {
      return await listFolder(this.#root, { prefix, startAfter, limit }, () => throwIfAborted(signal));
    } catch (error) {
      throw translateIoError(error, `list ${this.#root}`);
    }
  }

  async delete(key: string, options?: RequestOptions): Promise<void> {
    const path = this.#path(key, options);
    try {
      await unlink(path);
    } catch (error) {
      if (!isMissing(error)) throw translateIoError(error, `delete ${path}`);
    }
  }

  async close(): Promise<void> {}

  #path(key: string, options: RequestOptions | undefined): string {
    throwIfAborted(options?.signal);
    assertKey(key);
    return join(this.#root, key);
  }

  async #read<T>(key: string, options: RequestOptions | undefined, read: (handle: FileHandle) => Promise<T>): Promise<T | null> {
    const path = this.#path(key, options);
    let handle: FileHandle | null = null;
    try {
      handle = await openToRead(path);
      if (handle === null) return null;
      const result = await read(handle);
      throwIfAborted(options?.signal);
      return result;
    } catch (error) {
      if (errorCode(error) === 'EISDIR') return null;
      throw translateIoError(error, `read ${path}`);
    } finally {
      await handle?.close();
    }
  }

  /** Writes `bytes` durably under a temporary name, and lets `publish` give them the final one. Tries again once when the folders are gone. */
  async #withTemporaryFile<T>(
    path: string,
    bytes: Uint8Array,
    options: RequestOptions | undefined,
    publish: (temporary: string) => Promise<T>,
  ): Promise<T> {
    for (let attempt = 0; ; attempt++) {
      try {
        return await this.#publishOnce(path, bytes, options, publish);
      } catch (error) {
        if (errorCode(error) !== 'ENOENT' || attempt > 0) throw translateIoError(error, `write ${path}`);
        // The namespace was removed under our feet.
        this.#folders.clear();
      }
    }
  }

  async #publishOnce<T>(
    path: string,
    bytes: Uint8Array,
    options: RequestOptions | undefined,
    publish: (temporary: string) => Promise<T>,
  ): Promise<T> {
    await this.#ensureFolder(dirname(path));
    const temporary = join(this.#temporary, `${this.#temporaryPrefix}-${this.#temporaryCount++}`);
    try {
      await writeNewFile(temporary, bytes);
      throwIfAborted(options?.signal);
      return await publish(temporary);
    } finally {
      // Missing after a rename; whatever else remains is removed when it is old.
      await unlink(temporary).catch(() => {});
    }
  }

  async #ensureFolder(folder: string): Promise<void> {
    await this.#once(this.#temporary, () => removeOldFiles(this.#temporary));
    await this.#once(folder, async () => {});
  }

  async #once(folder: string, andThen: () => Promise<void>): Promise<void> {
    let made = this.#folders.get(folder);
    if (made === undefined) {
      made = ensureFolder(folder, this.#directory).then(andThen);
      this.#folders.set(folder, made);
      made.catch(() => this.#folders.delete(folder));
    }
    await made;
  }
}

/** False: the name is taken, and not by this file (a network file system may repeat a request that had already succeeded). */
async function linkIfAbsent(temporary: string, path: string): Promise<boolean> {
  try {
    await link(temporary, path);
    return true;
  } catch (error) {
    if (errorCode(error) !== 'EEXIST') throw refusedLink(error, path) ?? error;
    return (await stat(temporary)).nlink > 1;
  }
}

async function removeOldFiles(folder: string): Promise<void> {
  for (const name of await readdir(folder)) {
    const path = join(folder, name);
    try {
      if (Date.now() - (await stat(path)).mtimeMs > TEMPORARY_FILE_MAX_AGE_MS) await unlink(path);
    } catch (error) {
      if (!isMissing(error)) throw error;
    }
  }
}
