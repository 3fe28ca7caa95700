/**
 * A thread that encodes and merges files, to spare the thread of statements this work. It has no store of its own: its
 * requests come back here as messages, bytes that are read land in shared memory, and bytes that are written are
 * transferred or lie in shared memory, too. Decorators of the store (metrics, retries, faults) see the requests as if
 * the work were done here.
 *
 * One thread serves all namespaces of a process, however many of them flush or merge at once, with at most `MOST_JOBS`
 * jobs at a time: with a thread for each, closing sixty namespaces took 3.4 GB. The thread is started for the first
 * job, and ends when there has been no job for a second: a compaction has one job for each table. Starting takes about
 * 0.1 s, none of it in the calling thread. An idle thread does not keep the process alive.
 */
import { Worker } from 'node:worker_threads';
import { type CancelTimer, GraphDBError, programFile, scheduleByTimer } from '../../base/index.ts';
import type { FileAccess } from '../files/file-access.ts';
import type { FileJob, FileOutcome } from './file-jobs.ts';
import type { FileRequest, ThreadOrder, ThreadReport } from './thread-messages.ts';

const ENTRY = programFile('storage/threads/file-thread-entry');

const IDLE_MS = 1_000;
/** The most jobs at a time; further jobs wait, in the order of arrival. */
const MOST_JOBS = 4;

interface RunningJob {
  readonly access: FileAccess;
  /** The errors of the job's failed requests, by number; the job may fail with one of them. */
  readonly failures: Map<number, unknown>;
  readonly resolve: (outcome: FileOutcome) => void;
  readonly reject: (error: unknown) => void;
}

/** A thread that works on files. */
export class FileThread {
  readonly #jobs = new Map<number, RunningJob>();
  /** The shared memory of the thread's images, by place. */
  readonly #images: SharedArrayBuffer[] = [];
  /** The callbacks of jobs that wait for their turn. */
  readonly #waiting: (() => void)[] = [];
  #worker: Worker | null = null;
  #cancelEnding: CancelTimer | undefined;
  #started = 0;
  #atWork = 0;

  /** Runs a job in the thread. `moved` is memory of the job to transfer to the thread. @throws CANCELLED by `signal` */
  async run(job: FileJob, access: FileAccess, signal: AbortSignal, moved: readonly ArrayBuffer[] = []): Promise<FileOutcome> {
    if (this.#atWork < MOST_JOBS) this.#atWork++;
    else await new Promise<void>((resolve) => this.#waiting.push(resolve));
    try {
      return await this.#runNow(job, access, signal, moved);
    } finally {
      const next = this.#waiting.shift();
      if (next === undefined) this.#atWork--;
      else next();
    }
  }

  async #runNow(job: FileJob, access: FileAccess, signal: AbortSignal, moved: readonly ArrayBuffer[]): Promise<FileOutcome> {
    this.#cancelEnding?.();
    const worker = (this.#worker ??= this.#start());
    worker.ref();
    const id = ++this.#started;
    const stop = (): void => worker.postMessage({ kind: 'stop', id } satisfies ThreadOrder);
    signal.addEventListener('abort', stop);
    try {
      return await new Promise<FileOutcome>((resolve, reject) => {
        this.#jobs.set(id, { access, failures: new Map(), resolve, reject });
        const { reusesImages } = access;
        worker.postMessage({ kind: 'start', id, job, reusesImages } satisfies ThreadOrder, moved);
        if (signal.aborted) stop();
      });
    } finally {
      signal.removeEventListener('abort', stop);
      this.#jobs.delete(id);
      if (this.#jobs.size === 0) this.#endSoon(worker);
    }
  }

  #start(): Worker {
    this.#images.length = 0;
    const worker = new Worker(ENTRY);
    worker.on('message', (report: ThreadReport) => this.#take(report, worker));
    worker.on('error', (error) => this.#lose(worker, error));
    worker.on('exit', () => this.#lose(worker, undefined));
    return worker;
  }

  #endSoon(worker: Worker): void {
    worker.unref();
    this.#cancelEnding = scheduleByTimer(IDLE_MS, () => {
      if (this.#worker === worker) {
        this.#worker = null;
        this.#images.length = 0;
      }
      void worker.terminate();
    });
  }

  #take(report: ThreadReport, worker: Worker): void {
    switch (report.kind) {
      case 'request':
        void this.#answer(report, worker);
        return;
      case 'release':
        this.#jobs.get(report.job)?.access.release(report.keys);
        return;
      case 'image':
        if (worker === this.#worker) this.#images[report.place] = report.buffer;
        return;
      case 'done':
        this.#jobs.get(report.id)?.resolve(report.outcome);
        return;
      case 'failed':
        this.#fail(report);
        return;
      default:
        report satisfies never;
    }
  }

  async #answer({ id, job, request }: Extract<ThreadReport, { kind: 'request' }>, worker: Worker): Promise<void> {
    const running = this.#jobs.get(job);
    if (running === undefined) return;
    let order: ThreadOrder;
    try {
      order = { kind: 'answer', id, value: await this.#carryOut(running.access, request) };
    } catch (error) {
      running.failures.set(id, error);
      const code = error instanceof GraphDBError ? error.code : 'INTERNAL';
      order = { kind: 'refusal', id, fault: { code, message: String(error), request: id } };
    }
    worker.postMessage(order);
  }

  #carryOut(access: FileAccess, request: FileRequest): Promise<unknown> {
    switch (request.operation) {
      case 'get':
        return access.get(request.key);
      case 'readInto':
        return access.readInto(request.key, request.offset, request.target);
      case 'create':
        return access.create(request.bytes);
      case 'createArtefactFile':
        return access.createArtefactFile(request.bytes);
      case 'createFromImage':
        return access.create(new Uint8Array(this.#images[request.place]!, 0, request.length));
    }
  }

  /** Fails a job, with the original error of a request if that made the job fail. */
  #fail({ id, fault: { code, message, request } }: Extract<ThreadReport, { kind: 'failed' }>): void {
    const job = this.#jobs.get(id);
    job?.reject((request === null ? undefined : job.failures.get(request)) ?? new GraphDBError(code, message));
  }

  #lose(worker: Worker, cause: unknown): void {
    if (this.#worker !== worker) return;
    this.#worker = null;
    const error = new GraphDBError('INTERNAL', 'the thread that writes files has ended; nothing of what it was at was kept', { cause });
    for (const { reject } of this.#jobs.values()) reject(error);
  }
}
