/**
 * One read worker as the main thread sees it: what it was sent, and what runs in it. The thread starts when it is first
 * needed, and again at once if it dies. A thread that ends frees its isolate with its replicas and plans; the arrays
 * that it shared belong to the main thread.
 */
import { Worker } from 'node:worker_threads';
import { assert, closedError, type GraphDBError, type Logger, monotonicMs, outOfTime, programFile } from '../../base/index.ts';
import type { GraphStore } from '../../graph/index.ts';
import type { PlanInputs } from '../execution/plan-inputs.ts';
import { type FollowedGraph, FollowedGraphs } from './followed-graphs.ts';
import { hardLimitMiB } from './heap-guard.ts';
import { errorOf, type FromWorker, type ThreadData, type ToWorker } from './messages.ts';
import { answerAfterDeath, type Death, isOverdue, type OngoingRead } from './ongoing-read.ts';
import { addLookups } from './remote-lookups.ts';
import type { RemoteRead } from './remote-read.ts';
import { RemoteRows } from './remote-rows.ts';
import { WorkerWatch } from './worker-watch.ts';

/** The sum of the characters of the statements that a thread keeps with their plans; a short one counts as a longer one. */
const KNOWN_CHARACTERS = 512_000;
const FEW_CHARACTERS = 1_024;
const LOGGED_CHARACTERS = 4_096;

const PROGRAM = programFile('engine/workers/read-worker');

/** A statement that the thread has planned; its plan holds on to the view that it last ran over. */
interface KnownStatement {
  readonly id: number;
  /** The graph over which the thread last ran the statement. */
  graph: number;
}

function charactersOf({ text }: PlanInputs): number {
  return Math.max(FEW_CHARACTERS, text.length);
}

let lastId = 0;

/** The options of a worker. */
export interface WorkerThreadOptions {
  readonly heapMiB: number;
  /** Runs a read again, in another thread or in this one, after its thread has ended for no fault of the read. */
  readonly again: (request: RemoteRead, rows: RemoteRows) => void;
  readonly logger: Logger;
}

/** A thread that has been started. */
interface StartedThread {
  readonly worker: Worker;
  readonly watch: WorkerWatch;
  /** See `ThreadData.running`. */
  readonly running: Int32Array;
  /** True once the thread takes messages. */
  isReady: boolean;
}

const STARTING_LOAD = 0.5;

/** A worker, as the main thread sees it. */
export class WorkerThread {
  /** The number of times that the thread has died. */
  deaths = 0;
  private readonly options: WorkerThreadOptions;
  private thread: StartedThread | null = null;
  private isClosed = false;
  /** The graphs that the thread follows. */
  private readonly graphs = new FollowedGraphs({ nextId: () => ++lastId, onDropped: (graph) => this.sendForget(graph) });
  private readonly statements = new Map<PlanInputs, KnownStatement>();
  /** The sum of the characters of `statements`. */
  private characters = 0;
  private readonly reads = new Map<number, OngoingRead>();

  constructor(options: WorkerThreadOptions) {
    this.options = options;
  }

  /**
   * The number of running statements, and STARTING_LOAD more while the thread starts, so that a thread that is as idle,
   * and ready, is preferred.
   */
  get load(): number {
    return this.reads.size + (this.thread?.isReady === false ? STARTING_LOAD : 0);
  }

  read(request: RemoteRead): RemoteRows {
    const rows = new RemoteRows({ deadline: request.deadline, signal: request.signal });
    this.run(request, rows);
    return rows;
  }

  run(request: RemoteRead, rows: RemoteRows): void {
    if (this.isClosed) return rows.fail(closing());
    const { worker, watch } = this.started();
    const id = ++lastId;
    const graph = this.graphs.begin(request.view);
    const [statement, isNew] = this.statementFor(request.planInputs, graph.id);
    const { view, planInputs, deadline, signal, lookups, ...message } = request;
    this.send({
      ...message,
      kind: 'read',
      read: id,
      graph: graph.id,
      shared: graph.sharer.share(view),
      statement,
      planInputs: isNew ? { text: planInputs.text, answers: planInputs.answers, flags: planInputs.flags, made: planInputs.made } : null,
      timeoutMs: deadline - monotonicMs(),
    });
    const read: OngoingRead = { request, rows, graph, stoppedAt: Number.POSITIVE_INFINITY, isAnswered: false };
    this.reads.set(id, read);
    rows.begin({
      more: () => this.send({ kind: 'more', read: id }),
      stop: () => {
        read.stoppedAt = Math.min(read.stoppedAt, monotonicMs());
        this.send({ kind: 'stop', read: id });
      },
    });
    watch.start();
    worker.ref();
  }

  /** Drops a graph that another one has replaced. */
  forget(graph: GraphStore): void {
    this.graphs.forget(graph);
  }

  private sendForget({ id, sharer }: FollowedGraph): void {
    for (const [planInputs, statement] of this.statements) if (statement.graph === id) this.forgetStatement(planInputs, statement);
    this.send({ kind: 'forgetGraph', graph: id, bytes: sharer.givenBytes });
  }

  /** Ends the thread. Reads that come later are refused, so that no other thread is started. */
  async close(): Promise<void> {
    this.isClosed = true;
    const { thread } = this;
    const reads = this.letGo();
    for (const { rows } of reads.values()) rows.fail(closing());
    await thread?.worker.terminate();
  }

