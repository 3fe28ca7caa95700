/**
 * The engine of one open namespace: statements and transactions over the graph in memory, durable through storage.
 *
 * Reads run on a snapshot of the last durable commit (`Reads`, `LiveGraph`). Writes run one at a time, each in a
 * transaction (`Writes`, `WriterTurns`). `Background` does everything else.
 */
import { SharedCatalog } from '../algorithms/index.ts';
import { type Clock, closedError, type EngineFlags, type Logger, type Schedule, type ShownSetting } from '../base/index.ts';
import type { ProcedureRegistry } from '../exec/index.ts';
import type { GraphStore, PageLimits, RoomNeed } from '../graph/index.ts';
import type { ObjectStore } from '../object-store/index.ts';
import { fenced, type Namespace } from '../storage/index.ts';
import type {
  BeginOptions,
  CompactOutcome,
  Engine,
  EngineStatistics,
  EngineStatus,
  EngineTransaction,
  FlushOutcome,
  StatementOptions,
  StatementResult,
  StatementStream,
} from './api.ts';
import { Background } from './background/background.ts';
import { ChangeFeed } from './changes/change-feed.ts';
import type { Databases } from './databases.ts';
import type { Planner } from './planning/planner.ts';
import { LiveGraph } from './reading/live-graph.ts';
import { reachSequence } from './reading/reach.ts';
import { ReadTransaction } from './reading/read-transaction.ts';
import { Reads } from './reading/reads.ts';
import type { EngineSettings } from './settings/engine-options.ts';
import { AutomaticIndexer, type AutomaticIndexLimits } from './statements/automatic-indexer.ts';
import { StatementCounters } from './statements/counters.ts';
import { currentInstant, type ServedGraph, snapshotOf } from './statements/graph-version.ts';
import { streamOf } from './statements/outcome.ts';
import { type Parameters, requestOf, type StatementRequest } from './statements/request.ts';
import { StatementCache } from './statements/statement-cache.ts';
import { StatementRunner } from './statements/statement-runner.ts';
import type { Transactions } from './transactions.ts';
import { processMemoryBytes } from './workers/heap-guard.ts';
import type { ReadWorkers } from './workers/read-workers.ts';
import { WriteTransactions } from './writing/write-transactions.ts';
import { Writes } from './writing/writes.ts';

/** The options of a database. */
export interface DatabaseOptions {
  readonly store: ObjectStore;
  readonly namespace: Namespace;
  readonly graph: GraphStore;
  readonly settings: EngineSettings;
  readonly shownSettings: () => readonly ShownSetting[];
  readonly procedures: ProcedureRegistry;
  readonly clock: Clock;
  readonly schedule: Schedule;
  readonly logger: Logger | undefined;
  /** Null if the engine has no read workers. */
  readonly workers: WorkersOfEngine | null;
  /** Null if every statement is planned on this thread, however long it is. */
  readonly planner: PlannerOfEngine | null;
  readonly flags: EngineFlags;
  readonly pages: PageLimits;
  readonly automaticIndexes: AutomaticIndexLimits;
  /** See `EngineParts.statementRuns`; null if nobody listens. */
  readonly statementRuns: ((text: string) => void) | null;
  /** See `EngineParts.databases`; null if there is only one database. */
  readonly databases: Databases | null;
  /** See `EngineParts.sharesCatalog`. */
  readonly sharesCatalog: boolean;
  /** See `EngineParts.transactions`; null if no list of transactions is kept. */
  readonly transactions: Transactions | null;
  /** See `EngineParts.sliceMs`. */
  readonly sliceMs: number;
  /** See `EngineParts.spillAfterRows`; null: statements spill when memory runs short. */
  readonly spillAfterRows: number | null;
}

/** The planner of an engine, and whether the engine owns it. */
export interface PlannerOfEngine {
  readonly planner: Planner;
  /** True if the planner belongs to this engine alone and is closed with it. */
  readonly isOwner: boolean;
}

