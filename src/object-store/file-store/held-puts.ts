/**
 * Put-if-absent for the price of one flush, where the next name is foreseen (decision 0006): the log's.
 *
 *   ahead   the next names of a sequence are held: hard links to this holder's mark; this decides who creates these objects, as link(2) always does
 *   1. append key and content to the journal, flush it
 *   2. look whether the open sign is still there; answer
 *
 * No name is made or removed before the answer. Whoever wants a held name himself takes the sign away first (holders.ts).
 *
 * A full journal stays until all its objects have been deleted; when there are too many, the objects of the oldest one are given files in the background, and
 * it is removed (retirement.ts).
 */

import { randomBytes } from 'node:crypto';
import { linkSync, renameSync, symlinkSync } from 'node:fs';
import { link, rename } from 'node:fs/promises';
import { join } from 'node:path';
import { storeUnavailable } from '../faults.ts';
import { ensureFolder, isMissing, isThere, removeIfThere, syncFolder, writeNewFile } from './durable-files.ts';
import { FlushMode } from './flush-mode.ts';
import { endHolder, type Holders } from './holders.ts';
import { HolderPaths, MAX_HELD_KEY_LENGTH, markText, nameStateOf, TEMPORARY_FOLDER } from './internal-names.ts';
import { errorCode } from './io-errors.ts';
import { Journal } from './journal.ts';
import { retireHolder, retireIdleHolders, retireJournal } from './retirement.ts';

export interface HeldPutsOptions {
  readonly root: string;
  /** The folder above the namespace, which is there. */
  readonly directory: string;
  readonly bootId: string;
  readonly holders: Holders;
  /** So many consecutive names must have been used before any are held: a short command needs none. */
  readonly startAfterPuts: number;
  readonly capacityBytes: number;
}

const MAX_BODY_BYTES = 64 * 1024;
/** Names that are held ahead, and how few may be left. After a crash the next writer finds so many that nobody uses, and takes a millisecond for each. */
const AHEAD = 16;
const AHEAD_AT_LEAST = 4;
/**
 * Full journals that are kept: 16 MiB, some 50,000 commits. Most objects are deleted before their journal's turn comes, and a journal without objects just
 * goes: so none of them ever gets a file. It is also what a recovery has to look through.
 */
const MAX_FULL = 32;
/** With more objects that have no file, `close` leaves the journals to answer for them. */
const MAX_RETIRED_AT_CLOSE = 2_000;
const NOTHING = new Uint8Array(0);

export class HeldPuts {
  readonly #options: HeldPutsOptions;
  readonly #flushMode = new FlushMode();
  #holder: Holder | null = null;
  #beginning: Promise<void> | null = null;
  /** Their sign was taken away; what is in their journals has to get files. */
  readonly #ended: HolderPaths[] = [];
  #closing: Promise<unknown> = Promise.resolve();
  #expected: string | null = null;
  #run = 0;
  #closed = false;

  constructor(options: HeldPutsOptions) {
    this.#options = options;
  }

  /** Null: no names are held. */
  get holderId(): string | null {
    return this.#holder?.paths.id ?? null;
  }

  /** Whether the name is held by this store, and free. */
  holds(key: string): boolean {
    return this.#holder?.held.has(key) === true && !this.#closed;
  }