  /** Returns the thread, which is started if it does not run. */
  started(): StartedThread {
    if (this.thread !== null) return this.thread;
    const { heapMiB } = this.options;
    const running = new Int32Array(new SharedArrayBuffer(4));
    const worker = new Worker(PROGRAM, {
      workerData: { heapMiB, running } satisfies ThreadData,
      resourceLimits: { maxOldGenerationSizeMb: hardLimitMiB(heapMiB) },
    });
    const watch = new WorkerWatch({
      worker,
      heapMiB,
      isOverdue: (nowMs) => [...this.reads.values()].some((read) => isOverdue(read, nowMs, this.thread?.isReady === true)),
      onDeath: (death) => this.judge(worker, death),
    });
    worker.unref();
    worker.on('message', (message: FromWorker) => this.receive(worker, message));
    worker.on('error', (error) => this.died(worker, isOutOfMemory(error) ? 'full heap' : 'fault', error));
    worker.on('exit', () => this.died(worker, 'fault', new Error('the thread ended')));
    this.thread = { worker, watch, running, isReady: false };
    return this.thread;
  }

  private send(message: ToWorker): void {
    this.thread?.worker.postMessage(message);
  }

  private statementFor(planInputs: PlanInputs, graph: number): readonly [number, boolean] {
    const known = this.statements.get(planInputs);
    if (known !== undefined) {
      known.graph = graph;
      return [known.id, false];
    }
    const id = ++lastId;
    this.statements.set(planInputs, { id, graph });
    this.characters += charactersOf(planInputs);
    while (this.characters > KNOWN_CHARACTERS && this.statements.size > 1) {
      const [oldest, statement] = this.statements.entries().next().value!;
      this.forgetStatement(oldest, statement);
    }
    return [id, true];
  }

  private forgetStatement(planInputs: PlanInputs, { id }: KnownStatement): void {
    if (this.statements.delete(planInputs)) this.characters -= charactersOf(planInputs);
    this.send({ kind: 'forgetStatement', statement: id });
  }

  private receive(worker: Worker, message: FromWorker): void {
    if (this.thread?.worker !== worker) return;
    if (message.kind === 'ready') {
      this.thread.isReady = true;
      return;
    }
    const read = this.reads.get(message.read);
    assert(read !== undefined, 'a read is answered once');
    const { rows, request } = read;
    if (message.kind === 'rows') return rows.push(message);
    this.reads.delete(message.read);
    this.graphs.end(read.graph);
    if (this.reads.size === 0) this.idle(this.thread);
    if (message.kind === 'end') {
      addLookups(message.lookups, request.lookups);
      rows.finish(message.ticks);
    } else rows.fail(errorOf(message.fault));
  }

  private idle({ worker, watch }: StartedThread): void {
    watch.stop();
    worker.unref();
  }

  /** Handles a finding of the watch. A thread that is still starting is not stuck: only its overdue reads are answered. */
  private judge(worker: Worker, death: Death): void {
    const cause = new Error(`the thread was ended: ${death}`);
    if (this.thread?.isReady === true) return this.died(worker, death, cause);
    const nowMs = monotonicMs();
    for (const read of this.reads.values()) {
      if (!isOverdue(read, nowMs, false)) continue;
      read.isAnswered = true;
      read.rows.fail(answerAfterDeath(read, { death, isToBlame: false, nowMs, cause }) ?? outOfTime());
    }
  }

  /** Replaces a thread that has died (S3): its reads are answered or begin again. */
  private died(worker: Worker, death: Death, cause: unknown): void {
    const { thread } = this;
    if (thread?.worker !== worker) return;
    this.deaths++;
    const reads = this.letGo();
    void worker.terminate();
    // A thread that could not even start is started again only when it is needed.
    if (thread.isReady) this.started();
    const nowMs = monotonicMs();
    const running = thread.running[0];
    this.tell(death, reads.get(running ?? 0), cause);
    for (const [id, read] of reads) {
      const isToBlame = reads.size === 1 || id === running;
      const answer = answerAfterDeath(read, { death, isToBlame, nowMs, cause });
      if (answer === null) this.beginAgain(read);
      else read.rows.fail(answer);
    }
  }

  /** Logs a death with the text of the statement that ran, never its parameters. */
  private tell(death: Death, running: OngoingRead | undefined, error: unknown): void {
    const query = running?.request.planInputs.text.slice(0, LOGGED_CHARACTERS);
    this.options.logger.warn({ death, query, error }, 'a thread of reads has ended and is replaced; the statement that ran in it');
  }

  private beginAgain({ request, rows }: OngoingRead): void {
    try {
      this.options.again(request, rows);
    } catch (error) {
      rows.fail(error as Error); // as: whatever it is, it is the answer.
    }
  }

  /** Forgets the thread and all that it was sent. Returns the reads that ran in it. */
  private letGo(): ReadonlyMap<number, OngoingRead> {
    this.thread?.watch.stop();
    this.thread = null;
    this.graphs.clear();
    this.statements.clear();
    this.characters = 0;
    const reads = new Map(this.reads);
    this.reads.clear();
    return reads;
  }
}

function closing(): GraphDBError {
  return closedError('the database is closing');
}

function isOutOfMemory(error: unknown): boolean {
  return (error as { readonly code?: unknown }).code === 'ERR_WORKER_OUT_OF_MEMORY';
}
