/**
 * The owner that a store is: from the making of its sign until that is taken away. It holds names ahead, and fills its
 * journals one after the other (internal-names.ts says what lies where, journal-owners.ts what counts).
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

/** Bigger objects lie apart. */
export const MAX_BODY_BYTES = 64 * 1024;
/**
 * Names that are held ahead, and how few may be left. After a crash the next writer finds so many that nobody uses, and
 * takes a millisecond for each.
 */
const AHEAD = 16;
const AHEAD_AT_LEAST = 2;
/**
 * Full journals that are kept: 16 MiB, some 50,000 commits. Most objects are deleted before their journal's turn comes,
 * and a journal without objects just goes: so none of them ever gets a file. It is also what a recovery has to look
 * through.
 */
const MAX_FULL = 32;
/** Journals whose objects are being given files: who fills them faster waits. */
const MAX_RETIRING = 2;
const NOTHING = new Uint8Array(0);

/** The options of a owner. */
export interface JournalOwnerOptions {
  readonly root: string;
  readonly directory: string;
  readonly bootId: string;
  readonly capacityBytes: number;
  readonly flushMode: FlushMode;
}

/** A owner of names. */
export class JournalOwner {
  readonly paths: OwnerPaths;
  /** Names that are to be used. */
  readonly held = new Set<string>();
  /** After an error, until it is decided what counts. */
  failing: Promise<unknown> | null = null;
  readonly #options: JournalOwnerOptions;
  /** The place of every key that some journal has a record of. */
  readonly #places = new Map<string, { readonly journal: Journal; deleted: boolean }>();
  #current: Journal;
  #next: Promise<Journal> | null = null;
  /** Oldest first. */
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

  /** Durable when it resolves, or at once: null. Whether it counts, the sign says. */
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

  /** False: the sign or the folder has gone. */
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

  /** After an error only that counts which is certainly durable. From this call on nothing more is answered for. */
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

  /** There must be room. */
  #append(key: string, kind: 'content' | 'apart', body: Uint8Array): Promise<void> | null {
    const journal = this.#current;
    journal.append({ kind, key, storedAtMs: systemTimeMs(), body });
    this.#places.set(key, { journal, deleted: false });
    if (journal.filled > 0.5) this.#next ??= this.#createNext();
    return journal.flush(() => this.#holdMeanwhile(key));
  }

  /** Names are made for nothing where the sign has gone: whoever looks at the sign next will know. */
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

  /** Begins the next journal, whose content is only true when the one before it is durable. */
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
    // Whoever needs it is told.
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
      // Taken: whoever puts it will see by whom.
      if (errorCode(error) === 'EEXIST') return true;
      if (errorCode(error) === 'EMLINK') return this.#renewMark();
      return false;
    }
  }

  /** A file has at most 65,000 names on ext4. */
  #renewMark(): boolean {
    removeIfThere(this.paths.mark);
    symlinkSync(markText(this.paths.id), this.paths.mark);
    return true;
  }

  #retire(journal: Journal): void {
    this.#full = this.#full.filter((other) => other !== journal);
    // What fails leaves the journal behind, which is safe.
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

/** `wal/0041.wal`: `wal/0042.wal`. Null: the last part of the key holds no number, or too large a one. */
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
