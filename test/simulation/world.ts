/**
 * The state that everybody in one simulation shares: randomness, time, the bucket, and what is known about each
 * operation. Requests of different engines interleave at random and fail in the ways of real stores; an engine that
 * crashes never hears from the bucket again.
 */

import { createHash } from 'node:crypto';
import type { Clock } from '../../src/base/index.ts';
import type { ReadWorkers } from '../../src/engine/index.ts';
import { VirtualTime } from '../../src/engine/testing/virtual-time.ts';
import { intercept } from '../../src/object-store/decorators/intercept.ts';
import {
  dropMemoryStore,
  type FaultKind,
  type ObjectStore,
  openMemoryStore,
  type StoreRequest,
  withFaults,
} from '../../src/object-store/index.ts';
import type { LogWindow } from '../../src/storage/index.ts';
import { WINDOW } from '../../src/storage/wal/wal-object.ts';
import { type Random, seededRandom } from '../support/random.ts';
import { BucketAudit } from './bucket-audit.ts';
import type { Operation } from './model.ts';
import { ProcessClock } from './process-clock.ts';
import type { Violation } from './violation.ts';

/** `unknown`: never answered, or answered in a way that leaves it open. */
export type Fate = 'running' | 'answered' | 'refused' | 'unknown';

/** An observation of the database: the numbers of operations in their order, and the content. */
export interface Observation {
  readonly who: string;
  readonly operations: readonly number[];
  readonly state: string;
}

export interface Failing {
  /** The rate of faults of each request, 0 to 1. */
  readonly faultRate: number;
  readonly crashRate: number;
  /** Takes so long that others may have been busy, or given up. */
  readonly slowRate: number;
  /** From here on so many requests of one engine fail that it gives up. */
  readonly outageRate: number;
  /**
   * The rate of puts to the WAL that are abandoned: this one and some after it fail, and are seen not to be there; the
   * store may make them later.
   */
  readonly abandonRate: number;
  /** The machine is paused at this request, its clock with it. */
  readonly pauseRate: number;
  /** The rate of puts to the WAL that lag: they take some turns of the event loop. */
  readonly lagRate: number;
}

/** How those who write spend their time. */
export interface Workload {
  /** The share of flushes in a writer's steps, in percent. */
  readonly flushes: number;
  readonly compactions: number;
  /** The rate of operations that make a table large beside what comes later. */
  readonly bulkRate: number;
}

const WORKLOADS: readonly Workload[] = [
  { flushes: 7, compactions: 5, bulkRate: 0.02 },
  // Many files gather, and are merged without the large ones before them.
  { flushes: 25, compactions: 1, bulkRate: 0.05 },
];

/** In which a statement or some are run. */
const LONGEST_LAG_TURNS = 24;

export const LONGEST_REQUEST_MS = 400_000;

export const SOUND: Failing = { faultRate: 0, crashRate: 0, slowRate: 0, outageRate: 0, abandonRate: 0, pauseRate: 0, lagRate: 0 };

/** Long enough for others to take over, and to remove what tells of it. */
const LONGEST_PAUSE_MS = 20 * 60_000;

/**
 * Clocks of processes: without a jump and not faster than the world's, so that grace times last at least as long as
 * they are set; or anyhow.
 */
export type Clocks = 'slow' | 'wild';

const SLOW_SPEEDS: readonly number[] = [1, 1, 1, 0.9, 0.1];
const WILD_SPEEDS: readonly number[] = [1, 1, 0.1, 0.5, 3, 60];
const OFFSETS_MS: readonly number[] = [0, 0, -3_600_000, 3_600_000, -400 * 86_400_000];
const JUMPS_MS: readonly number[] = [-3_600_000, -1_000, 5_000, 700_000, 1_200_000, 86_400_000];

/** The process at the other end of a store. */
export interface Client {
  readonly who: string;
  readonly clock: ProcessClock;
  readonly isAlive: () => boolean;
  /** Called when the process ends in the middle of a request. */
  readonly onCrash: () => void;
}

