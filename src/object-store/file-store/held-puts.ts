/**
 * Put-if-absent for the price of one flush where the next name is foreseen, as in the log (decision 0006).
 *
 * 1. Ahead of use, the next names of a sequence are held: hard links to this owner's mark. As always, link(2) decides
 *    who creates the objects of these names.
 * 2. A put appends key and content to the journal, and flushes it.
 * 3. It succeeds if the open sign is still there then.
 *
 * No name is created or removed before a put returns. A process that wants to use a held name itself takes the sign
 * away first (journal-owners.ts).
 *
 * A full journal stays until all its objects have been deleted. When there are too many full journals, the objects of
 * the oldest one are given files in the background, and the journal is removed (retirement.ts).
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
  /** The folder above the namespace; it exists. */
  readonly directory: string;
  readonly bootId: string;
  readonly owners: JournalOwners;
  /** How many consecutive names must have been put before names are held: a short command needs none. */
  readonly startAfterPuts: number;
  readonly capacityBytes: number;
}

/** The most objects that `close` gives files of their own; when there are more, it leaves the journals in place. */
const MAX_RETIRED_AT_CLOSE = 2_000;

/** Puts objects under names that an owner holds. */
export class HeldPuts {
  readonly #options: HeldPutsOptions;
  readonly #flushMode = new FlushMode();
  #owner: JournalOwner | null = null;
  #beginning: Promise<void> | null = null;
  /** Owners whose sign was taken away; the objects in their journals still need files. */
  readonly #ended: JournalOwner[] = [];
  #closing: Promise<unknown> = Promise.resolve();
  #expected: string | null = null;
  #run = 0;
  #closed = false;

  constructor(options: HeldPutsOptions) {
    this.#options = options;
  }

  /** The id of the current owner; null while no names are held. */
  get ownerId(): string | null {
    return this.#owner?.paths.id ?? null;
  }

  /** Whether this store holds the name and has not used it. */
  holds(key: string): boolean {
    return this.#owner?.held.has(key) === true && !this.#closed;
  }

  /** Whether the owner's open sign is still there: as long as it is, no other process puts objects under the held names. */
  get isOpen(): boolean {
    return this.#owner !== null && existsSync(this.#owner.paths.open);
  }

  /** Puts an object under a held name; false when the owner lost the name before, so the object was not created. */
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

  /** Notes an object that this store created, and holds the names that should follow. `wasHeld`: its name was held. */
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

  /** Gives all objects files of their own and removes the journals; with more than 2,000 objects the journals stay. */
  async close(): Promise<void> {
    this.#closed = true;
    await this.#beginning;
    if (this.#owner !== null) this.#drop(this.#owner);
    await this.#closing;
    const few = this.#ended.reduce((sum, { liveObjects }) => sum + liveObjects, 0) <= MAX_RETIRED_AT_CLOSE;
    // After a failure the journals stay, for a later process to retire.
    for (const { paths } of few ? this.#ended : []) await retireOwner(paths, { root: this.#options.root }).catch(() => {});
  }

  #drop(owner: JournalOwner): void {
    if (this.#owner !== owner) return;
    this.#owner = null;
    // Another process gets its chance before names are held again.
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
      // Puts go on without held names, and a later one tries again.
      .catch(() => {})
      .finally(() => {
        this.#beginning = null;
      });
  }
}

/** Gives an object that lies apart its own name; a reader that misses it at the old place looks at the name next. */
function takeInto(apart: string, path: string): void {
  try {
    renameSync(apart, path);
  } catch (error) {
    if (!isMissing(error)) throw error;
  }
}
