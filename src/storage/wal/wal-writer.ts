/**
 * Group commit (B4): a few puts are in flight at once; commits that arrive while no further put may begin share the
 * next one. A commit that announces another waits for it for one turn of the event loop: a store may be so fast that no
 * commit comes while a put is under way (a flush in place).
 *
 * - A single commit costs one put-if-absent; so does a group. Every 64th put asks the manifests whether another writer
 *   has taken over: a successor cannot overtake a writer that puts number after number (B3).
 * - A group is confirmed when its object and all lower numbers are stored. An object holds how many lower numbers were
 *   in flight when it was put (`depth`), and does not count unless all of these do.
 * - A number that is taken by an object of a higher epoch (B5) means that this writer is fenced (B3). The object cannot
 *   be a former writer's: the numbers that one may have had in flight were closed when the namespace was opened.
 * - A put that fails makes all later ones in flight and all waiting commits fail with STORE_UNAVAILABLE: their
 *   sequences build on each other. The next commit must be `durableSequence` + 1; one that builds on a failed commit is
 *   refused in the same way. Before that the failed number is given to a seal: then no store can create the object
 *   later, and objects behind it do not count. If that fails too, the outcome of all commits in flight, but not of
 *   waiting ones, is unknown.
 * - A commit that is too large for an object of the log, or for which there is no memory, fails before its number is used.
 * - Before a new number is used, every failed number is settled, the lowest first (B10): it holds the commit, a seal,
 *   or the start of a successor's epoch, and these are never removed while a put of this writer may still be on its way
 *   (collect-garbage.ts). So a writer that was paused for any time, by any clock, meets its successor at the lowest
 *   number that it has in flight, or writes next.
 */
import { assert, type Clock, GraphDBError, nextTurn } from '../../base/index.ts';
import type { AppendOptions, Commit } from '../api.ts';
import { isStoreUnavailable } from '../faults.ts';
import type { PutOutcome } from '../settled-put.ts';
import { type LogWindow, PutPacing } from './put-pacing.ts';
import { throwInDoubt, WalNumbers, type WalNumbersOptions } from './wal-numbers.ts';
import { COMMIT_OVERHEAD_BYTES, MOST_CHANGES_BYTES } from './wal-object.ts';
import type { WalSegment } from './wal-replay.ts';

const GROUP_BYTES = 32 * 2 ** 20;
/** After this many puts the manifests are asked for a successor. */
const PUTS_PER_LOOK = 64;

/** The options of a WAL writer. */
export interface WalWriterOptions extends WalNumbersOptions {
  readonly window: LogWindow;
  readonly nextNumber: number;
  readonly lastSequence: number;
  readonly segments: readonly WalSegment[];
}

interface Waiting {
  readonly resolve: () => void;
  readonly reject: (error: unknown) => void;
}

interface PendingCommit extends Waiting {
  readonly commit: Commit;
  readonly followed: boolean;
}

/** A put in flight. */
interface PutInFlight {
  readonly number: number;
  readonly bytes: Uint8Array;
  readonly firstSequence: number;
  readonly lastSequence: number;
  readonly begunAtMs: number;
  /** The promises of its commits, and others that are settled with this put. */
  readonly waiting: Waiting[];
  readonly outcome: Promise<PutOutcome | FailedPut>;
}

interface FailedPut {
  readonly kind: 'failed';
  readonly error: unknown;
}

/** The puts that were in flight when one failed, to be settled before a new number is used. */
interface FailedWindow {
  /** The lowest failed number: the WAL floor must not rise above it until the window is settled. */
  readonly from: number;
  /** The puts that are not settled, ascending by number. */
  readonly puts: PutInFlight[];
  /** Whether a lower number holds a seal, so that objects behind it do not count. */
  isSealed: boolean;
}