/** Puts before a commit whose outcome may decide about it: a window of numbers, each tried several times. */
const LATE_PUTS = WINDOW * 8;

/** A commit is tried four times, and so is the seal of its number: who cannot make that either does not know what became of the commit. */
const ABANDONED_PUTS: readonly number[] = [4, 6, 8, 8, 9, 12];

/** Puts to the WAL that fail one after the other and are seen not to be there: so many more. */
interface Abandonment {
  puts: number;
  /** Made when all have failed, and their writer has given up. */
  forgotten: StoreRequest | null;
}

/** `late`: the store says that it failed, and carries it out some time later. */
type Fault = 'refused' | 'answer-lost' | 'own-write-lost' | 'late';

const FAULTS: readonly Fault[] = ['refused', 'answer-lost', 'own-write-lost', 'late'];
const OUTAGE_FAULTS: readonly Fault[] = ['refused', 'refused', 'late'];

export class World {
  readonly seed: number;
  /** Run all that reads; null: everything runs here. */
  readonly workers: ReadWorkers | null;
  readonly random: Random;
  readonly time = new VirtualTime();
  readonly clock: Clock = { now: () => this.time.now(), sleep: (ms, signal) => this.#sleep(ms, signal) };
  readonly name: string;
  readonly bucket: ObjectStore;
  readonly operations: Operation[] = [];
  readonly fates = new Map<number, Fate>();
  /** WAL objects that a process has tried to put, in their order. */
  readonly #walPuts = new Map<string, string[]>();
  /** Those of them, by process and key, of which the store said that they failed, and that it made later. */
  readonly #madeLate = new Set<string>();
  /** Puts that the store makes as soon as the key is free again, because its object was removed. */
  readonly #madeAfterRemoval = new Map<string, () => void>();
  /** For each operation whose outcome its writer could not tell, the objects that it tried to put. */
  readonly #doubtfulPuts = new Map<number, readonly string[]>();
  /** Operations that an answered statement has seen. */
  readonly witnessed = new Set<number>();
  /** Operations in a transaction with a second statement. */
  readonly transactional = new Set<number>();
  readonly observations: Observation[] = [];
  /** Found where nobody waits for an answer. */
  readonly violations: Violation[] = [];
  failing: Failing;
  readonly retention: { readonly graceMs: number; readonly retainVersions: number };
  readonly workload: Workload;
  /** How long changes stay readable: longer than any clock here goes wrong; undefined: they are not captured. */
  readonly changeRetentionMs: number | undefined;
  clocks: Clocks;
  readonly #processClocks: ProcessClock[] = [];
  /** How often much time passes at once. */
  readonly leapRate: number;
  /** Who waits for turns of the event loop. */
  waitingForTurns = 0;
  requests = 0;
  crashes = 0;
  faults = 0;
  pauses = 0;
  /** Times that somebody read a version that was kept no longer. */
  expired = 0;
  /** Artefacts that were asked. */
  artefacts = 0;
  takenBack = 0;
  /** That were read from the feed. */
  changes = 0;
  /** Times that a reader of changes was told that what it had read was taken back. */
  retracted = 0;
  copies = 0;
  readonly #otherBuckets: string[] = [];
  readonly audit: BucketAudit;
  readonly #trace = createHash('sha256');

  constructor(seed: number, workers: ReadWorkers | null = null) {
    this.seed = seed;
    this.workers = workers;
    this.random = seededRandom(seed);
    this.name = `simulation-${seed}`;
    dropMemoryStore(this.#uri);
    // Some have many faults, some hardly any: then longer chains of events succeed.
    const { random } = this;
    this.failing = {
      faultRate: random.pick([0, 0.003, 0.03]),
      crashRate: random.pick([0, 0.002, 0.01]),
      slowRate: random.pick([0, 0.004, 0.02]),
      outageRate: random.pick([0, 0.002, 0.01]),
      abandonRate: random.pick([0, 0.02, 0.1]),
      pauseRate: random.pick([0, 0.0005, 0.004]),
      lagRate: random.pick([0.2, 0.9]),
    };
    this.clocks = random.pick(['slow', 'wild']);
    this.workload = random.pick(WORKLOADS);
    this.changeRetentionMs = seed % 2 === 0 ? undefined : 20 * 365 * 86_400_000;
    this.leapRate = random.pick([0.02, 0.07, 0.2]);
    this.retention = { graceMs: random.pick([0, 2_000, 60_000]), retainVersions: random.pick([1, 2]) };
    const now = (): number => this.time.now();
    const onViolation = (violation: Violation): void => void this.violations.push(violation);
    this.bucket = openMemoryStore(this.#uri, { now });
    // Where clocks jump, nobody can keep a grace time.
    const graceMs = this.clocks === 'wild' ? 0 : this.retention.graceMs;
    this.audit = new BucketAudit({ now, onViolation, ...this.retention, graceMs });
  }

  /** That of another process: one put of the log at a time, or several, mostly as close to each other as they come. */
  logWindow(): LogWindow {
    return { puts: this.random.pick([1, 2, 3, WINDOW, WINDOW]), isPaced: this.random.chance(0.1) };
  }

  /** The clock of another process. */
  makeClock(): ProcessClock {
    const { random, clock, time } = this;
    const isWild = this.clocks === 'wild';
    const speed = this.failing === SOUND ? 1 : random.pick(isWild ? WILD_SPEEDS : SLOW_SPEEDS);
    const world = { now: () => clock.now(), sleep: clock.sleep, schedule: time.schedule };
    const made = new ProcessClock(world, { speed, offsetMs: random.pick(OFFSETS_MS) });
    this.#processClocks.push(made);
    return made;
  }

  /** Now and then, where clocks are wild. */
  disturb(clock: ProcessClock): void {
    if (this.clocks !== 'wild' || !this.random.chance(0.06)) return;
    const ms = this.random.pick(JUMPS_MS);
    this.note(`a clock jumps by ${ms} ms`);
    clock.jump(ms);
  }

  async pause({ who, clock }: Pick<Client, 'who' | 'clock'>): Promise<void> {
    this.pauses++;
    const ms = this.random.between(1_000, this.random.pick([10_000, LONGEST_PAUSE_MS]));
    this.note(`${who} is paused for ${ms} ms`);
    await clock.pause(ms);
    this.note(`${who} goes on`);
  }

  /** From now on no process is paused, and all clocks run alike. */
  calmClocks(): void {
    this.clocks = 'slow';
    for (const clock of this.#processClocks) clock.calm();
  }

  get #uri(): { scheme: 'memory'; name: string; namespace: string } {
    return { scheme: 'memory', name: this.name, namespace: this.name };
  }

  /** The bucket as one engine sees it. */
  storeFor({ who, clock, isAlive, onCrash }: Client): ObjectStore {
    const unit = (): number => this.random.between(0, 2 ** 30) / 2 ** 30;
    const bucket = this.audit.watch(this.bucket, who);
    let failingRequests = 0;
    // A pause shows most while it opens: when it knows half of what it goes by, or is about to put the start of its epoch.
    let requestsToPause = this.random.chance(0.1) ? this.random.between(1, 10) : Number.POSITIVE_INFINITY;
    let pausesAtStart = this.random.chance(0.1);
    let abandoned: Abandonment | null = null;
    const failing = withFaults(bucket, {
      random: unit,
      clock: this.clock,
      maxDelayMs: this.random.chance(0.5) ? LONGEST_REQUEST_MS : 5_000,
      onRequest: async (request) => {
        await this.wander();
        await clock.running();
        if (!isAlive()) await never();
        this.requests++;
        this.note(`${who} ${request.operation} ${nameOf(request)}`);
        if (this.random.chance(this.failing.crashRate)) {
          onCrash();
          // Half of the requests that a process leaves behind are carried out.
          return this.random.chance(0.5) ? null : never();
        }
        const isLogged = request.operation === 'putIfAbsent' && request.key.startsWith('wal/');
        if (isLogged) {
          this.#putsOf(who).push(`${who} ${request.key}`);
          await this.#lag();
        }
        if (failingRequests === 0 && this.random.chance(this.failing.outageRate)) failingRequests = this.random.between(4, 30);
        if (abandoned === null && isLogged && this.random.chance(this.failing.abandonRate))
          abandoned = { puts: this.random.pick(ABANDONED_PUTS), forgotten: null };
        if (abandoned !== null && isLogged && this.failing !== SOUND) {
          this.faults++;
          if (this.random.chance(0.6)) abandoned.forgotten ??= { ...request, bytes: request.bytes!.slice() };
          if (--abandoned.puts === 0) {
            const { forgotten } = abandoned;
            if (forgotten !== null) this.#carryOutLate(bucket, forgotten, who);
            // The next commit finds the number taken, perhaps, and can be stored behind it as little.
            abandoned = forgotten !== null && this.random.chance(0.3) ? { puts: 5, forgotten: null } : null;
          }
          return 'refused';
        }
        if (failingRequests > 0 && this.failing !== SOUND) {
          failingRequests--;
          return this.#fault(request, { who, bucket, kinds: OUTAGE_FAULTS });
        }
        if (this.random.chance(this.failing.slowRate)) return 'slow';
        const isAtStart = isLogged && pausesAtStart;
        if (isLogged) pausesAtStart = false;
        if (this.random.chance(this.failing.pauseRate) || ((--requestsToPause === 0 || isAtStart) && this.failing !== SOUND)) {
          // Its request is under way, or has not left it yet.
          const pausing = this.pause({ who, clock });
          if (this.random.chance(0.5)) await pausing;
        }
        return this.random.chance(this.failing.faultRate) ? this.#fault(request, { who, bucket, kinds: FAULTS }) : null;
      },
    });
    return intercept(failing, async ({ operation, key }, proceed) => {
      try {
        const answer = await proceed();
        if (operation === 'delete') this.#removed(key);
        return answer;
      } finally {
        await this.wander();
        await clock.running();
        if (!isAlive()) await never();
      }
    });
  }

  /** One that is empty, and nobody else knows. */
  otherBucket(name: string): ObjectStore {
    const own = `${this.name}-${name}`;
    this.#otherBuckets.push(own);
    return openMemoryStore({ scheme: 'memory', name: own, namespace: own }, { now: () => this.time.now() });
  }

  #putsOf(who: string): string[] {
    const known = this.#walPuts.get(who);
    if (known !== undefined) return known;
    const puts: string[] = [];
    this.#walPuts.set(who, puts);
    return puts;
  }

  /** How many WAL objects this process has tried to put. */
  walPutsOf(who: string): number {
    return this.#putsOf(who).length;
  }

  /** Its writer could not tell the outcome after what this process has tried to put since then. */
  inDoubt(operation: number, who: string, since: number): void {
    // Numbers that were in flight then may be tried again, and what was made under them decides whether what is behind them counts.
    this.#doubtfulPuts.set(operation, this.#putsOf(who).slice(Math.max(since - LATE_PUTS, 0)));
  }

  /**
   * Did the store make an object with this operation after it had said, several times, that it failed, and shown that
   * it was not there? Until its writer has written something else, which takes it back, it can be read
   * (docs/storage-format.md, "A commit that failed").
   */
  mayBeTakenBack(operation: number): boolean {
    return this.#doubtfulPuts.get(operation)?.some((put) => this.#madeLate.has(put)) ?? false;
  }

  #fault(
    request: StoreRequest,
    { who, bucket, kinds }: { readonly who: string; readonly bucket: ObjectStore; readonly kinds: readonly Fault[] },
  ): FaultKind {
    this.faults++;
    const kind = this.random.pick(kinds);
    if (request.operation !== 'putIfAbsent') return kind === 'answer-lost' ? kind : 'refused';
    if (kind === 'late') this.#carryOutLate(bucket, request, who);
    return kind === 'late' ? 'refused' : kind;
  }

  /** The store says that it failed, and does it nevertheless, when everybody has forgotten it. */
  #carryOutLate(bucket: ObjectStore, { key, bytes }: StoreRequest, who: string): void {
    const copy = bytes!.slice();
    if (key.startsWith('wal/') && this.random.chance(0.2)) {
      this.#madeAfterRemoval.set(key, () => void this.#makeLate(bucket, { key, bytes: copy, who }));
      return;
    }
    const delayMs = this.random.between(0, this.random.pick([50, 3_000, 300_000]));
    this.time.schedule(delayMs, () => {
      if (this.failing !== SOUND) void this.#makeLate(bucket, { key, bytes: copy, who });
    });
  }

