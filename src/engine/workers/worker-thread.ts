/** One worker as the main thread sees it: what it has been told, and what runs in it. Started when it is first needed, and again after it has died. */
import { Worker } from 'node:worker_threads';
import { GraphDBError, monotonicMs, programFile } from '../../base/index.ts';
import type { LookupMeter } from '../../exec/index.ts';
import { GraphSharer, type GraphView } from '../../graph/index.ts';
import type { Value } from '../../value/index.ts';
import type { Recipe } from '../execution/recipe.ts';
import { hardLimitMiB, threadIsFull } from './heap-guard.ts';
import { errorOf, type FromWorker, type ReadMessage, type ThreadData, type ToWorker } from './messages.ts';
import { packParameters } from './packed-values.ts';
import { addLookups } from './remote-lookups.ts';
import { RemoteRows } from './remote-rows.ts';

/** A statement, or a part of one, to be run by a worker. Made for each by read-placement.ts. */
export interface RemoteRead
  extends Pick<ReadMessage, 'memoryBytes' | 'keepsRows' | 'morsels' | 'statementTime' | 'transactionTime' | 'databaseRole' | 'nodeCache'> {
  readonly view: GraphView;
  readonly recipe: Recipe;
  readonly parameters: ReadonlyMap<string, Value>;
  /** Milliseconds of `monotonicMs()`; Infinity: none. */
  readonly deadline: number;
  readonly signal: AbortSignal | null;
  readonly lookups?: LookupMeter | undefined;
}

/** More are followed no longer: the one that was longest not asked for. */
const FOLLOWED_GRAPHS = 4;
const KNOWN_STATEMENTS = 500;

const PROGRAM = programFile('engine/workers/read-worker');

interface FollowedGraph {
  readonly id: number;
  readonly sharer: GraphSharer;
}

let lastId = 0;

export class WorkerThread {
  private readonly heapMiB: number;
  private worker: Worker | null = null;
  /** The one asked for last comes last. */
  private graphs: FollowedGraph[] = [];
  private readonly statements = new Map<Recipe, number>();
  private readonly reads = new Map<number, { readonly rows: RemoteRows; readonly lookups: LookupMeter | undefined }>();

  constructor(heapMiB: number) {
    this.heapMiB = heapMiB;
  }

  /** Statements that run in it. */
  get load(): number {
    return this.reads.size;
  }

  read(request: RemoteRead): RemoteRows {
    this.start();
    const id = ++lastId;
    const graph = this.graphFor(request.view);
    const [statement, isNew] = this.statementFor(request.recipe);
    const { view, recipe, parameters, deadline, signal, lookups, ...message } = request;
    this.send({
      ...message,
      kind: 'read',
      read: id,
      graph: graph.id,
      shared: graph.sharer.share(view),
      statement,
      recipe: isNew ? { text: recipe.text, answers: recipe.answers, flags: recipe.flags } : null,
      parameters: packParameters(parameters),
      timeoutMs: deadline - monotonicMs(),
    });
    const rows = new RemoteRows(signal, {
      more: () => this.send({ kind: 'more', read: id }),
      stop: () => this.send({ kind: 'stop', read: id }),
      end: () => this.ended(id),
    });
    this.reads.set(id, { rows, lookups });
    this.worker?.ref();
    return rows;
  }

  async close(): Promise<void> {
    const { worker } = this;
    this.worker = null;
    this.failAll(() => new GraphDBError('SHUTTING_DOWN', 'the database is closing'));
    await worker?.terminate();
  }

  private start(): void {
    if (this.worker !== null) return;
    const worker = new Worker(PROGRAM, {
      workerData: { heapMiB: this.heapMiB } satisfies ThreadData,
      resourceLimits: { maxOldGenerationSizeMb: hardLimitMiB(this.heapMiB) },
    });
    worker.unref();
    worker.on('message', (message: FromWorker) => this.receive(message));
    worker.on('error', (error) => this.died(worker, error));
    worker.on('exit', () => this.died(worker, new Error('the thread ended')));
    this.worker = worker;
  }

  private send(message: ToWorker): void {
    this.worker?.postMessage(message);
  }

  /** The newest of those that can be brought to the view. */
  private graphFor(view: GraphView): FollowedGraph {
    const fitting = this.graphs.filter(({ sharer }) => sharer.takes(view));
    let graph = fitting.toSorted((a, b) => b.sharer.sequence - a.sharer.sequence)[0];
    if (graph === undefined) {
      graph = { id: ++lastId, sharer: new GraphSharer() };
      const dropped = this.graphs.length === FOLLOWED_GRAPHS ? this.graphs.shift() : undefined;
      if (dropped !== undefined) this.send({ kind: 'forgetGraph', graph: dropped.id, bytes: dropped.sharer.givenBytes });
    }
    this.graphs = [...this.graphs.filter((one) => one !== graph), graph];
    return graph;
  }

  private statementFor(recipe: Recipe): readonly [number, boolean] {
    const known = this.statements.get(recipe);
    if (known !== undefined) return [known, false];
    const id = ++lastId;
    this.statements.set(recipe, id);
    if (this.statements.size > KNOWN_STATEMENTS) {
      const [oldest, statement] = this.statements.entries().next().value!;
      this.statements.delete(oldest);
      this.send({ kind: 'forgetStatement', statement });
    }
    return [id, true];
  }

  private receive(message: FromWorker): void {
    const read = this.reads.get(message.read);
    if (read === undefined) return;
    const { rows, lookups } = read;
    if (message.kind === 'rows') return rows.push(message.rows);
    this.ended(message.read);
    if (message.kind === 'end') {
      addLookups(message.lookups, lookups);
      rows.finish(message.ticks);
    } else rows.fail(errorOf(message.fault));
  }

  private ended(id: number): void {
    this.reads.delete(id);
    if (this.reads.size === 0) this.worker?.unref();
  }

  /** Its statements fail; the next one starts it again. */
  private died(worker: Worker, cause: unknown): void {
    if (this.worker !== worker) return;
    this.worker = null;
    this.graphs = [];
    this.statements.clear();
    this.failAll(() => faultOfThread(cause));
  }

  private failAll(fault: () => Error): void {
    const reads = [...this.reads.values()];
    this.reads.clear();
    for (const { rows } of reads) rows.fail(fault());
  }
}

function faultOfThread(cause: unknown): GraphDBError {
  const isMemory = (cause as { readonly code?: unknown }).code === 'ERR_WORKER_OUT_OF_MEMORY';
  return isMemory ? threadIsFull(cause) : new GraphDBError('INTERNAL', 'the thread that ran the statement failed', { cause });
}
