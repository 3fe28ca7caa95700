/**
 * Follows the writer of a namespace (B8): polls the next manifest version and the next WAL number.
 *
 * Cost of a poll: one get for the manifest and one for the WAL while nothing is new; of a new manifest only those
 * children are read that the one before did not have. The manifests are listed when the next one is there, when the log
 * says that another writer has begun, and every 30 seconds. When the WAL went on without the follower, everything is
 * read again.
 *
 * A follower may sleep through any number of polls. Commits that are read under the next number were committed under
 * it, even when the number was freed meanwhile: nobody puts other commits there (collect-garbage.ts). A seal or the
 * start of an epoch may have replaced the commits that stood there: a writer tried to put it, found the number taken,
 * and the store made the object after the commits had been collected. So the manifests are listed again when such an
 * object was read: where the files hold more than was met in the log, everything is read again. A freed manifest
 * version may be used again: a writer that was paused puts one before it learns that it is fenced. The highest version
 * is never removed, so a listing tells which one is in force.
 */
import { GraphDBError, Mutex } from '../base/index.ts';
import type { ObjectStore } from '../object-store/index.ts';
import type { Commit, Manifest, PollOptions, PollOutcome } from './api.ts';
import { readNewerManifest, readNextManifest } from './manifest/manifest-store.ts';
import type { NamespaceContext } from './namespace-context.ts';
import { checkEpochs, readState } from './read-state.ts';
import type { WalTail } from './wal/wal-tail.ts';

const LISTING_INTERVAL_MS = 30_000;

/** The state of a follower. */
export interface FollowerState {
  readonly manifest: Manifest;
  readonly tail: WalTail;
  readonly listedAtMs: number;
  /** The sequence of the last commit that was delivered to the caller. */
  readonly deliveredSequence: number;
}

/** Follows the writer of a namespace. */
export class Follower {
  readonly #context: NamespaceContext;
  readonly #turn = new Mutex();
  #manifest: Manifest;
  #tail: WalTail;
  #deliveredSequence: number;
  /** The generation of the content that was delivered to the caller. */
  #deliveredGeneration: number;
  #listedAtMs: number;

  constructor(context: NamespaceContext, state: FollowerState) {
    this.#context = context;
    this.#manifest = state.manifest;
    this.#tail = state.tail;
    this.#deliveredSequence = state.deliveredSequence;
    this.#deliveredGeneration = state.manifest.generation;
    this.#listedAtMs = state.listedAtMs;
  }

  get manifest(): Manifest {
    return this.#manifest;
  }

  get sequence(): number {
    return this.#deliveredSequence;
  }

  poll({ search = false, anew = false }: PollOptions): Promise<PollOutcome> {
    return this.#turn.with(() => (anew ? this.#rebase() : this.#poll(search)));
  }

  async #poll(search: boolean): Promise<PollOutcome> {
    await this.#followManifest(search);
    try {
      if (await this.#tail.follow()) await this.#followManifest(true);
      await this.#checkEpochs();
    } catch (error) {
      if (!(error instanceof GraphDBError) || error.code !== 'CORRUPTION') throw error;
      // The objects do not follow those read before: some between were removed, or one is damaged. Reading everything
      // again tells which.
      return this.#rebase();
    }
    // The files hold commits that were not met in the log: they have been removed, and a late put has taken their number.
    const { walFloor, sequence } = this.#manifest;
    const fellBehind = walFloor > this.#tail.nextNumber || sequence > this.#tail.replay.lastSequence;
    const otherContent =
      this.#manifest.generation !== this.#deliveredGeneration || this.#tail.replay.takenBackFrom <= this.#deliveredSequence;
    if (fellBehind || otherContent) return this.#rebase();
    return this.#deliver(this.#tail.replay.takeCommits(), false);
  }

  async #followManifest(search: boolean): Promise<void> {
    // The next version may have come and gone between two polls; then only a listing shows those after it.
    const nowMs = this.#context.clock.now();
    // A clock that was set back makes a listing due as well.
    if (search || Math.abs(nowMs - this.#listedAtMs) >= LISTING_INTERVAL_MS) {
      this.#listedAtMs = nowMs;
      this.#manifest = (await readNewerManifest(this.#store, this.#manifest)) ?? this.#manifest;
      return;
    }
    this.#manifest = (await readNextManifest(this.#store, this.#manifest)) ?? this.#manifest;
  }

  /** Checks that a manifest knows the newest epoch of the WAL: a new epoch is in a manifest before it is in the WAL. */
  async #checkEpochs(): Promise<void> {
    if (this.#tail.replay.epoch > this.#manifest.epoch) await this.#followManifest(true);
    checkEpochs(this.#tail, this.#manifest);
  }

  async #rebase(): Promise<PollOutcome> {
    const { manifest, tail, listedAtMs } = await readState(this.#context, [this.#manifest]);
    this.#listedAtMs = listedAtMs;
    this.#manifest = manifest;
    this.#tail = tail;
    this.#deliveredSequence = manifest.sequence;
    return this.#deliver(tail.replay.takeCommits(), true);
  }

  #deliver(commits: readonly Commit[], rebase: boolean): PollOutcome {
    this.#deliveredSequence = commits.at(-1)?.sequence ?? this.#deliveredSequence;
    this.#deliveredGeneration = this.#manifest.generation;
    this.#tail.replay.forget(this.#manifest.walFloor);
    return { manifest: this.#manifest, commits, rebase };
  }

  get #store(): ObjectStore {
    return this.#context.store;
  }
}
