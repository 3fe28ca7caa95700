/**
 * Group commit (B4): one put at a time; commits that arrive while it is under way share the next one. A commit that is followed by others waits for them for
 * one turn of the event loop: a store may be so fast that nobody comes while a put is under way (a flush that is waited for in place).
 *
 * - A single commit costs one put-if-absent; so does a group.
 * - A taken number (B5): our own abandoned object: the group goes to the next number, beginning again with the same sequence; another writer's of a higher epoch: fenced (B3).
 * - A failed put takes the whole group and all that waits down with STORE_UNAVAILABLE: their sequences build on each other. The next commit must be
 *   `durableSequence` + 1; one that builds on a failed commit is refused in the same way. Before that its number is given to a seal: then no store can make the
 *   object later. Where that fails too, the outcome of the group, not of what waits, is unknown.
 * - A writer that slept proves that it is not fenced before it puts; one that slept during a put, before it answers (docs/storage-format.md, "Sleeping writers").
 */
import { setImmediate as turn } from 'node:timers/promises';
import { assert, GraphDBError } from '../../base/index.ts';
import type { Clock, ObjectStore } from '../../object-store/index.ts';
import type { AppendOptions, Commit } from '../api.ts';
import { corruption, fenced, inDoubt, isStoreUnavailable } from '../faults.ts';
import { walKey } from '../keys.ts';
import { type PutOutcome, putSettled } from '../settled-put.ts';
import { COMMIT_OVERHEAD_BYTES, decodeWalObject, encodeWalObject } from './wal-object.ts';
import type { WalSegment } from './wal-replay.ts';

/** A writer that knew itself unfenced within this time need not ask. Collectors keep what fences for twice as long. */
export const FENCE_PROOF_MS = 5 * 60_000;

const GROUP_BYTES = 32 * 2 ** 20;

export interface WalWriterOptions {
  readonly store: ObjectStore;
  readonly clock: Clock;
  readonly signal: AbortSignal;
  readonly epoch: number;
  readonly writerId: string;
  readonly nextNumber: number;
  readonly lastSequence: number;
  readonly segments: readonly WalSegment[];
  /** When this writer last knew that nobody had taken over. */
  readonly unfencedAtMs: number;
  /** Asks the manifests: the epoch of another writer that has taken over, or null. */
  readonly findSuccessor: () => Promise<number | null>;
  readonly onFenced: (error: GraphDBError) => void;
}

interface PendingCommit {
  readonly commit: Commit;
  readonly followed: boolean;
  readonly resolve: () => void;
  readonly reject: (error: unknown) => void;
}

export class WalWriter {
  readonly #options: WalWriterOptions;
  #nextNumber: number;
  #segments: WalSegment[];
  #durableSequence: number;
  #acceptedSequence: number;
  #unfencedAtMs: number;
  #queue: PendingCommit[] = [];
  #running: Promise<void> | null = null;
  /** After a failure, until the caller goes on from the durable sequence. */
  #rolledBack = false;
  /** Why no more commits are taken. */
  #refusing: GraphDBError | null = null;
  /** Why nothing is written any more. */
  #ended: GraphDBError | null = null;

  constructor(options: WalWriterOptions) {
    this.#options = options;
    this.#nextNumber = options.nextNumber;
    this.#segments = [...options.segments];
    this.#durableSequence = options.lastSequence;
    this.#acceptedSequence = options.lastSequence;
    this.#unfencedAtMs = options.unfencedAtMs;
  }

  get durableSequence(): number {
    return this.#durableSequence;
  }

  get nextNumber(): number {
    return this.#nextNumber;
  }

  append(commit: Commit, { followed = false }: AppendOptions = {}): Promise<void> {
    const refusal = this.#ended ?? this.#refusing;
    if (refusal !== null) return Promise.reject(refusal);
    if (commit.sequence !== this.#acceptedSequence + 1) return Promise.reject(this.#outOfOrder(commit.sequence));
    this.#rolledBack = false;
    this.#acceptedSequence = commit.sequence;
    return new Promise((resolve, reject) => {
      this.#queue.push({ commit, followed, resolve, reject });
      this.#running ??= this.#run();
    });
  }

  /** The first number that holds a commit after `sequence`, or will. */
  floorFor(sequence: number): number {
    return this.#segments.find((segment) => segment.lastSequence > sequence)?.number ?? this.#nextNumber;
  }

  /** Forgets which objects below the floor held what. */
  moveFloor(floor: number): void {
    this.#segments = this.#segments.filter((segment) => segment.number >= floor);
  }

  /** Takes no more commits; what waits is still written. */
  refuse(error: GraphDBError): void {
    this.#refusing ??= error;
  }

  /** Nothing is written any more; what waits fails with `error`. */
  end(error: GraphDBError): void {
    this.#ended ??= error;
  }

  /** Resolves when nothing is under way. */
  async drain(): Promise<void> {
    while (this.#running !== null) await this.#running;
  }

  #outOfOrder(sequence: number): GraphDBError {
    const expected = this.#acceptedSequence + 1;
    if (this.#rolledBack && sequence > expected) {
      return new GraphDBError('STORE_UNAVAILABLE', `the commit builds on one that could not be stored; nothing of it was kept, try again`);
    }
    return new GraphDBError('INTERNAL', `internal error: B2: commit ${sequence} is out of order, expected ${expected}`);
  }

  async #run(): Promise<void> {
    while (this.#queue.length > 0) {
      // Commits of the same tick share a put, and where more are about to come, those of the same turn of the event loop.
      await (this.#queue.at(-1)!.followed ? turn() : null);
      const group = this.#takeGroup();
      try {
        if (this.#ended !== null) throw this.#ended;
        await this.#store(group.map(({ commit }) => commit));
        for (const { resolve } of group) resolve();
      } catch (error) {
        this.#fail(group, await this.#explain(error));
      }
    }
    this.#running = null;
  }

  /** Who comes so late that numbers have been removed finds objects that do not fit: no damage, where a successor has taken over. */
  async #explain(error: unknown): Promise<unknown> {
    if (!(error instanceof GraphDBError) || error.code !== 'CORRUPTION') return error;
    try {
      await this.#checkSuccessor();
      return error;
    } catch (explanation) {
      return explanation;
    }
  }

  #takeGroup(): PendingCommit[] {
    let bytes = 0;
    let count = 0;
    for (const { commit } of this.#queue) {
      bytes += commit.changes.length + COMMIT_OVERHEAD_BYTES;
      if (count > 0 && bytes > GROUP_BYTES) break;
      count++;
    }
    return this.#queue.splice(0, count);
  }

