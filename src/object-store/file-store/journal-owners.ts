/**
 * The objects of held names (internal-names.ts), for every process: reads those in the journals of owners, and takes a
 * name from an owner.
 *
 * A record counts if its owner's open sign was there when it had been read, or if it stands before the end that was
 * decided after the sign had gone. All processes agree on that:
 * - The owner answers when the record is flushed and, after that, its sign is still there. The sign is taken away
 *   before anybody looks where the end is: so an end comes after all records that were answered for, and after all that
 *   were read while the sign was there.
 * - The end is decided by one rename of the sealed sign, which only one process does; records behind it never count.
 * - A held name that has no record before the end is free for an object of another store. link(2) of its `late` name
 *   decides who creates it; a plain file then replaces the held name. Only the process that made the `late` name ever
 *   does that, so it never replaces anything else.
 * - An owner never uses a name twice, and never the name of an object that it has a record of.
 *
 * A record that was read, or made somebody lose a put, is durable: the journal is flushed before its records are used.
 */
import { linkSync, renameSync } from 'node:fs';
import { rename } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import {
  ensureFolder,
  ignoreMissing,
  isThere,
  namesIn,
  openToRead,
  readFully,
  removeIfThere,
  syncFile,
  syncFolder,
} from './durable-files.ts';
import { isHeldBy, type OwnerEnd, OwnerPaths, parseEnded, parseJournal } from './internal-names.ts';
import { errorCode } from './io-errors.ts';
import { damagedJournal, HEADER_BYTES, type PlacedRecord, readRecords } from './journal-format.ts';

/** An object of a held name. */
export type HeldObject =
  | { readonly kind: 'bytes'; readonly journal: string; readonly bodyAt: number; readonly size: number; readonly storedAtMs: number }
  | { readonly kind: 'file'; readonly path: string };

type NewRecords = readonly [journal: number, records: readonly PlacedRecord[]];

/** The objects of one owner. */
export interface HeldObjects {
  /** Returns the object of a held name, as of the last look; null when there is none. */
  objectOf(key: string): HeldObject | null;
}

/** How many owners are remembered: dead ones are read once, when the log is replayed. To use more, keep results of `look`. */
const REMEMBERED = 8;

/** The owners of a folder, by id, and the objects of the names that they hold. */
export class JournalOwners {
  readonly #root: string;
  readonly #known = new Map<string, KnownOwner>();

  constructor(root: string) {
    this.#root = root;
  }

  /** Finds the object of a held name; null when there is none as of this call. It may get a file of its own at any time. */
  async find(id: string, key: string): Promise<HeldObject | null> {
    const owner = this.#owner(id);
    await owner.lookFor(key);
    return owner.objectOf(key);
  }

  /** Reads the records that are new, and returns the objects of the owner. */
  async look(id: string): Promise<HeldObjects> {
    const owner = this.#owner(id);
    await owner.lookFor(null);
    return owner;
  }

