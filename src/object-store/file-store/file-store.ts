/**
 * `file://`: objects as files below `<directory>/<ns>/`, for any number of processes at once, without a lock (decisions
 * 0001 and 0006).
 *
 * B1: link(2) gives an object its name: the kernel creates a name once, for one of all processes that try. A process
 * killed at any moment leaves at most a file in `.tmp/`, which a later writer removes once it is old.
 *
 * A put is durable before it returns, in one of two ways:
 * - By itself: the content is synced before the link, the folder after it; two flushes of the disk.
 * - Where the name was foreseen and is held already: by the journal of this store; one flush (held-puts.ts).
 */

import { lstatSync } from 'node:fs';
import { link, rename, stat, unlink } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { randomHex } from '../../base/index.ts';
import { throwIfAborted } from '../faults.ts';
import { assertKey, assertRange, type ListOptions, type ObjectInfo, type ObjectStore, type RequestOptions } from '../object-store.ts';
import { type FileUri, formatStorageUri } from '../storage-uri.ts';
import {
  ensureFolder,
  ignoreMissing,
  openToRead,
  readFully,
  removeIfThere,
  removeOldFiles,
  syncFolder,
  writeNewFile,
} from './durable-files.ts';
import { HeldPuts } from './held-puts.ts';
import { isHeldBy, nameStateOf, OwnerPaths, TEMPORARY_FOLDER } from './internal-names.ts';
import { errorCode, refusedLink, translateIoError } from './io-errors.ts';
import { JournalOwners } from './journal-owners.ts';
import { listFolder } from './list-folder.ts';
import { allowsJournals, readBootId } from './platform.ts';
import { recoverAfterRestart, retireOwner } from './retirement.ts';

/** Overrides for tests of what a store otherwise finds out or takes from constants. */
export interface FileStoreTuning {
  /** The id of this start of the system; null when it is unknown. */
  readonly bootId?: string | null;
  /** Whether the file system allows a journal. */
  readonly allowsJournals?: boolean;
  /** How many consecutive names are put before a journal is used: a short command needs none. */
  readonly journalAfterPuts?: number;
  readonly journalBytes?: number;
}

/** How often a read looks again at a name that changed between two system calls. */
const LOOKS = 16;
const JOURNAL_AFTER_PUTS = 16;
/** The size of a journal in bytes: about 1,500 small commits. `close` syncs their objects, in some 200 ms at worst. */
const JOURNAL_BYTES = 512 * 1024;

/**
 * Opens a store without touching files. When the system went down during writes to the namespace, the first operation
 * restores the objects whose puts had returned.
 */
export function openFileStore(uri: FileUri, tuning: FileStoreTuning = {}): ObjectStore {
  return new FileStore(uri, tuning);
}

class FileStore implements ObjectStore {
  readonly location: string;
  readonly #directory: string;
  readonly #root: string;
  readonly #temporary: string;
  readonly #storeId = randomHex(6);
  readonly #tuning: FileStoreTuning;
  readonly #bootId: string | null;
  /** Folders that this store has ensured, each by one attempt that all puts share. */
  readonly #folders = new Map<string, Promise<void>>();
  #recovered: Promise<void> | null = null;
  readonly #owners: JournalOwners;
  /** Null until the first put, and where the file system allows no journals. */
  #held: HeldPuts | null = null;
  #temporaryCount = 0;

  constructor(uri: FileUri, tuning: FileStoreTuning) {
    this.location = formatStorageUri(uri);
    this.#directory = uri.directory;
    this.#root = join(uri.directory, uri.namespace);
    this.#temporary = join(this.#root, TEMPORARY_FOLDER);
    this.#owners = new JournalOwners(this.#root);
    this.#tuning = tuning;
    this.#bootId = tuning.bootId === undefined ? readBootId() : tuning.bootId;
  }