  #fail(group: readonly PendingCommit[], error: unknown): void {
    const waiting = this.#queue;
    this.#queue = [];
    this.#acceptedSequence = this.#durableSequence;
    this.#rolledBack = true;
    for (const { reject } of group) reject(error);
    const isUnknown = error instanceof GraphDBError && error.outcomeUnknown;
    for (const { commit, reject } of waiting) reject(isUnknown ? this.#outOfOrder(commit.sequence) : error);
  }

  async #store(commits: readonly Commit[]): Promise<void> {
    const { epoch, writerId, clock } = this.#options;
    const firstSequence = commits[0]!.sequence;
    assert(firstSequence === this.#durableSequence + 1, 'B2: sequences are dense');
    for (;;) {
      const number = this.#nextNumber;
      if (this.#mustProveUnfenced()) await this.#proveUnfenced();
      const startedAtMs = clock.now();
      const bytes = encodeWalObject({ kind: 'commits', number, epoch, writerId, firstSequence, commits });
      const outcome = await this.#putOrSeal(number, bytes);
      if (outcome.kind === 'created') {
        if (this.#mustProveUnfenced()) await this.#proveUnfenced().catch(throwInDoubt);
        this.#unfencedAtMs = startedAtMs;
        this.#nextNumber++;
        this.#durableSequence = firstSequence + commits.length - 1;
        this.#segments.push({ number, lastSequence: this.#durableSequence });
        return;
      }
      if (outcome.kind === 'vanished') {
        // It may have been ours: read by a successor, and removed.
        await this.#checkSuccessor().catch(throwInDoubt);
        throw inDoubt(new GraphDBError('STORE_UNAVAILABLE', `${walKey(number)} was there and was not: the store contradicts itself`));
      }
      this.#passTaken(number, outcome.existing);
    }
  }

  /** STORE_UNAVAILABLE: the object is not there and will not be; or, `outcomeUnknown`, it may be made later. */
  async #putOrSeal(number: number, bytes: Uint8Array): Promise<PutOutcome> {
    const { store, clock, signal } = this.#options;
    try {
      return await putSettled(store, walKey(number), bytes, { clock, signal });
    } catch (error) {
      if (!isStoreUnavailable(error) || error.outcomeUnknown) throw error;
      const outcome = await this.#seal(number, error);
      if (outcome.kind === 'created') {
        this.#nextNumber++;
        throw error;
      }
      return outcome.kind === 'taken' && Buffer.compare(outcome.existing, bytes) === 0 ? { kind: 'created' } : outcome;
    }
  }

  async #seal(number: number, failure: GraphDBError): Promise<PutOutcome> {
    const { epoch, writerId, store, clock, signal } = this.#options;
    const bytes = encodeWalObject({ kind: 'seal', number, epoch, writerId, firstSequence: this.#durableSequence + 1, commits: [] });
    try {
      if (this.#mustProveUnfenced()) await this.#proveUnfenced();
      const outcome = await putSettled(store, walKey(number), bytes, { clock, signal });
      if (this.#mustProveUnfenced()) await this.#proveUnfenced();
      return outcome;
    } catch (error) {
      return throwInDoubt(isStoreUnavailable(error) ? failure : error);
    }
  }

  /** A number that is taken: goes past our own abandoned object, else throws. */
  #passTaken(number: number, existing: Uint8Array): void {
    const { epoch, writerId } = this.#options;
    const object = decodeWalObject(number, existing);
    if (object.epoch > epoch) throw this.#becomeFenced(object.epoch);
    if (object.writerId !== writerId)
      throw corruption(walKey(number), `an object of epoch ${object.epoch} was put by another writer after epoch ${epoch} had begun (B2)`);
    this.#nextNumber++;
  }

  /** Before a put, and after it: has so much time passed since the last proof? */
  #mustProveUnfenced(): boolean {
    return this.#options.clock.now() - this.#unfencedAtMs > FENCE_PROOF_MS;
  }

  /** Asks the manifests. */
  async #proveUnfenced(): Promise<void> {
    const nowMs = this.#options.clock.now();
    await this.#checkSuccessor();
    this.#unfencedAtMs = nowMs;
  }

  async #checkSuccessor(): Promise<void> {
    const successor = await this.#options.findSuccessor();
    if (successor !== null) throw this.#becomeFenced(successor);
  }

  #becomeFenced(byEpoch: number): GraphDBError {
    const error = fenced(this.#options.epoch, byEpoch);
    this.#ended ??= error;
    this.#options.onFenced(error);
    return error;
  }
}

/** Of what is found out after the put of a commit. */
function throwInDoubt(error: unknown): never {
  throw error instanceof GraphDBError ? inDoubt(error, error) : error;
}
