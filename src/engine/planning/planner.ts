/**
 * Plans texts that would keep the main thread for too long, in a thread of its own. The thread plans one text at a
 * time, in order of arrival; the others wait outside it, each until its time is over. A thread that has had no text for
 * IDLE_MS is ended, with what it holds, and starts again with the next text.
 *
 * S3: a text that is not planned soon after its time is over, or fills the heap, ends with the thread; another thread
 * takes its place.
 */
import { deserialize } from 'node:v8';
import { MessageChannel, type MessagePort, Worker } from 'node:worker_threads';
import {
  assert,
  boundedWork,
  type CancelTimer,
  closedError,
  GraphDBError,
  monotonicMs,
  outOfTime,
  programFile,
  reasonOf,
  scheduleAt,
  scheduleByTimer,
} from '../../base/index.ts';
import type { GraphStatistics } from '../../graph/index.ts';
import type { PlanFlags } from '../execution/planning.ts';
import { hardLimitMiB, heapShareMiB, threadIsFull } from '../workers/heap-guard.ts';
import { errorOf } from '../workers/messages.ts';
import { WorkerWatch } from '../workers/worker-watch.ts';
import type { FromPlanner, PlanFacts, PlanMessage, PlannedBytes, PlannedText, PlannerThreadData } from './planner-messages.ts';

const PROGRAM = programFile('engine/planning/planner-thread');
/** The largest heap in MiB: planning the longest statements that are not refused takes less. */
const MOST_HEAP_MIB = 1024;
/** The least heap in MiB, whatever a statement may use: a planned text takes up to a hundred times its length. */
const LEAST_HEAP_MIB = 192;
/** Milliseconds that the thread may take to answer once the time of a text is over or its request is cancelled. */
const ANSWER_MS = 175;
const IDLE_MS = 60_000;
const START_AFTER_MS = 1_000;

/** A text to be planned, as the `StatementCache` requests it. */
export interface PlanRequest {
  readonly text: string;
  readonly flags: PlanFlags;
  /** The statistics of the graph, which must not change until the text is planned. */
  readonly statistics: GraphStatistics;
  /** The end of the request's time in milliseconds of `monotonicMs()`; Infinity: no limit. */
  readonly deadline: number;
  readonly signal: AbortSignal | null;
  /** The memory limit of the statement in bytes; planning may take as much, within bounds. */
  readonly memoryBytes: number;
}

interface Job extends PlanRequest {
  readonly resolve: (planned: PlannedText) => void;
  readonly reject: (error: unknown) => void;
  /** Cancels the timer and stops listening to the signal. */
  release: () => void;
  /** When the request timed out or was cancelled, in milliseconds of `monotonicMs()`; Infinity: it was not. */
  leftAt: number;
}

interface PlannerThread {
  readonly worker: Worker;
  readonly watch: WorkerWatch;
  readonly answers: MessagePort;
  readonly answered: Int32Array;
  isReady: boolean;
}

/** A thread that plans statements. */
export class Planner {
  /** The number of texts that the thread has planned or refused. */
  texts = 0;
  readonly #heapMiB: number;
  readonly #idleMs: number;
  #thread: PlannerThread | null = null;
  #current: Job | null = null;
  #waiting: Job[] = [];
  #cancelIdle: CancelTimer | null = null;
  #isClosed = false;
  #cancelStart: CancelTimer | null = null;

  /** @param idleMs milliseconds without a text after which the thread is ended */
  constructor(heapMiB = Math.min(MOST_HEAP_MIB, heapShareMiB(1)), idleMs = IDLE_MS) {
    this.#heapMiB = heapMiB;
    this.#idleMs = idleMs;
  }

  /**
   * Starts the thread in a second, unless a text needs it before, which then waits for it some 100 ms. Until then the
   * cores are left to the start of the server and to its first answers.
   */
  startSoon(): void {
    this.#cancelStart = scheduleByTimer(START_AFTER_MS, () => this.start());
  }