/** Writes commits to the WAL. */
export class WalWriter {
  readonly #numbers: WalNumbers;
  readonly #clock: Clock;
  readonly #mostPuts: number;
  readonly #pacing: PutPacing;
  /** The first number that was never used. */
  #nextNumber: number;
  /** The highest number whose commits are durable. */
  #storedNumber = 0;
  #segments: WalSegment[];
  #durableSequence: number;
  #acceptedSequence: number;
  #queue: PendingCommit[] = [];
  /** The promises of `confirm`, which wait for all commits in the queue and for the proof that nobody has taken over. */
  #confirmations: Waiting[] = [];
  /** The puts in flight, ascending by number, without gaps. */
  #inFlight: PutInFlight[] = [];
  #failed: FailedWindow | null = null;
  /**
   * The lowest number whose commit was given up, yet stored, and not taken back by a later object so far: the WAL floor
   * must not rise above it. Null when there is none.
   */
  #givenUp: number | null = null;
  #running: Promise<void> | null = null;
  /** The epoch of a writer that has taken over, as the manifests told; null when none is known. */
  #successor: number | null = null;
  /** The number of looks at the next number that are under way. */
  #looks = 0;
  /** Wakes the loop of `#run`: resolves when there may be something to do. */
  #news = Promise.withResolvers<void>();
  #isTimerSet = false;
  /** Whether a put has failed and the caller has not yet gone on from the durable sequence. */
  #rolledBack = false;
  /** The error with which new commits are refused; null while they are taken. */
  #refusing: GraphDBError | null = null;
  /** The error that ended all writing; null while the writer works. */
  #ended: GraphDBError | null = null;

  constructor(options: WalWriterOptions) {
    this.#numbers = new WalNumbers(options);
    this.#clock = options.clock;
    this.#mostPuts = options.window.puts;
    this.#pacing = new PutPacing(options.window);
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
    return this.#numbers.seals;
  }

