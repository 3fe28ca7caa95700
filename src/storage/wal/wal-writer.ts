/**
 * Group commit (B4): one put at a time; commits that arrive while it is under way share the next one. A commit that is followed by others waits for them for
 * one turn of the event loop: a store may be so fast that nobody comes while a put is under way (a flush that is waited for in place).
 *
 * - A single commit costs one put-if-absent; so does a group.
 * - A taken number (B5): our own abandoned object: the group goes to the next number, beginning again with the same sequence; another writer's of a higher epoch: fenced (B3).
 * - A failed put takes the whole group and all that waits down with STORE_UNAVAILABLE: their sequences build on each other. The next commit must be
 *   `durableSequence` + 1; one that builds on a failed commit is refused in the same way. Before that its number is given to a seal: then no store can make the
 *   object later. Where that fails too, the outcome of the group, not of what waits, is unknown.
 * - Whatever puts an object under a number settles it before the number is left (B10): it holds the commit, a seal, or the start of a successor's epoch, and these are never taken away while
 *   a put of this writer may still be on its way (collect-garbage.ts). So a writer that was paused for any time, by any clock, meets its successor at the number that it writes next.
 */
import { assert, type Clock, GraphDBError, nextTurn } from '../../base/index.ts';
import type { ObjectStore } from '../../object-store/index.ts';
import type { AppendOptions, Commit } from '../api.ts';
import { corruption, fenced, inDoubt, isStoreUnavailable } from '../faults.ts';
import { walKey } from '../keys.ts';
import { type PutOutcome, putSettled, tryToRead } from '../settled-put.ts';
import { COMMIT_OVERHEAD_BYTES, decodeWalObject, encodeWalObject, type WalObject } from './wal-object.ts';
import type { WalSegment } from './wal-replay.ts';

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
  /** Asks the manifests: the epoch of another writer that has taken over, or null. */
  readonly findSuccessor: () => Promise<number | null>;
  readonly onFenced: (error: GraphDBError) => void;
}

interface Waiting {
  readonly resolve: () => void;
  readonly reject: (error: unknown) => void;
}

interface PendingCommit extends Waiting {
  readonly commit: Commit;
  readonly followed: boolean;
}