/** The read workers of an engine, and whether the engine owns them. */
export interface WorkersOfEngine {
  readonly workers: ReadWorkers;
  /** True if the workers belong to this engine alone and are closed with it. */
  readonly isOwner: boolean;
}

const NO_OPTIONS: StatementOptions = {};

/** The engine of one open namespace. */
export class Database implements Engine {
  /** Without the graph that was opened: another one may take its place, and its memory is freed then. */
  private readonly options: Omit<DatabaseOptions, 'graph'>;
  private readonly namespace: Namespace;
  private readonly counters = new StatementCounters();
  private readonly graph: LiveGraph;
  private readonly reads: Reads;
  private readonly writes: Writes;
  private readonly writeTransactions: WriteTransactions;
  private readonly background: Background;
  /** The projected graphs, which may take half of the memory that the process may use. */
  private readonly catalog: SharedCatalog;
  private closing: Promise<void> | null = null;

  constructor({ graph: opened, ...options }: DatabaseOptions) {
    const { namespace, settings, workers } = options;
    const { csvDirectory, csvHosts, csvStores, cacheDirectory, cacheBytes, version } = settings;
    const csvSources = { directory: csvDirectory, hosts: csvHosts, stores: csvStores };
    const catchUp = (): Promise<boolean> => this.background.following.catchUp();
    this.options = options;
    this.namespace = namespace;
    this.catalog = new SharedCatalog({
      mostBytes: options.pages.pageBytes ?? processMemoryBytes() / 2,
      publishedSequence: () => this.graph.served.graph.publishedSequence,
      isShared: options.sharesCatalog,
    });
    const makeRoom = (graph: GraphStore, need: RoomNeed): Promise<boolean> => this.background.unloader.makeRoom(graph, need);
    this.graph = new LiveGraph(opened, { ...options, version, serve: (graph) => this.serve(graph), catchUp });
    const spill = { directory: cacheDirectory, mostBytes: cacheBytes, afterRows: options.spillAfterRows };
    const served = (): ServedGraph => this.graph.served;
    const changes = new ChangeFeed({ namespace, graph: () => served().graph, isPinned: version !== null, sliceMs: options.sliceMs });
    const runner = new StatementRunner({
      ...options,
      csvSources,
      spill,
      catalog: this.catalog,
      changes,
      workers: workers?.workers ?? null,
    });
    this.background = new Background({
      ...options,
      graph: () => served().graph,
      onReplaced: (graph) => this.replace(graph),
      onTakenBack: (sequence) => this.catalog.takeBack(sequence),
      onFenced: () => this.writeTransactions.end(fenced()),
    });
    this.reads = new Reads({ runner, graph: this.graph, served, makeRoom, assertOpen: () => this.assertOpen() });
    this.writes = new Writes({ runner, turns: this.background.turns, namespace, served, makeRoom, catchUp });
    this.writeTransactions = new WriteTransactions(this.writes);
    this.background.start();
  }

  private serve(graph: GraphStore): ServedGraph {
    const { procedures, workers, planner, flags, automaticIndexes, logger } = this.options;
    return {
      graph,
      statements: new StatementCache({
        procedures,
        forWorkers: workers !== null,
        planner: planner?.planner ?? null,
        counters: this.counters,
        flags,
      }),
      automaticIndexer: new AutomaticIndexer(graph, {
        limits: automaticIndexes,
        counters: this.counters,
        logger: logger?.module('engine'),
      }),
    };
  }

  /** Serves this graph to statements that begin from now on, and lets the workers forget the former one. */
  private replace(graph: GraphStore): void {
    const former = this.graph.served.graph;
    this.graph.replace(graph);
    this.options.workers?.workers.forget(former);
  }

  async execute(query: string, params: Parameters, options?: StatementOptions): Promise<StatementResult> {
    return this.answer(query, params, options);
  }

  answer(query: string, params: Parameters, options: StatementOptions = NO_OPTIONS): StatementResult | Promise<StatementResult> {
    return this.answerRequest(requestOf(query, params, options));
  }

