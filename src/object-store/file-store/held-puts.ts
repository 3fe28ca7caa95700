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

import { existsSync, renameSync } from 'node:fs';
import { join } from 'node:path';
import { storeUnavailable } from '../faults.ts';
import { isMissing } from './durable-files.ts';
import { FlushMode } from './flush-mode.ts';
import { followingKey, Holder, MAX_BODY_BYTES } from './holder.ts';
import type { Holders } from './holders.ts';
import { nameStateOf } from './internal-names.ts';
import { retireHolder, retireIdleHolders } from './retirement.ts';

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

/** With more objects that have no file, `close` leaves the journals to answer for them. */
const MAX_RETIRED_AT_CLOSE = 2_000;

export class HeldPuts {
  readonly #options: HeldPutsOptions;
  readonly #flushMode = new FlushMode();
  #holder: Holder | null = null;
  #beginning: Promise<void> | null = null;
  /** Their sign was taken away; what is in their journals has to get files. */
  readonly #ended: Holder[] = [];
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

  /** Whether nobody has taken away the sign of this holder: until then nobody puts anything under the names that it holds. */
  get isOpen(): boolean {
    return this.#holder !== null && existsSync(this.#holder.paths.open);
  }

  /** Of a name that is held. False: the holder has lost it, and has not created the object. */
  async put(key: string, bytes: Uint8Array): Promise<boolean> {
    const holder = this.#holder!;
    try {
      const writing = holder.put(key, bytes);
      if (writing !== null) await writing;
    } catch (error) {
      this.#drop(holder);
      await holder.fail();
      throw error;
    }
    if (holder.failing !== null) await holder.failing;
    else if (existsSync(holder.paths.open)) {
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
    await this.#beginning;
    if (this.#holder !== null) this.#drop(this.#holder);
    await this.#closing;
    const few = this.#ended.reduce((sum, { liveObjects }) => sum + liveObjects, 0) <= MAX_RETIRED_AT_CLOSE;
    // What fails leaves the journals to answer, for a later process to retire.
    for (const { paths } of few ? this.#ended : []) await retireHolder(paths, { root: this.#options.root }).catch(() => {});
  }

  #drop(holder: Holder): void {
    if (this.#holder !== holder) return;
    this.#holder = null;
    // A rival has his chance before names are held again.
    this.#run = 0;
    this.#ended.push(holder);
    this.#closing = Promise.all([this.#closing, holder.close()]);
  }

  #begin(): void {
    this.#beginning ??= Holder.begin({ ...this.#options, flushMode: this.#flushMode })
      .then((holder) => {
        this.#holder = holder;
        return retireIdleHolders(this.#options.root);
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
