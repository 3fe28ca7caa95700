/**
 * The owner role of a store, from the creation of its open sign until the sign is taken away. An owner holds names
 * ahead of use, and fills its journals one after the other. internal-names.ts describes the files, journal-owners.ts
 * which records count.
 */

import { linkSync, symlinkSync } from 'node:fs';
import { link, rename } from 'node:fs/promises';
import { join } from 'node:path';
import { randomHex, systemTimeMs } from '../../base/index.ts';
import { ensureFolder, removeIfThere, syncFolder, writeNewFile } from './durable-files.ts';
import type { FlushMode } from './flush-mode.ts';
import { MAX_HELD_KEY_LENGTH, markText, OwnerPaths, TEMPORARY_FOLDER } from './internal-names.ts';
import { errorCode } from './io-errors.ts';
import { Journal } from './journal.ts';
import { endOwner } from './journal-owners.ts';
import { retireJournal } from './retirement.ts';

/** The largest object, in bytes, that a journal holds; a larger one lies in a file of its own. */
export const MAX_BODY_BYTES = 64 * 1024;
/**
 * How many names are held ahead, and how few may be left before more are held. After a crash the next writer meets up
 * to `AHEAD` unused names, and takes a millisecond for each.
 */
const AHEAD = 16;
const AHEAD_AT_LEAST = 2;
/**
 * The most full journals that are kept: 16 MiB, some 50,000 commits. Most objects are deleted before their journal is
 * retired, and a journal without objects is just removed, so most objects never get a file. A recovery reads all of
 * them.
 */
const MAX_FULL = 32;
/** The most journals that are being retired at once; a put that would add another waits. */
const MAX_RETIRING = 2;
const NOTHING = new Uint8Array(0);

/** The options of an owner. */
export interface JournalOwnerOptions {
  readonly root: string;
  readonly directory: string;
  readonly bootId: string;
  readonly capacityBytes: number;
  readonly flushMode: FlushMode;
}

/** An owner of names, which puts objects into its journals. */
export class JournalOwner {
  readonly paths: OwnerPaths;
  /** Keys whose names are held and not used. */
  readonly held = new Set<string>();
  /** Set after an error; settles when it is decided which records count. */
  failing: Promise<unknown> | null = null;
  readonly #options: JournalOwnerOptions;
  /** The journal of every key that a journal has a record of. */
  readonly #places = new Map<string, { readonly journal: Journal; deleted: boolean }>();
  #current: Journal;
  #next: Promise<Journal> | null = null;
  /** Full journals, oldest first. */
  #full: Journal[] = [];
  #retirement: Promise<void> = Promise.resolve();
  #retiring = 0;
  readonly #puts = new Set<Promise<void>>();

  private constructor(options: JournalOwnerOptions, paths: OwnerPaths, journal: Journal) {
    this.#options = options;
    this.paths = paths;
    this.#current = journal;
  }

  static async begin(options: JournalOwnerOptions): Promise<JournalOwner> {
    const { root, directory, bootId } = options;
    const paths = new OwnerPaths(root, randomHex(6));
    await ensureFolder(paths.folder, directory);
    const journal = await createJournal(options, paths, 1);
    const temporary = join(root, TEMPORARY_FOLDER, `${paths.id}-sign`);
    try {
      symlinkSync(markText(paths.id), paths.mark);
      await writeNewFile(temporary, Buffer.from(bootId, 'latin1'));
      await rename(temporary, paths.open);
      await syncFolder(paths.folder);
    } catch (error) {
      journal.close();
      for (const path of [temporary, paths.open, paths.mark, journal.path]) removeIfThere(path);
      throw error;
    }
    return new JournalOwner(options, paths, journal);
  }

  get liveObjects(): number {
    return [this.#current, ...this.#full].reduce((sum, { live }) => sum + live, 0);
  }

  /**
   * Puts an object, which is durable when the promise resolves, or on return when the result is null. The put counts if
   * the open sign is there afterwards.
   */
  put(key: string, bytes: Uint8Array): Promise<void> | null {
    this.held.delete(key);
    const isSimple = bytes.length <= MAX_BODY_BYTES && this.#current.hasRoom(key, bytes.length);
    const put = isSimple ? this.#append(key, 'content', bytes) : this.#makeRoom(key, bytes);
    return put === null ? null : this.#untilDone(put);
  }

  async #untilDone(put: Promise<void>): Promise<void> {
    this.#puts.add(put);
    try {
      await put;
    } finally {
      this.#puts.delete(put);
    }
  }