  private answerRequest(request: StatementRequest): StatementResult | Promise<StatementResult> {
    this.assertOpen();
    const { query } = request;
    if (this.graph.served.statements.isKnownToWrite(query, request.options.caller)) return this.writes.execute(request);
    const looking = this.background.watch.beforeRead();
    return looking === null ? this.answerNow(request) : looking.then(() => this.answerNow(request));
  }

  private answerNow(request: StatementRequest): StatementResult | Promise<StatementResult> {
    const answer = this.reads.answer(request);
    if (answer instanceof Promise) return answer.then((read) => read ?? this.writes.execute(request));
    return answer ?? this.writes.execute(request);
  }

  async stream(query: string, params: Parameters, options: StatementOptions = NO_OPTIONS): Promise<StatementStream> {
    this.assertOpen();
    const looking = this.background.watch.beforeRead();
    if (looking !== null) await looking;
    const request = requestOf(query, params, options);
    return (await this.reads.stream(request)) ?? streamOf(await this.answerRequest(request));
  }

  async begin(options: BeginOptions): Promise<EngineTransaction> {
    this.assertOpen();
    if (options.mode === 'write') return this.writeTransactions.begin(options);
    await this.background.watch.beforeRead();
    return new ReadTransaction(this.reads, { ...snapshotOf(this.graph.served), transactionTime: currentInstant() });
  }

  async reach(sequence: number, options: { timeoutMs: number; signal?: AbortSignal }): Promise<void> {
    this.assertOpen();
    await reachSequence(sequence, options, {
      reached: () => this.graph.served.graph.publishedSequence,
      ask: async () => {
        this.assertOpen();
        if (this.namespace.role === 'reader' && this.options.settings.version === null) await this.background.following.catchUp();
      },
    });
  }

  async explain(query: string, options: { verbose?: boolean } = {}): Promise<string> {
    this.assertOpen();
    return this.reads.explain(query, options);
  }

  async flush(): Promise<FlushOutcome> {
    this.assertOpen();
    return this.background.flush();
  }

  async compact(): Promise<CompactOutcome> {
    this.assertOpen();
    return this.background.compact();
  }

  status(): EngineStatus {
    const { name, manifest, epoch, role } = this.namespace;
    return {
      status: this.closing === null ? 'ok' : 'closing',
      namespace: name,
      manifestVersion: manifest.version,
      epoch,
      role,
      sequence: this.graph.served.graph.publishedSequence,
    };
  }

  async freshStatus(): Promise<EngineStatus> {
    await this.background.watch.beforeRead();
    return this.status();
  }

  statistics(): EngineStatistics {
    const { counters, unflushed, turns } = this.background;
    const { graph, automaticIndexer } = this.graph.served;
    return {
      ...this.counters,
      ...counters,
      graphBytes: graph.loadedBytes,
      pageBytes: graph.pages.bytes,
      pageEvictions: graph.pages.evictions,
      automaticIndexes: automaticIndexer.count,
      automaticIndexBytes: automaticIndexer.bytes,
      workerReads: this.options.workers?.workers.reads ?? 0,
      workersEnded: this.options.workers?.workers.endedThreads ?? 0,
      waitingWriters: turns.waitingWriters,
      unflushedBytes: unflushed.bytes,
      unflushedCommits: unflushed.commits,
      walObjects: this.namespace.walObjects,
    };
  }

  close(): Promise<void> {
    this.closing ??= this.shutDown();
    return this.closing;
  }

  private async shutDown(): Promise<void> {
    const { workers, planner, store } = this.options;
    this.graph.close();
    await this.catalog.close();
    if (planner?.isOwner === true) await planner.planner.close();
    await this.writeTransactions.close();
    if (workers?.isOwner === true) await workers.workers.close();
    else workers?.workers.forget(this.graph.served.graph);
    await this.background.close();
    await store.close();
  }

  private assertOpen(): void {
    if (this.closing !== null) throw closedError('the database is closing');
  }
}
