/**
 * Threads that help the main thread with phases of algorithms. They are started when a phase is first shared, serve all
 * statements of an engine, and end when none has been shared for a while: V8 frees shared memory only when every thread
 * that has seen it has collected it.
 */
import { availableParallelism } from 'node:os';
import { Worker } from 'node:worker_threads';
import { type CancelTimer, GraphDBError, programFile, scheduleByTimer } from '../../base/index.ts';
import { close, hasFailed, type Job, markFailed, newJob } from './job.ts';
import type { SharedPhase, SharedUnit } from './shared-phase.ts';

const PROGRAM = programFile('algorithms/threads/algorithm-thread');
/** Idle threads end after so long. */
const IDLE_MS = 10_000;
/** A thread that has not begun so many jobs is not told of more: it is busy with a long one. */
const MOST_UNSEEN = 8;

/** The data that a thread is started with. */
export interface ThreadStart {
  /** 1 and more; the main thread is member 0. */
  readonly member: number;
  /** One element: the messages that it has begun. */
  readonly seen: Int32Array;
  /** One element: 1 when it has met an error, failed its job, and begins nothing more. */
  readonly ends: Int32Array;
}

/** A phase that a thread is told of; null: it is to collect its garbage. */
export type ThreadMessage = JobMessage | null;

/** A message that tells a thread to help with a phase. */
export interface JobMessage extends Job {
  readonly phase: string;
  readonly state: unknown;
}

interface Thread extends ThreadStart {
  readonly worker: Worker;
  sent: number;
}

/** The threads that one statement may use. */
export interface Team {
  /** Members with the main thread. */
  readonly size: number;
  /** Below so many steps a phase is not shared. */
  readonly leastSteps: number;
  begin<State>(phase: SharedPhase<State> | SharedUnit<State>, bounds: Uint32Array, state: State): Job;
  /** Stops threads that are still at it. */
  end(job: Job): void;
  /** @throws INTERNAL: a thread has ended, or met an error. */
  check(job: Job): void;
}

/** Some 250 µs; waking a thread takes up to 100. */
const LEAST_STEPS = 2 ** 17;

/** The threads that help with algorithms. */
export class AlgorithmThreads {
  private threads: Thread[] = [];
  private readonly jobs = new Set<Job>();
  private cancelEnd: CancelTimer | null = null;
  private readonly processors: number;

  /** @param processors that all members together may keep busy */
  constructor(processors: number = availableParallelism()) {
    this.processors = processors;
  }

  /** How many members a statement has. @param concurrency as configurations have it */
  members(concurrency: number): number {
    return Math.max(1, Math.min(concurrency, this.processors));
  }

  /** null: the main thread works alone. */
  team(concurrency: number, leastSteps: number = LEAST_STEPS): Team | null {
    const size = this.members(concurrency);
    if (size < 2) return null;
    return {
      size,
      leastSteps,
      begin: (phase, bounds, state) => {
        const job = newJob(bounds);
        this.jobs.add(job);
        this.cancelEnd?.();
        this.cancelEnd = null;
        const message: JobMessage = { ...job, phase: phase.name, state };
        for (let member = 1; member < size; member++) tell(this.threadOf(member), message);
        return job;
      },
      end: (job) => {
        close(job);
        this.jobs.delete(job);
        if (this.jobs.size === 0) this.cancelEnd ??= scheduleByTimer(IDLE_MS, () => void this.close());
      },
      check: (job) => {
        if (hasFailed(job)) throw new GraphDBError('INTERNAL', 'a thread of a graph algorithm has ended; run the statement again');
      },
    };
  }

  /** Lets threads collect what they have seen and nobody needs any more. */
  collect(): void {
    for (const { worker } of this.threads) worker.postMessage(null satisfies ThreadMessage);
  }

  /** Resolves when all threads have ended. They are started again when they are needed. */
  async close(): Promise<void> {
    this.cancelEnd?.();
    this.cancelEnd = null;
    const { threads } = this;
    this.threads = [];
    await Promise.all(threads.map(({ worker }) => worker.terminate()));
  }

  private threadOf(member: number): Thread {
    const known = this.threads.find((thread) => thread.member === member);
    if (known !== undefined && Atomics.load(known.ends, 0) === 0) return known;
    // Its end may be told later: what it is sent until then nobody would do.
    this.threads = this.threads.filter((thread) => thread !== known);
    const seen = new Int32Array(new SharedArrayBuffer(4));
    const ends = new Int32Array(new SharedArrayBuffer(4));
    const worker = new Worker(PROGRAM, { workerData: { member, seen, ends } satisfies ThreadStart });
    const thread: Thread = { worker, member, seen, ends, sent: 0 };
    worker.unref();
    worker.on('error', () => this.lose(thread));
    worker.on('exit', () => this.lose(thread));
    this.threads.push(thread);
    return thread;
  }

  /** A thread that ends before its time may have left a range half done. */
  private lose(thread: Thread): void {
    if (!this.threads.includes(thread)) return;
    this.threads = this.threads.filter((each) => each !== thread);
    for (const job of this.jobs) markFailed(job);
  }
}

function tell(thread: Thread, message: JobMessage): void {
  if (thread.sent - Atomics.load(thread.seen, 0) >= MOST_UNSEEN) return;
  thread.sent++;
  thread.worker.postMessage(message);
}
