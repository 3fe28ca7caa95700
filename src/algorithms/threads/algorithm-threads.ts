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
/** After so many milliseconds without a shared phase the threads end. */
const IDLE_MS = 10_000;
/** A thread that has not begun so many jobs is busy with a long one, and is told of no more. */
const MOST_UNSEEN = 8;

/** The data that a thread is started with. */
export interface ThreadStart {
  /** The number of the thread, from 1; the main thread is member 0. */
  readonly member: number;
  /** A counter (one element) of the jobs that the thread was told of; it waits for the next one at this place. */
  readonly sent: Int32Array;
  /** A counter (one element) of the jobs that the thread has begun. */
  readonly seen: Int32Array;
  /** A flag (one element): 1 once the thread has met an error. Its job has failed then, and it begins nothing more. */
  readonly ends: Int32Array;
}

/** A message to a thread: a phase to help with, or null, upon which it collects its garbage. */
export type ThreadMessage = JobMessage | null;

/** A message that tells a thread to help with a phase. */
export interface JobMessage extends Job {
  readonly phase: string;
  readonly state: unknown;
}

interface Thread extends ThreadStart {
  readonly worker: Worker;
}

/** The threads that one statement may use. */
export interface Team {
  /** The number of members, the main thread included. */
  readonly size: number;
  /** A phase of fewer steps is not shared. */
  readonly leastSteps: number;
  begin<State>(phase: SharedPhase<State> | SharedUnit<State>, bounds: Uint32Array, state: State): Job;
  /** Ends a job: threads that are still working on it stop. */
  end(job: Job): void;
  /** Checks that no thread has failed at the job. @throws INTERNAL when one has met an error, or has ended */
  check(job: Job): void;
}

/** The fewest steps of a phase that is shared: some 250 µs of work, while waking a thread takes up to 100. */
const LEAST_STEPS = 2 ** 17;

/** The threads that help with algorithms. */
export class AlgorithmThreads {
  private threads: Thread[] = [];
  private readonly jobs = new Set<Job>();
  private cancelEnd: CancelTimer | null = null;
  private readonly processors: number;

  /** @param processors how many processors all members together may keep busy */
  constructor(processors: number = availableParallelism()) {
    this.processors = processors;
  }

  /** Returns how many members a statement has. @param concurrency as the configuration gives it */
  members(concurrency: number): number {
    return Math.max(1, Math.min(concurrency, this.processors));
  }

  /** Returns a team of threads; null: the main thread works alone. */
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

  /** Lets the threads collect shared memory that nothing uses any more. */
  collect(): void {
    for (const { worker } of this.threads) worker.postMessage(null satisfies ThreadMessage);
  }

  /** Ends all threads; resolves once they have ended. They are started again when they are needed. */
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
    // The exit of a thread with an error may be reported later; messages that it gets until then would be lost.
    this.threads = this.threads.filter((thread) => thread !== known);
    const word = (): Int32Array => new Int32Array(new SharedArrayBuffer(4));
    const start: ThreadStart = { member, sent: word(), seen: word(), ends: word() };
    const worker = new Worker(PROGRAM, { workerData: start });
    const thread: Thread = { worker, ...start };
    worker.unref();
    worker.on('error', () => this.lose(thread));
    worker.on('exit', () => this.lose(thread));
    this.threads.push(thread);
    return thread;
  }

  /** Drops a thread that has ended early, and fails all jobs, since it may have left a range half done. */
  private lose(thread: Thread): void {
    if (!this.threads.includes(thread)) return;
    this.threads = this.threads.filter((each) => each !== thread);
    for (const job of this.jobs) markFailed(job);
  }
}

function tell(thread: Thread, message: JobMessage): void {
  const { sent, seen, worker } = thread;
  if (Atomics.load(sent, 0) - Atomics.load(seen, 0) >= MOST_UNSEEN) return;
  worker.postMessage(message);
  Atomics.add(sent, 0, 1);
  Atomics.notify(sent, 0);
}
