/**
 * `file://`: objects as files below `<directory>/<ns>/`, for any number of processes at once, without a lock (decisions 0001 and 0002).
 *
 * B1: an object is written under a temporary name, and link(2) gives it its final one: the kernel makes that name once, for one of all the processes
 * that try. A process killed at any moment leaves at most a file in `.tmp/`, which nobody waits for and which a later writer removes once it is old.
 *
 * Durable before it is answered, in one of two ways:
 * - by itself: the content is synced before the link, the folder after it; two flushes of the disk;
 * - by the journal of this process, for small objects where the file system allows it: one flush (journaled-puts.ts).
 */

import { randomBytes } from 'node:crypto';
import { type FileHandle, link, rename, stat, unlink } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { throwIfAborted } from '../faults.ts';
import { assertKey, assertRange, type ListOptions, type ObjectInfo, type ObjectStore, type RequestOptions } from '../object-store.ts';
import { type FileUri, formatStorageUri } from '../storage-uri.ts';
import {
  ensureFolder,
  ignoreMissing,
  isMissing,
  openToRead,
  readFully,
  removeOldFiles,
  syncFolder,
  writeNewFile,
} from './durable-files.ts';
import { TEMPORARY_FOLDER } from './internal-names.ts';
import { errorCode, refusedLink, translateIoError } from './io-errors.ts';
import { JournaledPuts } from './journaled-puts.ts';
import { listFolder } from './list-folder.ts';
import { makeDurable } from './pending.ts';
import { ordersNames, readBootId } from './platform.ts';
import { recoverAfterRestart } from './recovery.ts';

/** For tests: what is otherwise found out or fixed. */
export interface FileStoreTuning {
  /** Of this start of the system; null: not known. */
  readonly bootId?: string | null;
  /** Whether the file system allows a journal. */
  readonly ordersNames?: boolean;
  /** Puts without a journal at the beginning: a short command needs none. */
  readonly journalAfterPuts?: number;
  readonly journalBytes?: number;
}

const JOURNAL_AFTER_PUTS = 16;
/** About 1,500 small commits; also what `close` has to sync, some 200 ms at worst. */
const JOURNAL_BYTES = 512 * 1024;

/** Changes nothing, unless the system went down while the namespace was written to: then what was answered for is put back at the first operation. */
export function openFileStore(uri: FileUri, tuning: FileStoreTuning = {}): ObjectStore {
  return new FileStore(uri, tuning);
}

class FileStore implements ObjectStore {
  readonly location: string;
  readonly #directory: string;
  readonly #root: string;
  readonly #temporary: string;
  readonly #storeId = randomBytes(6).toString('hex');
  readonly #tuning: FileStoreTuning;
  readonly #bootId: string | null;
  /** Folders that this store has made sure of, each by one attempt that all puts share. */
  readonly #folders = new Map<string, Promise<void>>();
  #recovered: Promise<void> | null = null;
  /** Null until the first put, and where the file system allows none. */
  #journaled: JournaledPuts | null = null;
  #temporaryCount = 0;

  constructor(uri: FileUri, tuning: FileStoreTuning) {
    this.location = formatStorageUri(uri);
    this.#directory = uri.directory;
    this.#root = join(uri.directory, uri.namespace);
    this.#temporary = join(this.#root, TEMPORARY_FOLDER);
    this.#tuning = tuning;
    this.#bootId = tuning.bootId === undefined ? readBootId() : tuning.bootId;
  }

