/**
 * Put-if-absent of small objects for the price of one flush (decision 0002).
 *
 *   1. write the file under its temporary name; nothing is synced
 *   2. link(2) to the final name decides who creates the object; it is visible now, and pending
 *   3. append key and content to this process's journal, flush the journal: the object would survive a crash
 *   4. remove the temporary name: not pending any more
 *
 * A full journal stays until all its objects have been deleted; when there are too many, the files of the oldest one's objects are synced in the background,
 * and it is removed. After a crash of the system whoever opens the namespace next puts back from the journals what is missing or torn (recovery.ts).
 */

import { closeSync, fstatSync, linkSync, openSync, writeSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { storeUnavailable } from '../faults.ts';
import { ensureFolder, syncFile, syncFiles, syncFolder } from './durable-files.ts';
import { FlushMode } from './flush-mode.ts';
import { durableName, JOURNAL_FOLDER, MAX_PENDING_KEY_LENGTH, pendingName, TEMPORARY_FOLDER } from './internal-names.ts';
import { errorCode, translateIoError } from './io-errors.ts';
import { Journal } from './journal.ts';
import type { JournalRecord } from './journal-format.ts';
import { removeIfThere } from './pending.ts';
import { retireIdleJournals } from './recovery.ts';
import { SpareFiles } from './spare-files.ts';

export interface JournaledPutsOptions {
  readonly root: string;
  /** The folder above the namespace, which is there. */
  readonly directory: string;
  readonly bootId: string;
  /** Unique among all processes: 12 hexadecimal digits. */
  readonly storeId: string;
  /** A store that puts less has no journal. */
  readonly startAfterPuts: number;
  readonly capacityBytes: number;
}

const MAX_OBJECT_BYTES = 64 * 1024;
const MAX_RETIRING = 4;
/**
 * Full journals that are kept: 16 MiB, some 50,000 commits. Most objects are deleted before their journal's turn comes, and a journal without objects just
 * goes: so none of them is ever synced by itself. It is also what a recovery has to look through.
 */
const MAX_FULL = 32;
/** With more objects that are not synced, `close` leaves the journals to answer for them. */
const MAX_SYNCED_AT_CLOSE = 2_000;
const NOTHING = new Uint8Array(0);

export class JournaledPuts {
  readonly #options: JournaledPutsOptions;
  readonly #flushMode = new FlushMode();
  readonly #spares: SpareFiles;
  #current: Journal | null = null;
  /** Ready to take its place. */
  #next: Journal | null = null;
  #creation: Promise<void> | null = null;
  /** Oldest first. */
  #full: Journal[] = [];
  /** Their objects are being synced one by one. */
  #retiring: Journal[] = [];
  #retirement: Promise<void> = Promise.resolve();
  #closed = false;
  #puts = 0;
  #count = 0;

  constructor(options: JournaledPutsOptions) {
    this.#options = options;
    this.#spares = new SpareFiles(options);
  }

  /** Whether this put can go this way: not while a journal is being made, or the disk does not keep up with syncing objects. */
  accepts(key: string, bytes: Uint8Array): boolean {
    if (bytes.length > MAX_OBJECT_BYTES || key.length > MAX_PENDING_KEY_LENGTH || this.#closed) return false;
    if (this.#puts++ < this.#options.startAfterPuts) return false;
    if (this.#current !== null && !this.#current.hasRoom(key, bytes.length)) this.#setAside(this.#current);
    if (this.#current === null || this.#current.filled > 0.5) this.#prepareNext();
    return this.#current !== null;
  }

  /** False: the name is taken. The folders exist, `accepts` has just said yes. */
  async putIfAbsent(key: string, bytes: Uint8Array): Promise<boolean> {
    const { root, bootId, storeId } = this.#options;
    const path = join(root, key);
    const name = pendingName(bootId, `${storeId}-${this.#count++}`, key);
    const temporary = join(root, TEMPORARY_FOLDER, name);
    const inode = this.#writeFile(temporary, bytes);
    if (!linkNew(temporary, path)) return false;
    const journal = this.#current!;
    try {
      await journal.use(() => this.#answerFor({ kind: 'created', key, inode, body: bytes }, journal, path));
    } catch (error) {
      // The object stays pending: whoever reads it settles the matter.
      throw translateIoError(error, `write ${path}`);
    }
    if (removeIfThere(temporary) || removeIfThere(join(root, TEMPORARY_FOLDER, durableName(name)))) return true;
    // A recovery, by a machine that shares this folder, took it for an old one.
    throw storeUnavailable(`cannot tell whether ${path} was written: another process removed its temporary file`, { transient: true });
  }

  /**
   * Before an object is replaced or deleted: a crash should not bring back what it was. `durably`: it must not, not even one that comes at once.
   * The deletion of what a full journal answers for is not written down: a crash may undo it, as long as that journal is there and nothing new has the key.
   */
  async forget(key: string, durably: boolean): Promise<void> {
    const journal = [this.#current, ...this.#full, ...this.#retiring].find((candidate) => candidate?.objects.has(key));
    const inode = journal?.objects.get(key);
    if (!journal || inode === undefined) return;
    journal.objects.delete(key);
    if (!durably && journal !== this.#current) {
      journal.deleted.set(key, inode);
      if (journal.objects.size === 0 && this.#full.includes(journal)) this.#retire(journal);
      return;
    }
    const target = this.#current;
    if (!target?.hasRoom(key, 0)) {
      // Without its journal, nobody knows the former object.
      if (journal === this.#current) this.#setAside(journal);
      if (!this.#retiring.includes(journal)) this.#retire(journal);
      return this.#retirement;
    }
    await target.use(async () => {
      target.append({ kind: 'forgotten', key, inode, body: NOTHING });
      if (durably) await target.flush();
    });
  }

  /** Makes all objects durable by themselves, and leaves no journal; where they are very many, the journals stay. */
  async close(): Promise<void> {
    this.#closed = true;
    await Promise.all([this.#creation, this.#spares.close()]);
    // The next one takes the place of the current one when that retires.
    while (this.#current !== null) this.#setAside(this.#current);
    const objects = this.#full.reduce((sum, journal) => sum + journal.objects.size, 0);
    for (const journal of this.#full.slice()) if (objects <= MAX_SYNCED_AT_CLOSE || journal.objects.size === 0) this.#retire(journal);
    await this.#retirement;
    for (const journal of this.#full) journal.close();
  }

  /** Returns its inode. */
  #writeFile(path: string, bytes: Uint8Array): number {
    const spare = this.#spares.take(path);
    if (spare === null) return writeNewFileSync(path, bytes);
    return fill(spare, path, bytes);
  }

  async #answerFor(record: JournalRecord, journal: Journal, path: string): Promise<void> {
    journal.objects.set(record.key, record.inode);
    for (const { deleted } of [...this.#full, ...this.#retiring]) {
      const inode = deleted.get(record.key);
      if (inode === undefined) continue;
      deleted.delete(record.key);
      journal.append({ kind: 'forgotten', key: record.key, inode, body: NOTHING });
    }
    journal.append(record);
    await journal.flush();
    if (journal.isCurrent()) return;
    if (this.#current === journal) {
      this.#setAside(journal);
      this.#retire(journal);
    }
    await syncFile(path);
    await syncFolder(dirname(path));
  }

  #prepareNext(): void {
    if (this.#creation !== null || this.#next !== null || this.#retiring.length >= MAX_RETIRING) return;
    this.#creation = this.#createJournal()
      .then((journal) => {
        if (this.#current === null) this.#current = journal;
        else this.#next = journal;
      })
      // Puts go on without a journal, and try again.
      .catch(() => {})
      .finally(() => {
        this.#creation = null;
      });
  }

  async #createJournal(): Promise<Journal> {
    const { root, directory, bootId, storeId, capacityBytes } = this.#options;
    const folder = join(root, JOURNAL_FOLDER);
    await ensureFolder(folder, directory);
    await retireIdleJournals(root);
    const path = join(folder, `${storeId}-${this.#count++}`);
    return Journal.create({ path, bootId, capacityBytes, flushMode: this.#flushMode });
  }

  /** The current journal takes no more. */
  #setAside(journal: Journal): void {
    this.#current = this.#next;
    this.#next = null;
    this.#full.push(journal);
    if (this.#full.length > MAX_FULL) this.#retire(this.#full[0]!);
  }

  /** Of the full ones. */
  #retire(journal: Journal): void {
    this.#full = this.#full.filter((other) => other !== journal);
    this.#retiring.push(journal);
    // What fails leaves the journal behind, which is safe.
    this.#retirement = this.#retirement.then(() => this.#syncAndRemove(journal)).catch(() => {});
  }

  async #syncAndRemove(journal: Journal): Promise<void> {
    try {
      await journal.whenIdle();
      journal.close();
      await syncFiles(Array.from(journal.objects.keys(), (key) => join(this.#options.root, key)));
      removeIfThere(journal.path);
    } finally {
      this.#retiring = this.#retiring.filter((other) => other !== journal);
    }
  }
}

/** Returns its inode. */
function writeNewFileSync(path: string, bytes: Uint8Array): number {
  const fd = openSync(path, 'wx', 0o644);
  return fill({ fd, inode: fstatSync(fd).ino }, path, bytes);
}

function fill({ fd, inode }: { readonly fd: number; readonly inode: number }, path: string, bytes: Uint8Array): number {
  try {
    for (let done = 0; done < bytes.length; ) done += writeSync(fd, bytes, done, bytes.length - done, done);
    return inode;
  } catch (error) {
    removeIfThere(path);
    throw error;
  } finally {
    closeSync(fd);
  }
}

/** False: the name is taken. The temporary name remains only where the final one was given. */
function linkNew(temporary: string, path: string): boolean {
  try {
    linkSync(temporary, path);
    return true;
  } catch (error) {
    removeIfThere(temporary);
    if (errorCode(error) === 'EEXIST') return false;
    throw error;
  }
}