  /** Whether the owner itself created the object; null when the owner is gone, so nobody can tell. */
  async hasRecord(id: string, key: string): Promise<boolean | null> {
    const owner = this.#owner(id);
    await owner.lookFor(key);
    if (owner.has(key)) return true;
    return (await stateOf(new OwnerPaths(this.#root, id))) === 'gone' ? null : false;
  }

  /** Reads the bytes of an object in a journal; null when the journal is gone, whose objects lie in files then. */
  async read(id: string, key: string, { journal, bodyAt, size }: HeldObject & { kind: 'bytes' }): Promise<Uint8Array | null> {
    const handle = await openToRead(journal);
    if (handle === null) {
      this.forget(id, key);
      return null;
    }
    try {
      const bytes = new Uint8Array(size);
      await readFully(handle, bodyAt, bytes);
      return bytes;
    } finally {
      await handle.close();
    }
  }

  /** Forgets an object that has been deleted, or whose journal is gone. */
  forget(id: string, key: string): void {
    this.#owner(id).forget(key);
  }

  /** Ends an owner, which creates no objects from then on; null when the owner is gone. */
  end(id: string): Promise<OwnerEnd | null> {
    return endOwner(new OwnerPaths(this.#root, id));
  }

  /**
   * Creates an object from a durable file under a name that the owner `id` holds. `again`: the name is not held any
   * more. Unless the owner is the caller's own (`own`), it is ended even when the name is taken: a store that takes
   * over could not keep up with it. Cost: the flush of a journal, four of folders.
   */
  async create(
    id: string,
    key: string,
    { temporary, own }: { readonly temporary: string; readonly own: boolean },
  ): Promise<'created' | 'taken' | 'again'> {
    const paths = new OwnerPaths(this.#root, id);
    const path = join(this.#root, key);
    const late = paths.late(key);
    // A caller that is told that the object exists must not lose it in a crash.
    const isTaken = async (): Promise<boolean> => {
      const found = await this.find(id, key);
      if (found?.kind === 'file') await syncFolder(paths.folder);
      return found !== null;
    };
    if (own && (await isTaken())) return 'taken';
    await this.end(id);
    if (await isTaken()) return 'taken';
    await ensureFolder(paths.folder, this.#root);
    try {
      linkSync(temporary, late);
    } catch (error) {
      if (errorCode(error) !== 'EEXIST') throw error;
      // A `late` name counts only while the name is held; the next attempt finds it.
      return 'again';
    }
    await syncFolder(paths.folder);
    if (!isHeldBy(path, id)) {
      removeIfThere(late);
      return 'again';
    }
    renameSync(late, path);
    await syncFolder(dirname(path));
    return 'created';
  }

  #owner(id: string): KnownOwner {
    let owner = this.#known.get(id);
    if (owner === undefined) {
      owner = new KnownOwner(new OwnerPaths(this.#root, id));
      if (this.#known.size >= REMEMBERED) this.#known.delete(this.#known.keys().next().value!);
      this.#known.set(id, owner);
    }
    return owner;
  }
}

/** The records of one owner that are known to count. */
class KnownOwner implements HeldObjects {
  readonly #records = new Map<string, { readonly journal: number; readonly object: HeldObject }>();
  readonly #paths: OwnerPaths;
  /** The offset behind the last record that was read, by journal. */
  readonly #positions = new Map<number, number>();
  /** Journals with lower numbers have been read to their end. */
  #complete = 0;
  #looking: Promise<void> = Promise.resolve();

  constructor(paths: OwnerPaths) {
    this.#paths = paths;
  }

  has(key: string): boolean {
    return this.#records.has(key);
  }

  /** Forgets an object that has been deleted, or whose journal is gone. */
  forget(key: string): void {
    this.#records.delete(key);
  }

  objectOf(key: string): HeldObject | null {
    const record = this.#records.get(key);
    if (record !== undefined) return record.object;
    const late = this.#paths.late(key);
    return isThere(late) ? { kind: 'file', path: late } : null;
  }

  /** Reads new records unless the key is known; in any case when the key is null. */
  lookFor(key: string | null): Promise<void> {
    const look = this.#looking.then(async () => {
      if (key === null || !this.has(key)) await this.#look();
    });
    this.#looking = look.catch(() => {});
    return look;
  }

  async #look(): Promise<void> {
    for (;;) {
      const { fresh, present, complete } = await this.#readNew();
      for (const [number] of fresh) await ignoreMissing(syncFile(this.#paths.journal(number)));
      const state = await stateOf(this.#paths);
      if (state === 'sealed') await endOwner(this.#paths);
      else if (state === 'gone') return this.#positions.clear();
      else {
        this.#accept(fresh, state === 'open' ? { journal: Number.POSITIVE_INFINITY, bytes: 0 } : state);
        if (state !== 'open' && present.has(state.journal)) this.#checkReaches(state);
        this.#complete = complete;
        return;
      }
    }
  }

  /** Reads new records, last journal first: once that has a record, the owner appends to no earlier journal. */
  async #readNew(): Promise<{ readonly fresh: readonly NewRecords[]; readonly present: ReadonlySet<number>; readonly complete: number }> {
    const fresh: NewRecords[] = [];
    const present = new Set<number>();
    let complete = this.#complete;
    const journals = await journalsOf(this.#paths);
    this.#forgetAllBut(new Set(journals));
    for (const number of journals) {
      if (number < this.#complete) break;
      const records = await readRecords(this.#paths.journal(number), this.#positions.get(number));
      if (records === null) continue;
      present.add(number);
      if (records.length > 0) fresh.push([number, records]);
      if (records.length > 0 || this.#positions.has(number)) complete = Math.max(complete, number);
    }
    return { fresh, present, complete };
  }

  /** Forgets the objects in journals that have been removed: each lies in a file, or was deleted. */
  #forgetAllBut(journals: ReadonlySet<number>): void {
    const gone = [...this.#positions.keys()].filter((number) => !journals.has(number));
    if (gone.length === 0) return;
    for (const number of gone) this.#positions.delete(number);
    for (const [key, { journal }] of this.#records) if (!journals.has(journal)) this.#records.delete(key);
  }

  #accept(fresh: readonly NewRecords[], end: OwnerEnd): void {
    for (const [number, records] of fresh) {
      for (const record of records) {
        if (number > end.journal || (number === end.journal && record.end > end.bytes)) break;
        this.#positions.set(number, record.end);
        this.#records.set(record.key, { journal: number, object: this.#place(number, record) });
      }
    }
  }

  /** Checks that intact records reach the decided end, as they did when it was decided. @throws CORRUPTION */
  #checkReaches({ journal, bytes }: OwnerEnd): void {
    const position = this.#positions.get(journal) ?? HEADER_BYTES;
    if (position < bytes) throw damagedJournal(this.#paths.journal(journal), position);
  }

  #place(number: number, { kind, key, bodyAt, body, storedAtMs }: PlacedRecord): HeldObject {
    if (kind === 'apart') return { kind: 'file', path: this.#paths.apart(key) };
    return { kind: 'bytes', journal: this.#paths.journal(number), bodyAt, size: body.length, storedAtMs };
  }
}

/** Returns the state of an owner; its signs change in this order only. `gone`: its objects lie in files, or never existed. */
export async function stateOf(paths: OwnerPaths): Promise<'open' | 'sealed' | 'gone' | OwnerEnd> {
  if (isThere(paths.open)) return 'open';
  if (isThere(paths.sealed)) return 'sealed';
  for (const name of await namesIn(paths.folder)) {
    const end = parseEnded(name, paths.id);
    if (end !== null) return end;
  }
  return 'gone';
}

/** Returns the numbers of an owner's journals, highest first. */
export async function journalsOf({ folder, id }: OwnerPaths): Promise<number[]> {
  const numbers = (await namesIn(folder)).map((name) => parseJournal(name, id));
  return numbers.filter((number) => number !== null).sort((left, right) => right - left);
}

/**
 * Takes the owner's sign away and decides durably which records count, all of them durable; null when the owner is
 * gone. An owner whose flush failed gives `at`, up to which its records are known to be durable.
 */
export async function endOwner(paths: OwnerPaths, at?: OwnerEnd): Promise<OwnerEnd | null> {
  for (;;) {
    await ignoreMissing(rename(paths.open, paths.sealed));
    const state = await stateOf(paths);
    if (state === 'gone') return null;
    if (typeof state === 'object') {
      await syncFolder(paths.folder);
      return state;
    }
    const end = at ?? (await endOfRecords(paths));
    await ignoreMissing(rename(paths.sealed, paths.ended(end)));
  }
}

async function endOfRecords(paths: OwnerPaths): Promise<OwnerEnd> {
  let end: OwnerEnd = { journal: 0, bytes: HEADER_BYTES };
  for (const number of await journalsOf(paths)) {
    const path = paths.journal(number);
    if (end.journal === 0) {
      const last = (await readRecords(path))?.at(-1);
      if (last !== undefined) end = { journal: number, bytes: last.end };
    }
    await ignoreMissing(syncFile(path));
  }
  return end;
}
