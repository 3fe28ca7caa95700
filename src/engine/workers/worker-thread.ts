/**
 * One worker as the main thread sees it: what it has been told, and what runs in it. Started when it is first needed,
 * and at once where it has ended before its time. A worker that ends takes its isolate with it: its replicas, their
 * copies of marks, its plans. The arrays that it shared are those of the main thread, which has let go of what it had
 * sent.
 */
import { Worker } from 'node:worker_threads';
import { assert, GraphDBError, type Logger, monotonicMs, outOfTime, programFile } from '../../base/index.ts';
import { GraphSharer, type GraphStore, type GraphView } from '../../graph/index.ts';
import type { PlanInputs } from '../execution/plan-inputs.ts';
import { hardLimitMiB } from './heap-guard.ts';
import { errorOf, type FromWorker, type ThreadData, type ToWorker } from './messages.ts';
import { answerAfterDeath, type Death, isOverdue, type OngoingRead } from './ongoing-read.ts';
import { addLookups } from './remote-lookups.ts';
import type { RemoteRead } from './remote-read.ts';
import { RemoteRows } from './remote-rows.ts';
import { WorkerWatch } from './worker-watch.ts';

/** More are followed no longer: the one that was longest not asked for. */
const FOLLOWED_GRAPHS = 4;
const KNOWN_STATEMENTS = 500;
const LOGGED_CHARACTERS = 4_096;

const PROGRAM = programFile('engine/workers/read-worker');

interface FollowedGraph {
  readonly id: number;
  readonly sharer: GraphSharer;
}

/** A statement that the thread has planned; its plan holds on to the view that it last ran over. */
interface KnownStatement {
  readonly id: number;
  /** The graph that the thread ran over last. */
  graph: number;
}

let lastId = 0;

/** The options of a worker. */
export interface WorkerThreadOptions {
  readonly heapMiB: number;
  /** Runs a read in another thread, or in this one anew, when its thread has ended for no fault of its own. */
  readonly again: (request: RemoteRead, rows: RemoteRows) => void;
  readonly logger: Logger;
}

/** A thread that has been started. */
interface StartedThread {
  readonly worker: Worker;
  readonly watch: WorkerWatch;
  /** See `ThreadData`. */
  readonly running: Int32Array;
  /** It takes messages. */
  isReady: boolean;
}

const STARTING_LOAD = 0.5;

/** A worker, as the main thread sees it. */
export class WorkerThread {
  /** How often it has ended and had to be replaced. */
  deaths = 0;
  private readonly options: WorkerThreadOptions;
  private thread: StartedThread | null = null;
  /** The one asked for last comes last. */
  private graphs: FollowedGraph[] = [];
  private readonly statements = new Map<PlanInputs, KnownStatement>();
  private readonly reads = new Map<number, OngoingRead>();

  constructor(options: WorkerThreadOptions) {
    this.options = options;
  }

  /** Statements that run in it, and a part of one while it starts: one that is as idle, and is ready, comes before it. */
  get load(): number {
    return this.reads.size + (this.thread?.isReady === false ? STARTING_LOAD : 0);
  }

  read(request: RemoteRead): RemoteRows {
    const rows = new RemoteRows({ deadline: request.deadline, signal: request.signal });
    this.run(request, rows);
    return rows;
  }

  run(request: RemoteRead, rows: RemoteRows): void {
    const { worker, watch } = this.started();
    const id = ++lastId;
    const graph = this.graphFor(request.view);
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
    const read: OngoingRead = { request, rows, stoppedAt: Number.POSITIVE_INFINITY, isAnswered: false };
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

  /** No statement asks for this graph any more. */
  forget(graph: GraphStore): void {
    const forgotten = this.graphs.filter(({ sharer }) => sharer.isOf(graph));
    this.graphs = this.graphs.filter((followed) => !forgotten.includes(followed));
    for (const followed of forgotten) this.sendForget(followed);
  }

  private sendForget({ id, sharer }: FollowedGraph): void {
    for (const [planInputs, statement] of this.statements) if (statement.graph === id) this.forgetStatement(planInputs, statement);
    this.send({ kind: 'forgetGraph', graph: id, bytes: sharer.givenBytes });
  }

  async close(): Promise<void> {
    const { thread } = this;
    const reads = this.letGo();
    for (const { rows } of reads.values()) rows.fail(new GraphDBError('SHUTTING_DOWN', 'the database is closing'));
    await thread?.worker.terminate();
  }

  /** Starts the thread where it does not run. */
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

  /** The newest of those that can be brought to the view. */
  private graphFor(view: GraphView): FollowedGraph {
    const fitting = this.graphs.filter(({ sharer }) => sharer.takes(view));
    let graph = fitting.toSorted((a, b) => b.sharer.sequence - a.sharer.sequence)[0];
    if (graph === undefined) {
      graph = { id: ++lastId, sharer: new GraphSharer() };
      const dropped = this.graphs.length === FOLLOWED_GRAPHS ? this.graphs.shift() : undefined;
      if (dropped !== undefined) this.sendForget(dropped);
    }
    this.graphs = [...this.graphs.filter((one) => one !== graph), graph];
    return graph;
  }

  private statementFor(planInputs: PlanInputs, graph: number): readonly [number, boolean] {
    const known = this.statements.get(planInputs);
    if (known !== undefined) {
      known.graph = graph;
      return [known.id, false];
    }
    const id = ++lastId;
    this.statements.set(planInputs, { id, graph });
    if (this.statements.size > KNOWN_STATEMENTS) {
      const [oldest, statement] = this.statements.entries().next().value!;
      this.forgetStatement(oldest, statement);
    }
    return [id, true];
  }

  private forgetStatement(planInputs: PlanInputs, { id }: KnownStatement): void {
    this.statements.delete(planInputs);
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

  /** A thread that is still beginning is not stuck: only what had no more time is answered. */
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

  /** S3: its reads are answered, or begin again, and another thread takes its place. */
  private died(worker: Worker, death: Death, cause: unknown): void {
    const { thread } = this;
    if (thread?.worker !== worker) return;
    this.deaths++;
    const reads = this.letGo();
    void worker.terminate();
    // One that could not even begin is tried again when it is needed.
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

  /** The text alone, never the parameters. */
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

  /** Forgets the thread and all that it was told. Returns what ran in it. */
  private letGo(): ReadonlyMap<number, OngoingRead> {
    this.thread?.watch.stop();
    this.thread = null;
    this.graphs = [];
    this.statements.clear();
    const reads = new Map(this.reads);
    this.reads.clear();
    return reads;
  }
}

function isOutOfMemory(error: unknown): boolean {
  return (error as { readonly code?: unknown }).code === 'ERR_WORKER_OUT_OF_MEMORY';
}