  append(commit: Commit, { followed = false }: AppendOptions = {}): Promise<void> {
    const refusal = this.#ended ?? this.#refusing;
    if (refusal !== null) return Promise.reject(refusal);
    if (commit.sequence !== this.#acceptedSequence + 1) return Promise.reject(this.#outOfOrder(commit.sequence));
    if (commit.changes.length > MOST_CHANGES_BYTES) {
      this.#rolledBack = true;
      return Promise.reject(tooLarge(commit));
    }
    this.#rolledBack = false;
    this.#acceptedSequence = commit.sequence;
    return new Promise((resolve, reject) => {
      this.#queue.push({ commit, followed, resolve, reject });
      this.#goOn();
    });
  }

  /** See `Namespace.confirmWriter`. */
  confirm(): Promise<void> {
    const refusal = this.#ended ?? this.#refusing;
    if (refusal !== null) return Promise.reject(refusal);
    return new Promise((resolve, reject) => {
      this.#confirmations.push({ resolve, reject });
      this.#goOn();
    });
  }

  /**
   * Puts the end of the epoch, after everything else: it tells successors that no put of this writer is on its way. If
   * that fails, successors keep the objects that fence this writer. One put, which is not repeated.
   */
  async finish(signal: AbortSignal): Promise<void> {
    assert(this.#running === null, 'nothing is under way when the epoch ends');
    if (this.#ended !== null || this.#failed !== null) return;
    if (await this.#numbers.putEnd(this.#nextNumber, this.#durableSequence + 1, signal)) this.#nextNumber++;
  }

  /**
   * Returns the first number that holds, or will hold, a commit after `sequence`. All objects below it count, so it
   * never lies within a window that has failed.
   */
  floorFor(sequence: number): number {
    const next = this.#givenUp ?? this.#failed?.from ?? this.#inFlight[0]?.number ?? this.#nextNumber;
    return this.#segments.find((segment) => segment.lastSequence > sequence)?.number ?? next;
  }

  /** Forgets the segments below the floor. */
  moveFloor(floor: number): void {
    this.#segments = this.#segments.filter((segment) => segment.number >= floor);
  }

  /** Refuses new commits; waiting ones are still written. */
  refuse(error: GraphDBError): void {
    this.#refusing ??= error;
  }

  /** Ends all writing; waiting commits fail with `error`. */
  end(error: GraphDBError): void {
    this.#ended ??= error;
  }

  /** Resolves when no put is under way and none waits. */
  async drain(): Promise<void> {
    while (this.#running !== null) await this.#running;
  }

  #outOfOrder(sequence: number): GraphDBError {
    const expected = this.#acceptedSequence + 1;
    if (this.#rolledBack && sequence > expected) return builtOnFailed();
    return new GraphDBError('INTERNAL', `internal error: B2: commit ${sequence} is out of order, expected ${expected}`);
  }

  #goOn(): void {
    this.#news.resolve();
    this.#running ??= this.#run();
  }

  async #run(): Promise<void> {
    while (this.#queue.length + this.#confirmations.length + this.#inFlight.length + this.#looks > 0) {
      this.#news = Promise.withResolvers();
      // Commits of the same tick share a put, and where more are about to come, those of the same turn of the event loop.
      await (this.#queue.at(-1)?.followed ? nextTurn() : null);
      if (this.#mayBegin()) await this.#begin();
      else if (this.#queue.length === 0 && this.#confirmations.length > 0 && this.#looks < this.#mostPuts) this.#look();
      else await this.#settleNext();
    }
    this.#running = null;
  }

  #mayBegin(): boolean {
    const { length } = this.#inFlight;
    if (this.#queue.length === 0 || length >= this.#mostPuts) return false;
    if (length === 0) return true;
    const waitMs = this.#pacing.waitMs(this.#clock.now());
    if (waitMs > 0) this.#wakeAfter(waitMs);
    return waitMs === 0;
  }

  #wakeAfter(ms: number): void {
    if (this.#isTimerSet) return;
    this.#isTimerSet = true;
    const wake = (): void => {
      this.#isTimerSet = false;
      this.#news.resolve();
    };
    this.#clock.sleep(Math.ceil(ms)).then(wake, wake);
  }

  async #begin(): Promise<void> {
    try {
      if (this.#ended !== null) throw this.#ended;
      if (this.#successor !== null) throw this.#numbers.becomeFenced(this.#successor);
      await this.#settleFailed();
    } catch (error) {
      this.#failWaiting(await this.#numbers.explain(error));
      return;
    }
    const group = this.#takeGroup();
    // A put under the next number proves as much as a look at it.
    const confirmations = this.#queue.length > 0 ? [] : this.#confirmations.splice(0);
    try {
      this.#put(group, confirmations);
    } catch (error) {
      for (const { reject } of [...group, ...confirmations]) reject(error);
      this.#failWaiting(error);
    }
  }

  #put(group: readonly PendingCommit[], confirmations: readonly Waiting[]): void {
    const commits = group.map(({ commit }) => commit);
    const number = this.#nextNumber;
    const firstSequence = (this.#inFlight.at(-1)?.lastSequence ?? this.#durableSequence) + 1;
    assert(commits[0]!.sequence === firstSequence, 'B2: sequences are dense');
    // There may be no memory for the object. A number that nothing is put under would be a gap in the log, so it is used only now.
    const bytes = this.#numbers.encode({ kind: 'commits', number, depth: this.#inFlight.length, firstSequence, commits });
    this.#nextNumber++;
    const begunAtMs = this.#clock.now();
    this.#pacing.begun(begunAtMs);
    this.#inFlight.push({
      number,
      bytes,
      firstSequence,
      lastSequence: firstSequence + commits.length - 1,
      begunAtMs,
      waiting: [...group, ...confirmations],
      outcome: this.#numbers.put(number, bytes).catch((error: unknown) => ({ kind: 'failed', error })),
    });
    if (number % PUTS_PER_LOOK === 0) void this.#askForSuccessor();
  }

  /** Asks the manifests for a successor, beside the puts; the next put fails if there is one. */
  async #askForSuccessor(): Promise<void> {
    this.#successor = await this.#numbers.askForSuccessor();
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

  /** Waits for the outcome of the lowest number in flight, and settles it, or for news. */
  async #settleNext(): Promise<void> {
    const [lowest] = this.#inFlight;
    const news = this.#news.promise.then(() => null);
    const outcome = await (lowest === undefined ? news : Promise.race([lowest.outcome, news]));
    if (lowest === undefined || outcome === null) return;
    try {
      if (await this.#isStored(lowest, outcome)) this.#noteStored(lowest);
      else this.#failInFlight((outcome as FailedPut).error, true); // as: only of a put that failed the number is given to a seal
    } catch (error) {
      this.#failInFlight(await this.#numbers.explain(error), false);
    }
  }

  #noteStored({ number, lastSequence, begunAtMs, waiting }: PutInFlight): void {
    this.#inFlight.shift();
    this.#pacing.answered(this.#clock.now() - begunAtMs);
    this.#storedNumber = number;
    this.#durableSequence = lastSequence;
    this.#givenUp = null;
    this.#segments.push({ number, lastSequence });
    for (const { resolve } of waiting) resolve();
  }

  /**
   * Whether the object of the lowest number in flight is stored; false when the number holds a seal.
   * @throws STORE_UNAVAILABLE with `outcomeUnknown` when the store may still create the object
   */
  async #isStored({ number, bytes, firstSequence }: PutInFlight, outcome: PutOutcome | FailedPut): Promise<boolean> {
    let known = outcome;
    if (known.kind === 'failed') {
      const { error } = known;
      if (!isStoreUnavailable(error) || error.outcomeUnknown) throw error;
      known = await this.#numbers
        .seal(number, firstSequence)
        .catch((failure) => throwInDoubt(isStoreUnavailable(failure) ? error : failure));
      if (known.kind === 'created') {
        this.#givenUp = null;
        return false;
      }
      if (known.kind === 'taken' && Buffer.compare(known.existing, bytes) === 0) return true;
    }
    if (known.kind === 'created') return true;
    if (known.kind === 'taken') await this.#numbers.explainTaken(number, known.existing);
    throw await this.#numbers.contradiction(number);
  }

  #failInFlight(error: unknown, isSealed: boolean): void {
    const failed = this.#inFlight.splice(0);
    const [lowest, ...others] = failed;
    const puts = isSealed ? others : failed;
    this.#failed = puts.length === 0 ? null : { from: lowest!.number, puts, isSealed };
    this.#failWaiting(error, failed);
  }

  /** Fails the puts `failed`, and everything in the queue, none of which was put. */
  #failWaiting(error: unknown, failed: readonly PutInFlight[] = []): void {
    const queued = [...this.#queue.splice(0), ...this.#confirmations.splice(0)];
    this.#acceptedSequence = this.#inFlight.at(-1)?.lastSequence ?? this.#durableSequence;
    this.#rolledBack = true;
    for (const { reject } of failed.flatMap(({ waiting }) => waiting)) reject(error);
    const isUnknown = error instanceof GraphDBError && error.outcomeUnknown;
    for (const { reject } of queued) reject(isUnknown ? builtOnFailed() : error);
  }

  /** Settles failed puts, lowest number first, for successors to read. @throws STORE_UNAVAILABLE when an outcome is unknown */
  async #settleFailed(): Promise<void> {
    const failed = this.#failed;
    if (failed === null) return;
    for (let put = failed.puts[0]; put !== undefined; put = failed.puts[0]) {
      const isSeal = (await put.outcome).kind !== 'created' && (await this.#sealFailed(put));
      if (isSeal) {
        failed.isSealed = true;
        this.#givenUp = null;
      } else if (!failed.isSealed) this.#givenUp ??= put.number;
      failed.puts.shift();
    }
    this.#failed = null;
  }

  /** Seals a failed number; true when it holds a seal, false when it holds the commit after all. */
  async #sealFailed({ number }: PutInFlight): Promise<boolean> {
    const outcome = await this.#numbers.seal(number, this.#durableSequence + 1);
    if (outcome.kind === 'vanished') throw await this.#numbers.contradiction(number);
    return outcome.kind === 'created' || (await this.#numbers.explainTaken(number, outcome.existing)).kind === 'seal';
  }

  #look(): void {
    const waiting = this.#confirmations.splice(0);
    this.#looks++;
    const ended = (): void => {
      this.#looks--;
      this.#news.resolve();
    };
    this.#checkNextNumber()
      .then(
        () => waiting.forEach(({ resolve }) => void resolve()),
        async (error: unknown) => {
          const explained = await this.#numbers.explain(error);
          for (const { reject } of waiting) reject(explained);
        },
      )
      .then(ended, ended);
  }

  /** Proves that nobody has taken over: the next number is free, and all lower ones are or become ours (B3). */
  async #checkNextNumber(): Promise<void> {
    if (this.#ended !== null) throw this.#ended;
    const first = this.#nextNumber;
    const last = this.#inFlight.at(-1);
    const before = last === undefined ? Promise.resolve() : stored(last);
    before.catch(() => {}); // It is waited for below.
    for (let number = this.#failed?.puts[0]?.number ?? first; ; number++) {
      if ((await this.#numbers.look(number)) === null) break;
      // The object is ours. A put since the call proves as much as a look.
      const put = this.#inFlight.find((each) => each.number === number);
      if (put !== undefined && number >= first) await stored(put);
      if (number >= first && number <= this.#storedNumber) break;
    }
    await before;
  }
}

/** Resolves when the put and all before it are durable. */
function stored(put: PutInFlight): Promise<void> {
  return new Promise((resolve, reject) => void put.waiting.push({ resolve, reject }));
}

function tooLarge({ changes }: Commit): GraphDBError {
  const what = `the transaction has ${changes.length} bytes of changes, and one commit holds at most ${MOST_CHANGES_BYTES}`;
  return new GraphDBError('UNSUPPORTED', `${what}; make them in several transactions`);
}

function builtOnFailed(): GraphDBError {
  return new GraphDBError('STORE_UNAVAILABLE', `the commit builds on one that could not be stored; nothing of it was kept, try again`);
}