export class WalWriter {
  readonly #options: WalWriterOptions;
  #nextNumber: number;
  #segments: WalSegment[];
  #durableSequence: number;
  #acceptedSequence: number;
  #queue: PendingCommit[] = [];
  /** Who waits for the answer that nobody has taken over, and for all commits in the queue. */
  #confirmations: Waiting[] = [];
  /** What stands under the next number cannot be told: a commit that failed, its seal, or nothing yet. */
  #isUnsettled = false;
  /** Numbers that this writer has given to seals. */
  readonly #seals = new Set<number>();
  /** The lowest number with a commit that was given up, made all the same, and is not taken back by a later object yet: who reads the log must meet it. */
  #givenUp: number | null = null;
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
  }

  get durableSequence(): number {
    return this.#durableSequence;
  }

  get nextNumber(): number {
    return this.#nextNumber;
  }

  get seals(): ReadonlySet<number> {
    return this.#seals;
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

  /** See `Namespace.confirmWriter`. */
  confirm(): Promise<void> {
    const refusal = this.#ended ?? this.#refusing;
    if (refusal !== null) return Promise.reject(refusal);
    return new Promise((resolve, reject) => {
      this.#confirmations.push({ resolve, reject });
      this.#running ??= this.#run();
    });
  }

  /**
   * Puts the end of the epoch, after everything else: it tells successors that no put of this writer is on its way. Where that fails, they keep what fences it.
   * One put, which is not repeated.
   */
  async finish(signal: AbortSignal): Promise<void> {
    assert(this.#running === null, 'nothing is under way when the epoch ends');
    if (this.#ended !== null || this.#isUnsettled) return;
    const { store } = this.#options;
    const created = await store.putIfAbsent(walKey(this.#nextNumber), this.#encode('epoch-end', this.#nextNumber), { signal });
    if (created) this.#nextNumber++;
  }

  /** The first number that holds a commit after `sequence`, or will. */
  floorFor(sequence: number): number {
    return this.#segments.find((segment) => segment.lastSequence > sequence)?.number ?? this.#givenUp ?? this.#nextNumber;
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
    while (this.#queue.length + this.#confirmations.length > 0) {
      // Commits of the same tick share a put, and where more are about to come, those of the same turn of the event loop.
      await (this.#queue.at(-1)?.followed ? nextTurn() : null);
      const group = this.#takeGroup();
      const confirmations = this.#queue.length > 0 ? [] : this.#confirmations.splice(0);
      try {
        if (this.#ended !== null) throw this.#ended;
        // The first put under a number that nobody has used tells as much as a look at it.
        if (group.length > 0) await this.#store(group.map(({ commit }) => commit));
        else await this.#checkNextNumber();
        for (const { resolve } of [...group, ...confirmations]) resolve();
      } catch (error) {
        const explained = await this.#explain(error);
        for (const { reject } of confirmations) reject(explained);
        if (group.length > 0) this.#fail(group, explained);
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
    const waiting = this.#queue.splice(0);
    for (const { reject } of this.#confirmations.splice(0)) reject(error);
    this.#acceptedSequence = this.#durableSequence;
    this.#rolledBack = true;
    for (const { reject } of group) reject(error);
    const isUnknown = error instanceof GraphDBError && error.outcomeUnknown;
    for (const { commit, reject } of waiting) reject(isUnknown ? this.#outOfOrder(commit.sequence) : error);
  }

  async #store(commits: readonly Commit[]): Promise<void> {
    assert(commits[0]!.sequence === this.#durableSequence + 1, 'B2: sequences are dense');
    if (this.#isUnsettled) await this.#settleNumber();
    for (;;) {
      const number = this.#nextNumber;
      const outcome = await this.#putOrSeal(number, this.#encode('commits', number, commits));
      if (outcome.kind === 'created') {
        this.#nextNumber++;
        this.#durableSequence += commits.length;
        this.#givenUp = null;
        this.#segments.push({ number, lastSequence: this.#durableSequence });
        return;
      }
      if (outcome.kind === 'vanished') throw await this.#contradiction(number);
      await this.#passTaken(number, outcome.existing);
    }
  }

  #encode(kind: WalObject['kind'], number: number, commits: readonly Commit[] = []): Uint8Array {
    const { epoch, writerId } = this.#options;
    return encodeWalObject({ kind, number, epoch, writerId, firstSequence: this.#durableSequence + 1, commits });
  }

  /** STORE_UNAVAILABLE: the object is not there and will not be; or, `outcomeUnknown`, it may be made later. */
  async #putOrSeal(number: number, bytes: Uint8Array): Promise<PutOutcome> {
    const { store, clock, signal } = this.#options;
    this.#isUnsettled = true;
    try {
      const outcome = await putSettled(store, walKey(number), bytes, { clock, signal });
      this.#isUnsettled = false;
      return outcome;
    } catch (error) {
      if (!isStoreUnavailable(error) || error.outcomeUnknown) throw error;
      const outcome = await this.#seal(number).catch((failure) => throwInDoubt(isStoreUnavailable(failure) ? error : failure));
      if (outcome.kind === 'created') throw error;
      return outcome.kind === 'taken' && Buffer.compare(outcome.existing, bytes) === 0 ? { kind: 'created' } : outcome;
    }
  }

  /** Gives the number to a seal, unless it is taken. STORE_UNAVAILABLE: that cannot be told. */
  async #seal(number: number): Promise<PutOutcome> {
    const { store, clock, signal } = this.#options;
    const outcome = await putSettled(store, walKey(number), this.#encode('seal', number), { clock, signal });
    this.#isUnsettled = false;
    if (outcome.kind === 'created') {
      this.#seals.add(number);
      this.#givenUp = null;
      this.#nextNumber++;
    }
    return outcome;
  }

  /** Before the number is used for anything else: an earlier put may still be carried out, and must not be taken for what is put now. */
  async #settleNumber(): Promise<void> {
    const number = this.#nextNumber;
    const outcome = await this.#seal(number);
    if (outcome.kind === 'taken') await this.#passTaken(number, outcome.existing);
    if (outcome.kind === 'vanished') throw await this.#contradiction(number);
  }

  /** Nobody has taken over as long as nobody has put anything under the next number (B3). */
  async #checkNextNumber(): Promise<void> {
    const { store, clock, signal } = this.#options;
    for (;;) {
      const number = this.#nextNumber;
      const size = await tryToRead(() => store.size(walKey(number)), { clock, signal });
      if (size === null) return;
      const existing = await tryToRead(() => store.get(walKey(number)), { clock, signal });
      if (existing === null) throw await this.#contradiction(number);
      await this.#passTaken(number, existing);
      this.#isUnsettled = false;
    }
  }

  /** The object was there and was not: it may have been ours, read by a successor and removed. */
  async #contradiction(number: number): Promise<GraphDBError> {
    await this.#checkSuccessor().catch(throwInDoubt);
    return inDoubt(new GraphDBError('STORE_UNAVAILABLE', `${walKey(number)} was there and was not: the store contradicts itself`));
  }

  /** A number that is taken: goes past our own object, which was abandoned and made all the same, else throws. */
  async #passTaken(number: number, existing: Uint8Array): Promise<void> {
    const { epoch, writerId } = this.#options;
    const object = decodeWalObject(number, existing);
    if (object.epoch > epoch) await this.#checkSuccessor();
    if (object.epoch !== epoch || object.writerId !== writerId)
      throw corruption(
        walKey(number),
        `an object of epoch ${object.epoch} was put by another writer, and no manifest knows an epoch after ${epoch} (B2)`,
      );
    if (object.kind === 'seal') {
      this.#seals.add(number);
      this.#givenUp = null;
    } else this.#givenUp ??= number;
    this.#nextNumber++;
  }

  async #checkSuccessor(): Promise<void> {
    const successor = await this.#options.findSuccessor();
    if (successor !== null) throw this.#becomeFenced(successor);
  }

  #becomeFenced(byEpoch: number): GraphDBError {
    const error = fenced({ epochs: { own: this.#options.epoch, successor: byEpoch } });
    this.#ended ??= error;
    this.#options.onFenced(error);
    return error;
  }
}

/** Of what is found out after the put of a commit. */
function throwInDoubt(error: unknown): never {
  throw error instanceof GraphDBError ? inDoubt(error, error) : error;
}