  #removed(key: string): void {
    const makeLate = this.#madeAfterRemoval.get(key);
    this.#madeAfterRemoval.delete(key);
    if (this.failing !== SOUND) makeLate?.();
  }

  async #makeLate(
    bucket: ObjectStore,
    { key, bytes, who }: { readonly key: string; readonly bytes: Uint8Array; readonly who: string },
  ): Promise<void> {
    if (await bucket.putIfAbsent(key, bytes)) this.#madeLate.add(`${who} ${key}`);
  }

  /** While faults happen, others go on beside who sleeps; afterwards nobody waits. */
  #sleep(ms: number, signal?: AbortSignal): Promise<void> {
    if (this.failing === SOUND) return this.time.sleep(ms, signal);
    return new Promise((resolve, reject) => {
      const giveUp = (): void => {
        cancel();
        reject(signal!.reason);
      };
      const cancel = this.time.schedule(ms, () => {
        signal?.removeEventListener('abort', giveUp);
        resolve();
      });
      if (signal?.aborted) giveUp();
      else signal?.addEventListener('abort', giveUp, { once: true });
    });
  }

  /** Puts of the log overtake each other, and commits come while they are in flight. */
  async #lag(): Promise<void> {
    if (this.failing !== SOUND && this.random.chance(this.failing.lagRate)) await this.turns(this.random.between(1, LONGEST_LAG_TURNS));
  }

  /** So many turns of the event loop, in which little time passes. */
  async turns(count: number): Promise<void> {
    this.waitingForTurns++;
    for (let turn = 0; turn < count; turn++) await new Promise((resolve) => setImmediate(resolve));
    this.waitingForTurns--;
  }

  /** Others have a few turns. */
  async wander(): Promise<void> {
    for (let turns = this.random.between(0, 5); turns > 0; turns--) await null;
    if (this.random.chance(0.02)) await new Promise((resolve) => setImmediate(resolve));
  }

  note(line: string): void {
    this.#trace.update(`${line}\n`);
    if (process.env['SIM_TRACE'] !== undefined) console.log(`${this.time.now() % 1e8} ${line}`);
  }

  /** Returns a hash of all requests and outcomes so far: the same seed gives the same. */
  trace(): string {
    return this.#trace.copy().digest('hex').slice(0, 16);
  }

  end(): void {
    dropMemoryStore(this.#uri);
    for (const name of this.#otherBuckets) dropMemoryStore({ scheme: 'memory', name, namespace: name });
  }
}

/** Names without what is random: the probe of a new namespace. */
function nameOf({ key }: StoreRequest): string {
  return key.startsWith('probe/') ? 'probe/' : key;
}

export function never(): Promise<never> {
  return new Promise(() => {});
}