  /** Holds the names from `expected` on when fewer than `atLeast` are held; false when the sign or the folder is gone. */
  holdAhead(expected: string, atLeast = AHEAD_AT_LEAST): boolean {
    if (this.held.size >= atLeast && this.held.has(expected)) return true;
    let key: string | null = expected;
    for (let count = 0; count < AHEAD && key !== null; count++) {
      if (key.length <= MAX_HELD_KEY_LENGTH && !this.held.has(key) && !this.#places.has(key) && !this.#hold(key)) return false;
      key = followingKey(key);
    }
    return true;
  }

  noteDeleted(key: string): void {
    const place = this.#places.get(key);
    if (place === undefined || place.deleted) return;
    place.deleted = true;
    if (--place.journal.live === 0 && this.#full.includes(place.journal)) this.#retire(place.journal);
  }

  /** Ends the owner after an error: only records that are known to be durable count. No later put succeeds. */
  fail(): Promise<unknown> {
    this.failing ??= endOwner(this.paths, { journal: this.#current.number, bytes: this.#current.flushedBytes });
    return this.failing;
  }

  async close(): Promise<void> {
    await Promise.allSettled(this.#puts);
    await this.#next?.then((journal) => journal.close()).catch(() => {});
    await this.#retirement;
    for (const journal of [this.#current, ...this.#full]) journal.close();
  }

  async #makeRoom(key: string, bytes: Uint8Array): Promise<void> {
    const fits = bytes.length <= MAX_BODY_BYTES;
    if (!fits) await this.#setApart(key, bytes);
    const body = fits ? bytes : NOTHING;
    while (!this.#current.hasRoom(key, body.length)) await this.#turnOver(this.#current);
    await this.#append(key, fits ? 'content' : 'apart', body);
  }

  /** Appends a record to the current journal, which must have room, and flushes it. Null: it is durable on return. */
  #append(key: string, kind: 'content' | 'apart', body: Uint8Array): Promise<void> | null {
    const journal = this.#current;
    journal.append({ kind, key, storedAtMs: systemTimeMs(), body });
    this.#places.set(key, { journal, deleted: false });
    if (journal.filled > 0.5) this.#next ??= this.#createNext();
    return journal.flush(() => this.#holdMeanwhile(key));
  }

  /** Holds names while a flush runs. Names held after the sign is gone are wasted; the check after the flush notices that. */
  #holdMeanwhile(key: string): void {
    const next = followingKey(key);
    if (next !== null) this.holdAhead(next, AHEAD);
  }

  async #setApart(key: string, bytes: Uint8Array): Promise<void> {
    const temporary = join(this.#options.root, TEMPORARY_FOLDER, `${this.paths.id}-${randomHex(6)}`);
    try {
      await writeNewFile(temporary, bytes);
      await link(temporary, this.paths.apart(key));
      await syncFolder(this.paths.folder);
    } finally {
      removeIfThere(temporary);
    }
  }

  /** Begins the next journal, whose records are valid only when the journal before it is durable. */
  async #turnOver(journal: Journal): Promise<void> {
    this.#next ??= this.#createNext();
    const next = this.#next;
    try {
      const opened = await next;
      // A small record may still find room while a flush runs.
      while (this.#current === journal && !journal.isFlushed) await journal.flush();
      if (this.#current !== journal) return;
      this.#current = opened;
    } finally {
      if (this.#next === next) this.#next = null;
    }
    this.#full.push(journal);
    journal.seal();
    if (journal.live === 0 || this.#full.length > MAX_FULL) this.#retire(journal.live === 0 ? journal : this.#full[0]!);
    if (this.#retiring > MAX_RETIRING) await this.#retirement;
  }

  #createNext(): Promise<Journal> {
    const created = createJournal(this.#options, this.paths, this.#current.number + 1);
    // The error is thrown where the journal is awaited.
    created.catch(() => {});
    return created;
  }

  #hold(key: string): boolean {
    const path = join(this.#options.root, key);
    try {
      linkSync(this.paths.mark, path);
      this.held.add(key);
      return true;
    } catch (error) {
      // The name is taken; the put of its object finds out by whom.
      if (errorCode(error) === 'EEXIST') return true;
      if (errorCode(error) === 'EMLINK') return this.#renewMark();
      return false;
    }
  }

  /** Makes a new mark when the old one has no room for links: a file has at most 65,000 names on ext4. */
  #renewMark(): boolean {
    removeIfThere(this.paths.mark);
    symlinkSync(markText(this.paths.id), this.paths.mark);
    return true;
  }

  #retire(journal: Journal): void {
    this.#full = this.#full.filter((other) => other !== journal);
    // After a failure the journal stays, which is safe.
    this.#retiring++;
    this.#retirement = this.#retirement
      .then(() => this.#retireNow(journal))
      .catch(() => {})
      .finally(() => this.#retiring--);
  }

  async #retireNow(journal: Journal): Promise<void> {
    journal.close();
    if (journal.live > 0) await retireJournal(this.paths, journal.number, { root: this.#options.root });
    else removeIfThere(journal.path);
    for (const key of journal.keys) if (this.#places.get(key)?.journal === journal) this.#places.delete(key);
  }
}

function createJournal({ capacityBytes, flushMode }: JournalOwnerOptions, paths: OwnerPaths, number: number): Promise<Journal> {
  return Journal.create({ path: paths.journal(number), number, capacityBytes, flushMode });
}

/**
 * Returns the key that follows in a sequence: `wal/0042.wal` after `wal/0041.wal`. Null when the last part of the key
 * holds no number, or one that is too large.
 */
export function followingKey(key: string): string | null {
  let end = key.length;
  while (end > 0 && !isDigit(key, end - 1)) if (key[--end] === '/') return null;
  let start = end;
  while (start > 0 && isDigit(key, start - 1)) start--;
  const next = Number(key.slice(start, end)) + 1;
  return start === end || !Number.isSafeInteger(next)
    ? null
    : key.slice(0, start) + String(next).padStart(end - start, '0') + key.slice(end);
}

function isDigit(key: string, at: number): boolean {
  const code = key.charCodeAt(at);
  return code >= 48 && code <= 57;
}
