/**
 * Reads commits from the log, in order, from a position on: for readers of changes, which may be far behind.
 *
 * A writer may take back commits that it never confirmed and begin again with their sequence (docs/storage-format.md,
 * "A commit that failed"), within as many objects as it has in flight. So commits are returned once that many objects
 * behind theirs have been read and stand, or when the log has been read to its end and the caller knows that they are
 * durable. Memory is bounded: some objects, fewer where they are large. Cost: one get per object, several at once; one
 * more (not found) at the end of the log.
 */
import { assert } from '../../base/index.ts';
import type { ObjectStore } from '../../object-store/index.ts';
import type { LogCursor, LoggedCommit, LogPosition } from '../api.ts';
import { mapConcurrently } from '../concurrency.ts';
import { gone } from '../faults.ts';
import { walKey } from '../keys.ts';
import { decodeWalObject, type WalObject, WINDOW } from '../wal/wal-object.ts';
import { WalReplay } from '../wal/wal-replay.ts';

/** How many objects behind one must have been read before its commits are returned, where the log goes on. */
const SETTLED_BEHIND = 2 * WINDOW;
const MOST_AT_ONCE = 16;
const BYTES_AT_ONCE = 4 * 2 ** 20;

/** Reads commits from the write-ahead log. */
export class WalLogCursor implements LogCursor {
  readonly #store: ObjectStore;
  readonly #replay: WalReplay;
  readonly #epoch: number;
  #nextNumber: number;
  /** The sequence of the last commit that was returned. */
  #sequence: number;
  /** Commits that have been read and not returned yet. */
  #pending: LoggedCommit[] = [];
  /** The size in bytes of the object that was read last. */
  #lastBytes = 0;

  constructor(store: ObjectStore, { sequence, walNumber, epoch }: LogPosition) {
    this.#store = store;
    this.#replay = new WalReplay(sequence, []);
    this.#epoch = epoch;
    this.#nextNumber = walNumber;
    this.#sequence = sequence;
  }

  async read(limit: number, signal?: AbortSignal): Promise<readonly LoggedCommit[]> {
    while (this.#sequence < limit) {
      const settled = this.#take(({ sequence, walNumber }) => sequence <= limit && walNumber < this.#nextNumber - SETTLED_BEHIND);
      if (settled.length > 0) return settled;
      if (await this.#readOn(signal)) continue;
      const all = this.#take(({ sequence }) => sequence <= limit);
      if (all.length > 0) return all;
      throw gone(`the change after commit ${this.#sequence} is not kept any more`);
    }
    return [];
  }

  #take(isWanted: (commit: LoggedCommit) => boolean): readonly LoggedCommit[] {
    const end = this.#pending.findIndex((commit) => !isWanted(commit));
    const taken = this.#pending.splice(0, end < 0 ? this.#pending.length : end);
    this.#sequence = taken.at(-1)?.sequence ?? this.#sequence;
    return taken;
  }

  /** Reads the next objects; false when the log ended before the requested number of them. */
  async #readOn(signal: AbortSignal | undefined): Promise<boolean> {
    const count = Math.max(1, Math.min(MOST_AT_ONCE, Math.floor(BYTES_AT_ONCE / Math.max(this.#lastBytes, 1))));
    const numbers = Array.from({ length: count }, (_, index) => this.#nextNumber + index);
    const read = await mapConcurrently(numbers, count, (number) => this.#store.get(walKey(number), { signal }));
    for (const bytes of read) {
      if (bytes === null) return false;
      this.#add(decodeWalObject(this.#nextNumber, bytes));
      this.#nextNumber++;
      this.#lastBytes = bytes.length;
    }
    return true;
  }

  #add(object: WalObject): void {
    if (object.epoch < this.#epoch) return;
    const { number: walNumber, epoch, writerId } = object;
    if (object.firstSequence > this.#replay.lastSequence + 1 && this.#replay.epoch === 0)
      throw gone(`the change after commit ${this.#sequence} is not kept any more`);
    this.#replay.add(object);
    const { takenBackFrom } = this.#replay;
    if (takenBackFrom <= this.#sequence) throw gone(`the writer has taken back commit ${takenBackFrom}, which it never answered`);
    this.#pending = this.#pending.filter(({ sequence }) => sequence < takenBackFrom);
    for (const commit of this.#replay.takeCommits()) this.#pending.push({ ...commit, walNumber, epoch, writerId });
    this.#replay.forget(object.number);
    assert(this.#pending.length === 0 || this.#pending[0]!.sequence === this.#sequence + 1, 'commits are given out densely');
  }
}
