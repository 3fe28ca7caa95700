/**
 * Put-if-absent for the price of one flush, where the next name is foreseen (decision 0006): the log's.
 *
 *   ahead   the next names of a sequence are held: hard links to this owner's mark; this decides who creates these
 *     objects, as link(2) always does
 *   1. append key and content to the journal, flush it
 *   2. look whether the open sign is still there; answer
 *
 * No name is made or removed before the answer. Whoever wants a held name himself takes the sign away first (journal-owners.ts).
 *
 * A full journal stays until all its objects have been deleted; when there are too many, the objects of the oldest one
 * are given files in the background, and it is removed (retirement.ts).
 */

import { existsSync, renameSync } from 'node:fs';
import { join } from 'node:path';
import { storeUnavailable } from '../faults.ts';
import { isMissing } from './durable-files.ts';
import { FlushMode } from './flush-mode.ts';
import { nameStateOf } from './internal-names.ts';
import { followingKey, JournalOwner, MAX_BODY_BYTES } from './journal-owner.ts';
import type { JournalOwners } from './journal-owners.ts';
import { retireIdleOwners, retireOwner } from './retirement.ts';

/** The options of puts of held names. */
export interface HeldPutsOptions {
  readonly root: string;
  /** The folder above the namespace, which is there. */
  readonly directory: string;
  readonly bootId: string;
  readonly owners: JournalOwners;
  /** So many consecutive names must have been used before any are held: a short command needs none. */
  readonly startAfterPuts: number;
  readonly capacityBytes: number;
}

/** With more objects that have no file, `close` leaves the journals to answer for them. */
const MAX_RETIRED_AT_CLOSE = 2_000;

/** Puts of names that a owner holds. */
export class HeldPuts {
  readonly #options: HeldPutsOptions;
  readonly #flushMode = new FlushMode();
  #owner: JournalOwner | null = null;
  #beginning: Promise<void> | null = null;
  /** Their sign was taken away; what is in their journals has to get files. */
  readonly #ended: JournalOwner[] = [];
  #closing: Promise<unknown> = Promise.resolve();
  #expected: string | null = null;
  #run = 0;
  #closed = false;

  constructor(options: HeldPutsOptions) {
    this.#options = options;
  }

  /** Null: no names are held. */
  get ownerId(): string | null {
    return this.#owner?.paths.id ?? null;
  }

  /** Whether the name is held by this store, and free. */
  holds(key: string): boolean {
    return this.#owner?.held.has(key) === true && !this.#closed;
  }

  /** Whether nobody has taken away the sign of this owner: until then nobody puts anything under the names that it holds. */
  get isOpen(): boolean {
    return this.#owner !== null && existsSync(this.#owner.paths.open);
  }

  /** Puts an object of a name that is held. False: the owner has lost it, and has not created the object. */
  async put(key: string, bytes: Uint8Array): Promise<boolean> {
    const owner = this.#owner!;
    try {
      const writing = owner.put(key, bytes);
      if (writing !== null) await writing;
    } catch (error) {
      this.#drop(owner);
      await owner.fail();
      throw error;
    }
    if (owner.failing !== null) await owner.failing;
    else if (existsSync(owner.paths.open)) {
      if (bytes.length > MAX_BODY_BYTES) takeInto(owner.paths.apart(key), join(this.#options.root, key));
      return true;
    }
    this.#drop(owner);
    const created = await this.#options.owners.hasRecord(owner.paths.id, key);
    const path = join(this.#options.root, key);
    // Another process may have given it a file, and removed the journal.
    if (created === null && nameStateOf(path) === 'file')
      throw storeUnavailable(`cannot tell whether ${path} was written: another process has retired the journal`, { transient: true });
    return created === true;
  }

  /** Notes any object that this store has created, and foresees which comes next. `wasHeld`: other names have come between. */
  noteCreated(key: string, wasHeld: boolean): void {
    this.#run = key === this.#expected ? this.#run + 1 : 1;
    this.#expected = followingKey(key);
    const isRun = this.#run >= this.#options.startAfterPuts;
    if (this.#expected === null || this.#closed) return;
    if (this.#owner === null) {
      if (isRun) this.#begin();
      return;
    }
    if ((wasHeld || isRun) && !this.#owner.holdAhead(this.#expected)) this.#drop(this.#owner);
  }

  noteDeleted(key: string): void {
    this.#owner?.noteDeleted(key);
  }

  /** Gives all objects files of their own, and leaves no journal; where they are very many, the journals stay. */
  async close(): Promise<void> {
    this.#closed = true;
    await this.#beginning;
    if (this.#owner !== null) this.#drop(this.#owner);
    await this.#closing;
    const few = this.#ended.reduce((sum, { liveObjects }) => sum + liveObjects, 0) <= MAX_RETIRED_AT_CLOSE;
    // What fails leaves the journals to answer, for a later process to retire.
    for (const { paths } of few ? this.#ended : []) await retireOwner(paths, { root: this.#options.root }).catch(() => {});
  }

  #drop(owner: JournalOwner): void {
    if (this.#owner !== owner) return;
    this.#owner = null;
    // A rival has his chance before names are held again.
    this.#run = 0;
    this.#ended.push(owner);
    this.#closing = Promise.all([this.#closing, owner.close()]);
  }

  #begin(): void {
    this.#beginning ??= JournalOwner.begin({ ...this.#options, flushMode: this.#flushMode })
      .then((owner) => {
        this.#owner = owner;
        return retireIdleOwners(this.#options.root);
      })
      // Puts go on without, and try again.
      .catch(() => {})
      .finally(() => {
        this.#beginning = null;
      });
  }
}

/** An object apart gets its name; whoever reads it meanwhile looks there next. */
function takeInto(apart: string, path: string): void {
  try {
    renameSync(apart, path);
  } catch (error) {
    if (!isMissing(error)) throw error;
  }
}
