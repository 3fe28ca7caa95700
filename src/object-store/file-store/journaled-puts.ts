/**
 * Put-if-absent of small objects for the price of one flush (decision 0002).
 *
 *   1. write the file under its temporary name; nothing is synced
 *   2. link(2) to the final name decides who creates the object; it is visible now, and pending
 *   3. append key and content to this process's journal, flush the journal: the object would survive a crash
 *   4. remove the temporary name: not pending any more
 *
 * When a journal is full, the files of its objects are synced in the background, and the journal is removed. After a crash of the system whoever opens
 * the namespace next puts back from the journals what is missing or torn (recovery.ts).
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
const NOTHING = new Uint8Array(0);

export class JournaledPuts {
  readonly #options: JournaledPutsOptions;
  readonly #flushMode = new FlushMode();
  #current: Journal | null = null;
  /** Ready to take its place. */
  #next: Journal | null = null;
  #creation: Promise<void> | null = null;
  /** Full; their objects are being synced one by one. */
  #retiring: Journal[] = [];
  #retirement: Promise<void> = Promise.resolve();
  #closed = false;
  #puts = 0;
  #count = 0;

  constructor(options: JournaledPutsOptions) {
    this.#options = options;
  }

  /** Whether this put can go this way: not while a journal is being made, or the disk does not keep up with syncing objects. */
  accepts(key: string, bytes: Uint8Array): boolean {
    if (bytes.length > MAX_OBJECT_BYTES || key.length > MAX_PENDING_KEY_LENGTH || this.#closed) return false;
    if (this.#puts++ < this.#options.startAfterPuts) return false;
    if (this.#current !== null && !this.#current.hasRoom(key, bytes.length)) this.#retire(this.#current);
    if (this.#current === null || this.#current.filled > 0.5) this.#prepareNext();
    return this.#current !== null;
  }

  /** False: the name is taken. The folders exist, `accepts` has just said yes. */
  async putIfAbsent(key: string, bytes: Uint8Array): Promise<boolean> {
    const { root, bootId, storeId } = this.#options;
    const path = join(root, key);
    const name = pendingName(bootId, `${storeId}-${this.#count++}`, key);
    const temporary = join(root, TEMPORARY_FOLDER, name);
    const inode = writeNewFileSync(temporary, bytes);
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

  /** Before an object is replaced or deleted: a crash must not bring back what it was. `durably`: not even one that comes at once. */
  async forget(key: string, durably: boolean): Promise<void> {
    const journal = [this.#current, ...this.#retiring].find((candidate) => candidate?.objects.has(key));
    const inode = journal?.objects.get(key);
    if (!journal || inode === undefined) return;
    journal.objects.delete(key);
    const target = this.#current;
    if (!target?.hasRoom(key, 0)) return this.#retirement;
    await target.use(async () => {
      target.append({ kind: 'forgotten', key, inode, body: NOTHING });
      if (durably) await target.flush();
    });
  }

  /** Makes all objects durable by themselves, and leaves no journal. */
  async close(): Promise<void> {
    this.#closed = true;
    await this.#creation;
    // The next one takes the place of the current one when that retires.
    while (this.#current !== null) this.#retire(this.#current);
    await this.#retirement;
  }

  async #answerFor(record: JournalRecord, journal: Journal, path: string): Promise<void> {
    journal.objects.set(record.key, record.inode);
    journal.append(record);
    await journal.flush();
    if (journal.isCurrent()) return;
    if (this.#current === journal) this.#retire(journal);
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

  #retire(journal: Journal): void {
    if (this.#current === journal) {
      this.#current = this.#next;
      this.#next = null;
    }
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
  try {
    for (let done = 0; done < bytes.length; ) done += writeSync(fd, bytes, done, bytes.length - done, done);
    return fstatSync(fd).ino;
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