  /** Starts the thread, which otherwise starts with the first text. */
  start(): void {
    this.#started();
  }

  /**
   * Plans a text. @throws the errors of the text; UNSUPPORTED if it is too large; MEMORY_LIMIT, QUERY_TIMEOUT,
   * CANCELLED, SHUTTING_DOWN.
   */
  plan(request: PlanRequest): Promise<PlannedText> {
    const { deadline, signal } = request;
    const { promise, resolve, reject } = Promise.withResolvers<PlannedText>();
    if (this.#isClosed) reject(closing());
    else if (signal?.aborted === true) reject(cancelled(signal));
    else {
      const job: Job = { ...request, resolve, reject, release: () => {}, leftAt: Number.POSITIVE_INFINITY };
      const onAbort = (): void => this.#leave(job, cancelled(signal!));
      const cancelTimer = scheduleAt(deadline, () => this.#leave(job, outOfTime()));
      signal?.addEventListener('abort', onAbort, { once: true });
      job.release = () => {
        cancelTimer();
        signal?.removeEventListener('abort', onAbort);
      };
      this.#waiting.push(job);
      this.#next();
    }
    return promise;
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    this.#cancelStart?.();
    for (const job of [...this.#waiting]) this.#end(job, () => job.reject(closing()));
    const { worker } = this.#thread ?? {};
    const current = this.#current;
    this.#letGo();
    if (current !== null) this.#end(current, () => current.reject(closing()));
    await worker?.terminate();
  }

  /** Rejects a job that timed out or was cancelled; what the thread makes of it is discarded. */
  #leave(job: Job, error: Error): void {
    job.leftAt = Math.min(job.leftAt, monotonicMs());
    this.#waiting = this.#waiting.filter((one) => one !== job);
    job.release();
    job.reject(error);
  }

  #next(): void {
    if (this.#current !== null || this.#isClosed) return;
    let job = this.#waiting.shift();
    for (; job !== undefined && job.deadline <= monotonicMs(); job = this.#waiting.shift()) this.#leave(job, outOfTime());
    if (job === undefined) return this.#idle();
    this.#cancelIdle?.();
    this.#cancelIdle = null;
    const { worker, watch } = this.#started();
    this.#current = job;
    watch.start();
    worker.ref();
    const { text, flags, statistics, deadline, memoryBytes } = job;
    const { nodeCount, relationshipCount, labelNames } = statistics;
    const message: PlanMessage = {
      text,
      flags,
      size: { nodeCount, relationshipCount, labelNames },
      timeoutMs: deadline - monotonicMs(),
      heapMiB: Math.min(this.#heapMiB, Math.max(LEAST_HEAP_MIB, Math.ceil(memoryBytes / 2 ** 20))),
    };
    worker.postMessage(message);
  }

  #idle(): void {
    const thread = this.#thread;
    if (thread === null) return;
    thread.watch.stop();
    thread.worker.unref();
    this.#cancelIdle?.();
    this.#cancelIdle = scheduleByTimer(this.#idleMs, () => {
      this.#letGo();
      void thread.worker.terminate();
    });
  }

  #started(): PlannerThread {
    if (this.#thread !== null) return this.#thread;
    const { port1, port2 } = new MessageChannel();
    const answered = new Int32Array(new SharedArrayBuffer(4));
    const heapMiB = this.#heapMiB;
    const worker = new Worker(PROGRAM, {
      workerData: { answers: port2, answered } satisfies PlannerThreadData,
      transferList: [port2],
      resourceLimits: { maxOldGenerationSizeMb: hardLimitMiB(heapMiB) },
    });
    port1.unref();
    worker.on('message', (message: FromPlanner) => this.#receive(worker, message));
    worker.on('error', (error) => this.#died(worker, isOutOfMemory(error) ? 'full heap' : 'fault', error));
    worker.on('exit', () => this.#died(worker, 'fault', new Error('the thread ended')));
    // After the listeners, because one for messages keeps the process alive.
    worker.unref();
    const watch = new WorkerWatch({
      worker,
      heapMiB,
      isOverdue: (nowMs) => this.#isOverdue(nowMs),
      onDeath: (death) => this.#died(worker, death, new Error(`the thread was ended: ${death}`)),
    });
    this.#thread = { worker, watch, answers: port1, answered, isReady: false };
    return this.#thread;
  }

  /** Returns whether the current text should have been answered by now; a thread that is still starting is never overdue. */
  #isOverdue(nowMs: number): boolean {
    const { isReady } = this.#thread ?? { isReady: false };
    return isReady && this.#current !== null && nowMs - Math.min(this.#current.deadline, this.#current.leftAt) > ANSWER_MS;
  }

  #receive(worker: Worker, message: FromPlanner): void {
    const thread = this.#thread;
    if (thread?.worker !== worker) return;
    if (message.kind === 'ready') {
      thread.isReady = true;
      return;
    }
    const job = this.#current;
    assert(job !== null, 'a text is planned once');
    if (message.kind === 'question') return this.#answer(thread, job, message);
    this.#current = null;
    this.texts++;
    if (message.kind === 'planned') this.#end(job, () => resolveWith(job, message.planned));
    else this.#end(job, () => job.reject(errorOf(message.fault)));
    this.#next();
  }

  #answer(
    { worker, answers, answered }: PlannerThread,
    { statistics }: Job,
    { name, args }: Extract<FromPlanner, { kind: 'question' }>,
  ): void {
    const method = statistics[name] as (...args: readonly unknown[]) => unknown; // as: the arguments are those that the planner gave it
    try {
      answers.postMessage(method.apply(statistics, [...args]));
    } catch (error) {
      return this.#died(worker, 'fault', error);
    }
    Atomics.add(answered, 0, 1);
    Atomics.notify(answered, 0);
  }

  #end(job: Job, settle: () => void): void {
    this.#waiting = this.#waiting.filter((one) => one !== job);
    job.release();
    settle();
  }

  /** Replaces the thread. The text that it was planning is to blame, since there is only one, and is rejected. */
  #died(worker: Worker, death: 'overdue' | 'full heap' | 'fault', cause: unknown): void {
    if (this.#thread?.worker !== worker) return;
    const current = this.#current;
    this.#letGo();
    void worker.terminate();
    if (current !== null) this.#end(current, () => current.reject(errorAfterDeath(death, cause)));
    this.#next();
  }

  #letGo(): void {
    this.#thread?.watch.stop();
    this.#thread?.answers.close();
    this.#thread = null;
    this.#current = null;
    this.#cancelIdle?.();
    this.#cancelIdle = null;
  }
}

function resolveWith({ deadline, resolve, reject }: Job, { facts, plan, parameters }: PlannedBytes): void {
  try {
    const read = boundedWork(deadline, () => deserialize(facts) as PlanFacts); // as: the thread has written them
    resolve({ ...read, plan, parameters });
  } catch (error) {
    reject(error);
  }
}

function errorAfterDeath(death: 'overdue' | 'full heap' | 'fault', cause: unknown): GraphDBError {
  if (death === 'overdue') return outOfTime();
  if (death === 'full heap') return threadIsFull(cause);
  return new GraphDBError('INTERNAL', 'the thread that planned the statement failed', { cause });
}

function cancelled(signal: AbortSignal): Error {
  return reasonOf(new GraphDBError('CANCELLED', 'the statement was cancelled'), signal) as Error; // as: signals are aborted with errors
}

function closing(): GraphDBError {
  return closedError('the database is closing');
}

function isOutOfMemory(error: unknown): boolean {
  return (error as { readonly code?: unknown }).code === 'ERR_WORKER_OUT_OF_MEMORY';
}