  get(key: string, options?: RequestOptions): Promise<Uint8Array | null> {
    return this.#read(key, options, async (handle, size) => {
      const bytes = new Uint8Array(size);
      return bytes.subarray(0, await readFully(handle, 0, bytes));
    });
  }

  getRange(key: string, offset: number, length: number, options?: RequestOptions): Promise<Uint8Array | null> {
    assertRange(offset, length);
    return this.#read(key, options, async (handle, size) => {
      const bytes = new Uint8Array(Math.max(0, Math.min(length, size - offset)));
      return bytes.subarray(0, await readFully(handle, offset, bytes));
    });
  }

  readInto(key: string, offset: number, target: Uint8Array, options?: RequestOptions): Promise<number | null> {
    assertRange(offset, target.length);
    return this.#read(key, options, (handle) => readFully(handle, offset, target));
  }

  async size(key: string, options?: RequestOptions): Promise<number | null> {
    const path = await this.#prepare(key, options);
    try {
      const stats = await stat(path);
      return stats.isFile() ? stats.size : null;
    } catch (error) {
      if (isMissing(error)) return null;
      throw translateIoError(error, `read ${path}`);
    }
  }

  async putIfAbsent(key: string, bytes: Uint8Array, options?: RequestOptions): Promise<boolean> {
    const path = await this.#prepare(key, options);
    const created = await this.#withFolders(path, async () => {
      if (this.#journaled?.accepts(key, bytes)) return this.#journaled.putIfAbsent(key, bytes);
      return this.#withTemporaryFile(bytes, options, (temporary) => linkIfAbsent(temporary, path));
    });
    if (!created) await this.#settle(key, path);
    return created;
  }

  async put(key: string, bytes: Uint8Array, options?: RequestOptions): Promise<void> {
    const path = await this.#prepare(key, options);
    await this.#withFolders(path, () =>
      this.#withTemporaryFile(bytes, options, async (temporary) => {
        await this.#journaled?.forget(key, true);
        await rename(temporary, path);
        await syncFolder(dirname(path));
      }),
    );
  }

  async list(prefix: string, options: ListOptions = {}): Promise<ObjectInfo[]> {
    const { startAfter = '', limit = Number.POSITIVE_INFINITY, signal } = options;
    throwIfAborted(signal);
    await this.#recover();
    try {
      return await listFolder(this.#root, { prefix, startAfter, limit }, () => throwIfAborted(signal));
    } catch (error) {
      throw translateIoError(error, `list ${this.#root}`);
    }
  }

  async delete(key: string, options?: RequestOptions): Promise<void> {
    const path = await this.#prepare(key, options);
    try {
      await this.#journaled?.forget(key, false);
      await ignoreMissing(unlink(path));
    } catch (error) {
      throw translateIoError(error, `delete ${path}`);
    }
  }

  async close(): Promise<void> {
    await this.#journaled?.close();
  }

  async #prepare(key: string, options: RequestOptions | undefined): Promise<string> {
    throwIfAborted(options?.signal);
    assertKey(key);
    if (this.#recovered === null) await this.#recover();
    return join(this.#root, key);
  }

  async #recover(): Promise<void> {
    this.#recovered ??= recoverAfterRestart({ root: this.#root, bootId: this.#bootId ?? '', storeId: this.#storeId });
    try {
      await this.#recovered;
    } catch (error) {
      this.#recovered = null;
      throw translateIoError(error, `put back what a crash of the system took from ${this.#root}`);
    }
  }

  async #read<T>(
    key: string,
    options: RequestOptions | undefined,
    read: (handle: FileHandle, size: number) => Promise<T>,
  ): Promise<T | null> {
    const path = await this.#prepare(key, options);
    let handle: FileHandle | null = null;
    try {
      handle = await openToRead(path);
      if (handle === null) return null;
      const { size, nlink } = await handle.stat();
      if (nlink > 1) await makeDurable(this.#root, key);
      const result = await read(handle, size);
      throwIfAborted(options?.signal);
      return result;
    } catch (error) {
      if (errorCode(error) === 'EISDIR') return null;
      throw translateIoError(error, `read ${path}`);
    } finally {
      await handle?.close();
    }
  }

  /** For the loser of a put: what it is told exists must not vanish in a crash. */
  async #settle(key: string, path: string): Promise<void> {
    try {
      await makeDurable(this.#root, key);
      await syncFolder(dirname(path));
    } catch (error) {
      throw translateIoError(error, `read ${path}`);
    }
  }

  /** Runs `work` when the folders it needs are there; once more when they have gone, since somebody removed the namespace under our feet. */
  async #withFolders<T>(path: string, work: () => Promise<T>): Promise<T> {
    for (let attempt = 0; ; attempt++) {
      try {
        await this.#ensureFolders(dirname(path));
        return await work();
      } catch (error) {
        if (errorCode(error) !== 'ENOENT' || attempt > 0) throw translateIoError(error, `write ${path}`);
        this.#folders.clear();
      }
    }
  }

  /** Writes `bytes` durably under a temporary name, and lets `publish` give them the final one. */
  async #withTemporaryFile<T>(
    bytes: Uint8Array,
    options: RequestOptions | undefined,
    publish: (temporary: string) => Promise<T>,
  ): Promise<T> {
    const temporary = join(this.#temporary, `${this.#storeId}-${this.#temporaryCount++}`);
    try {
      await writeNewFile(temporary, bytes);
      throwIfAborted(options?.signal);
      return await publish(temporary);
    } finally {
      // Missing after a rename; whatever else remains is removed when it is old.
      await unlink(temporary).catch(() => {});
    }
  }

  async #ensureFolders(folder: string): Promise<void> {
    if (!this.#folders.has(this.#temporary) || !this.#folders.has(folder)) {
      await this.#once(this.#temporary, () => this.#prepareToWrite());
      await this.#once(folder, async () => {});
    }
    await this.#folders.get(folder);
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

  async #prepareToWrite(): Promise<void> {
    await removeOldFiles(this.#temporary);
    const ordered = this.#tuning.ordersNames ?? (await ordersNames(this.#root));
    if (this.#bootId === null || !ordered) return;
    this.#journaled ??= new JournaledPuts({
      root: this.#root,
      directory: this.#directory,
      bootId: this.#bootId,
      storeId: this.#storeId,
      startAfterPuts: this.#tuning.journalAfterPuts ?? JOURNAL_AFTER_PUTS,
      capacityBytes: this.#tuning.journalBytes ?? JOURNAL_BYTES,
    });
  }
}

/** False: the name is taken, and not by this file (a network file system may repeat a request that had already succeeded). Durable, if true. */
async function linkIfAbsent(temporary: string, path: string): Promise<boolean> {
  try {
    await link(temporary, path);
  } catch (error) {
    if (errorCode(error) !== 'EEXIST') throw refusedLink(error, path) ?? error;
    if ((await stat(temporary)).nlink === 1) return false;
  }
  await syncFolder(dirname(path));
  return true;
}