  /** Of a name that is held. False: the holder has lost it, and has not created the object. */
  async put(key: string, bytes: Uint8Array): Promise<boolean> {
    const holder = this.#holder!;
    try {
      await holder.put(key, bytes);
    } catch (error) {
      this.#drop(holder);
      await holder.fail();
      throw error;
    }
    if (holder.failing !== null) await holder.failing;
    else if (isThere(holder.paths.open)) {
      if (bytes.length > MAX_BODY_BYTES) takeInto(holder.paths.apart(key), join(this.#options.root, key));
      return true;
    }
    this.#drop(holder);
    const created = await this.#options.holders.hasRecord(holder.paths.id, key);
    const path = join(this.#options.root, key);
    // Another process may have given it a file, and removed the journal.
    if (created === null && nameStateOf(path) === 'file')
      throw storeUnavailable(`cannot tell whether ${path} was written: another process has retired the journal`, { transient: true });
    return created === true;
  }

  /** Of any object that this store has created: foresees which comes next. `wasHeld`: other names have come between. */
  noteCreated(key: string, wasHeld: boolean): void {
    this.#run = key === this.#expected ? this.#run + 1 : 1;
    this.#expected = followingKey(key);
    const isRun = this.#run >= this.#options.startAfterPuts;
    if (this.#expected === null || this.#closed) return;
    if (this.#holder === null) {
      if (isRun) this.#begin();
      return;
    }
    if ((wasHeld || isRun) && !this.#holder.holdAhead(this.#expected)) this.#drop(this.#holder);
  }

  noteDeleted(key: string): void {
    this.#holder?.noteDeleted(key);
  }

  /** Gives all objects files of their own, and leaves no journal; where they are very many, the journals stay. */
  async close(): Promise<void> {
    this.#closed = true;
    await Promise.all([this.#beginning, this.#closing]);
    const holder = this.#holder;
    if (holder !== null) {
      await holder.close();
      if (holder.liveObjects <= MAX_RETIRED_AT_CLOSE) this.#ended.push(holder.paths);
    }
    // What fails leaves the journals to answer, for a later process to retire.
    await this.#retireEnded().catch(() => {});
  }

  #drop(holder: Holder): void {
    if (this.#holder !== holder) return;
    this.#holder = null;
    // A rival has his chance before names are held again.
    this.#run = 0;
    this.#ended.push(holder.paths);
    this.#closing = Promise.all([this.#closing, holder.close()]);
  }

  async #beginAnew(): Promise<void> {
    await this.#retireEnded();
    this.#holder = await Holder.begin({ ...this.#options, flushMode: this.#flushMode });
  }

  async #retireEnded(): Promise<void> {
    for (let paths = this.#ended[0]; paths !== undefined; paths = this.#ended[0]) {
      await retireHolder(paths, { root: this.#options.root });
      this.#ended.shift();
    }
  }

  #begin(): void {
    this.#beginning ??= this.#beginAnew()
      // Puts go on without, and try again.
      .catch(() => {})
      .finally(() => {
        this.#beginning = null;
      });
  }
}

interface HolderOptions {
  readonly root: string;
  readonly directory: string;
  readonly bootId: string;
  readonly capacityBytes: number;
  readonly flushMode: FlushMode;
}

/** From the making of its sign until that is taken away. */
class Holder {
  readonly paths: HolderPaths;
  /** Names that are to be used. */
  readonly held = new Set<string>();
  /** After an error, until it is decided what counts. */
  failing: Promise<unknown> | null = null;
  readonly #options: HolderOptions;
  /** Of every key that some journal has a record of. */
  readonly #places = new Map<string, { readonly journal: Journal; deleted: boolean }>();
  #current: Journal;
  #next: Promise<Journal> | null = null;
  /** Oldest first. */
  #full: Journal[] = [];
  #retirement: Promise<void> = Promise.resolve();
  readonly #puts = new Set<Promise<void>>();

  private constructor(options: HolderOptions, paths: HolderPaths, journal: Journal) {
    this.#options = options;
    this.paths = paths;
    this.#current = journal;
  }

  static async begin(options: HolderOptions): Promise<Holder> {
    const { root, directory, bootId } = options;
    const paths = new HolderPaths(root, randomBytes(6).toString('hex'));
    await ensureFolder(paths.folder, directory);
    await retireIdleHolders(root);
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
    return new Holder(options, paths, journal);
  }

  get liveObjects(): number {
    return [this.#current, ...this.#full].reduce((sum, { live }) => sum + live, 0);
  }

  /** Durable when it resolves; whether it counts, the sign says. */
  async put(key: string, bytes: Uint8Array): Promise<void> {
    this.held.delete(key);
    const put = this.#record(key, bytes);
    this.#puts.add(put);
    try {
      await put;
    } finally {
      this.#puts.delete(put);
    }
  }

  /** False: the sign or the folder has gone. */
  holdAhead(expected: string): boolean {
    if (this.held.size >= AHEAD_AT_LEAST && this.held.has(expected)) return true;
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
    this.failing ??= endHolder(this.paths, { journal: this.#current.number, bytes: this.#current.flushedBytes });
    return this.failing;
  }

  async close(): Promise<void> {
    await Promise.allSettled(this.#puts);
    await this.#next?.then((journal) => journal.close()).catch(() => {});
    await this.#retirement;
    for (const journal of [this.#current, ...this.#full]) journal.close();
  }

  async #record(key: string, bytes: Uint8Array): Promise<void> {
    const fits = bytes.length <= MAX_BODY_BYTES;
    if (!fits) await this.#setApart(key, bytes);
    const body = fits ? bytes : NOTHING;
    while (!this.#current.hasRoom(key, body.length)) await this.#turnOver(this.#current);
    const journal = this.#current;
    journal.append({ kind: fits ? 'content' : 'apart', key, storedAtMs: Date.now(), body });
    this.#places.set(key, { journal, deleted: false });
    if (journal.filled > 0.5) this.#next ??= this.#createNext();
    await journal.flush();
  }

  async #setApart(key: string, bytes: Uint8Array): Promise<void> {
    const temporary = join(
      this.#options.root,
      TEMPORARY_FOLDER,
      `${this.paths.id}-apart-${this.held.size}-${randomBytes(4).toString('hex')}`,
    );
    try {
      await writeNewFile(temporary, bytes);
      await link(temporary, this.paths.apart(key));
      await syncFolder(this.paths.folder);
    } finally {
      removeIfThere(temporary);
    }
  }

  /** What the next journal says is only true when the one before it is durable. */
  async #turnOver(journal: Journal): Promise<void> {
    this.#next ??= this.#createNext();
    const next = this.#next;
    await journal.flush();
    try {
      const opened = await next;
      if (this.#current !== journal) return;
      this.#current = opened;
    } finally {
      if (this.#next === next) this.#next = null;
    }
    this.#full.push(journal);
    if (journal.live === 0 || this.#full.length > MAX_FULL) this.#retire(journal.live === 0 ? journal : this.#full[0]!);
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
    this.#retirement = this.#retirement.then(() => this.#retireNow(journal)).catch(() => {});
  }

  async #retireNow(journal: Journal): Promise<void> {
    journal.close();
    if (journal.live > 0) await retireJournal(this.paths, journal.number, { root: this.#options.root });
    else removeIfThere(journal.path);
    for (const key of journal.keys) if (this.#places.get(key)?.journal === journal) this.#places.delete(key);
  }
}

function createJournal({ capacityBytes, flushMode }: HolderOptions, paths: HolderPaths, number: number): Promise<Journal> {
  return Journal.create({ path: paths.journal(number), number, capacityBytes, flushMode });
}

/** An object apart gets its name; whoever reads it meanwhile looks there next. */
function takeInto(apart: string, path: string): void {
  try {
    renameSync(apart, path);
  } catch (error) {
    if (!isMissing(error)) throw error;
  }
}

const NUMBERED = /^(.*?)(\d+)([^/\d]*)$/;

/** `wal/0041.wal`: `wal/0042.wal`. Null: the key holds no number. */
export function followingKey(key: string): string | null {
  const match = NUMBERED.exec(key);
  if (match === null) return null;
  const [, before, digits, after] = match;
  return `${before}${String(BigInt(digits!) + 1n).padStart(digits!.length, '0')}${after}`;
}