  get(key: string, options?: RequestOptions): Promise<Uint8Array | null> {
    return this.#read(key, options, async (content) => {
      const bytes = new Uint8Array(content.size);
      return bytes.subarray(0, await content.read(0, bytes));
    });
  }

  getRange(key: string, offset: number, length: number, options?: RequestOptions): Promise<Uint8Array | null> {
    assertRange(offset, length);
    return this.#read(key, options, async (content) => {
      const bytes = new Uint8Array(Math.max(0, Math.min(length, content.size - offset)));
      return bytes.subarray(0, await content.read(offset, bytes));
    });
  }

  readInto(key: string, offset: number, target: Uint8Array, options?: RequestOptions): Promise<number | null> {
    assertRange(offset, target.length);
    return this.#read(key, options, (content) => content.read(offset, target));
  }

  async size(key: string, options?: RequestOptions): Promise<number | null> {
    const path = await this.#prepare(key, options);
    return this.#isAbsent(key, path) ? null : this.#read(key, options, async (content) => content.size);
  }

  /**
   * Whether one system call shows that the object does not exist: its name is missing, or is held by this store, whose
   * open sign is still there. False means that the object may exist, or that a read will tell why nobody knows.
   */
  #isAbsent(key: string, path: string): boolean {
    if (this.#held?.holds(key) === true) return this.#held.isOpen;
    try {
      return lstatSync(path, { throwIfNoEntry: false }) === undefined;
    } catch {
      return false;
    }
  }

  async putIfAbsent(key: string, bytes: Uint8Array, options?: RequestOptions): Promise<boolean> {
    throwIfAborted(options?.signal);
    const wasHeld = this.#held?.holds(key) === true;
    if (wasHeld && (await this.#putHeld(key, bytes))) return true;
    const path = await this.#prepare(key, options);
    const created = await this.#withFolders(path, () =>
      this.#withTemporaryFile(bytes, options, (temporary) => this.#createFrom(temporary, key, path)),
    );
    if (created) this.#held?.noteCreated(key, wasHeld);
    return created;
  }

  async put(key: string, bytes: Uint8Array, options?: RequestOptions): Promise<void> {
    const path = await this.#prepare(key, options);
    await this.#withFolders(path, () =>
      this.#withTemporaryFile(bytes, options, async (temporary) => {
        const state = nameStateOf(path);
        if (typeof state === 'object') await retireOwner(new OwnerPaths(this.#root, state.owner), { root: this.#root });
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
      const source = { root: this.#root, owners: this.#owners, checkAbort: () => throwIfAborted(signal) };
      return await listFolder(source, { prefix, startAfter, limit });
    } catch (error) {
      throw translateIoError(error, `list ${this.#root}`);
    }
  }

  async delete(key: string, options?: RequestOptions): Promise<void> {
    const path = await this.#prepare(key, options);
    try {
      const state = nameStateOf(path);
      if (typeof state === 'object') {
        // A held name without an object belongs to its owner.
        if ((await this.#owners.find(state.owner, key)) === null && nameStateOf(path) !== 'file') return;
        removeIfThere(new OwnerPaths(this.#root, state.owner).late(key));
        this.#owners.forget(state.owner, key);
      }
      await ignoreMissing(unlink(path));
      this.#held?.noteDeleted(key);
    } catch (error) {
      throw translateIoError(error, `delete ${path}`);
    }
  }

  async close(): Promise<void> {
    await this.#held?.close();
  }

  async #prepare(key: string, options: RequestOptions | undefined): Promise<string> {
    throwIfAborted(options?.signal);
    assertKey(key);
    if (this.#recovered === null) await this.#recover();
    return join(this.#root, key);
  }

  async #recover(): Promise<void> {
    this.#recovered ??= recoverAfterRestart(this.#root, this.#bootId ?? '');
    try {
      await this.#recovered;
    } catch (error) {
      this.#recovered = null;
      throw translateIoError(error, `put back what a crash of the system took from ${this.#root}`);
    }
  }

  async #read<T>(key: string, options: RequestOptions | undefined, read: (content: Content) => Promise<T>): Promise<T | null> {
    const path = await this.#prepare(key, options);
    try {
      const result = await this.#readFrom(key, path, read);
      throwIfAborted(options?.signal);
      return result;
    } catch (error) {
      if (errorCode(error) === 'EISDIR') return null;
      throw translateIoError(error, `read ${path}`);
    }
  }

  /** Reads an object wherever it lies. Looks again when a held name turns into a file, or the object moves, before the read. */
  async #readFrom<T>(key: string, path: string, read: (content: Content) => Promise<T>): Promise<T | null> {
    for (let look = 1; ; look++) {
      const file = await readFile(path, read);
      if (file !== null) return file.result;
      const state = nameStateOf(path);
      // The name is a dangling link, and no mark of an owner.
      if (state === 'missing' || (state === 'file' && look === LOOKS)) return null;
      if (state === 'file') continue;
      const found = await this.#owners.find(state.owner, key);
      if (found === null) {
        const now = nameStateOf(path);
        if (now === 'missing' || (typeof now === 'object' && now.owner === state.owner)) return null;
      } else if (found.kind === 'file') {
        const elsewhere = await readFile(found.path, read);
        // A late name counts only while its name is held: a process that comes too late makes a late name for a moment,
        // before it notices.
        if (elsewhere !== null && isHeldBy(path, state.owner)) return elsewhere.result;
      } else {
        const bytes = await this.#owners.read(state.owner, key, found);
        if (bytes !== null) return read(contentOf(bytes));
      }
    }
  }

  /** Puts an object under a held name; false when the name is not held any more, so nothing was created. */
  async #putHeld(key: string, bytes: Uint8Array): Promise<boolean> {
    const held = this.#held!;
    try {
      if (!(await held.put(key, bytes))) return false;
    } catch (error) {
      throw translateIoError(error, `write ${join(this.#root, key)}`);
    }
    held.noteCreated(key, true);
    return true;
  }

  /** Creates the object from a durable file; false when the name is taken, by an object that is durable. */
  async #createFrom(temporary: string, key: string, path: string): Promise<boolean> {
    for (;;) {
      if (await linkIfAbsent(temporary, path)) return true;
      const state = nameStateOf(path);
      if (state === 'file') {
        await syncFolder(dirname(path));
        return false;
      }
      if (state === 'missing') continue;
      const outcome = await this.#owners.create(state.owner, key, { temporary, own: this.#held?.ownerId === state.owner });
      if (outcome !== 'again') return outcome === 'created';
    }
  }

  /** Runs `work` once its folders exist; again when the folders were missing after all, since somebody removed the namespace meanwhile. */
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
    const ordered = this.#tuning.allowsJournals ?? (await allowsJournals(this.#root));
    if (this.#bootId === null || !ordered) return;
    this.#held ??= new HeldPuts({
      root: this.#root,
      directory: this.#directory,
      bootId: this.#bootId,
      owners: this.#owners,
      startAfterPuts: this.#tuning.journalAfterPuts ?? JOURNAL_AFTER_PUTS,
      capacityBytes: this.#tuning.journalBytes ?? JOURNAL_BYTES,
    });
  }
}

/** The content of an open object. */
interface Content {
  readonly size: number;
  /** Fills `target` with the bytes from `offset`; returns how many bytes were read. */
  read(offset: number, target: Uint8Array): Promise<number>;
}

function contentOf(bytes: Uint8Array): Content {
  return {
    size: bytes.length,
    read: async (offset, target) => {
      const part = bytes.subarray(Math.min(offset, bytes.length), offset + target.length);
      target.set(part);
      return part.length;
    },
  };
}

/** Reads a file; null when it does not exist. For a folder, which is no object, the result is null. */
async function readFile<T>(path: string, read: (content: Content) => Promise<T>): Promise<{ readonly result: T | null } | null> {
  const handle = await openToRead(path);
  if (handle === null) return null;
  try {
    const stats = await handle.stat();
    if (stats.isDirectory()) return { result: null };
    return { result: await read({ size: stats.size, read: (offset, target) => readFully(handle, offset, target) }) };
  } finally {
    await handle.close();
  }
}

/**
 * Links the file durably; false when the name is taken by another file. That the name is taken by this very file counts
 * as success: a network file system may repeat a request that had succeeded.
 */
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
