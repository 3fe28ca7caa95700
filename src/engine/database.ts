/**
 * The engine of one open namespace: statements and transactions over the graph in memory, durable through storage.
 *
 * Reads run on a snapshot of the last durable commit (`LiveGraph`, `SnapshotReads`). Writes run one at a time, each in a transaction (`Writes`, `Committer`).
 * What else goes on: `Background`.
 */
import { type EngineFlags, GraphDBError, type Logger, type ShownSetting } from '../base/index.ts';
import type { ProcedureRegistry } from '../exec/index.ts';
import type { GraphStore } from '../graph/index.ts';
import type { ObjectStore } from '../object-store/index.ts';
import { formatPlan } from '../plan/index.ts';
import type { Namespace } from '../storage/index.ts';
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
import { AutomaticIndexer, type AutomaticIndexLimits } from './background/automatic-indexer.ts';
import { Background, type Tuning } from './background/background.ts';
import { EngineCounters } from './counters.ts';
import { type Live, LiveGraph } from './live-graph.ts';
import { explainText } from './statements/explain.ts';
import { explained, streamOf } from './statements/outcome.ts';
import { reachSequence } from './statements/reach.ts';
import { SnapshotReads } from './statements/snapshot-reads.ts';
import { StatementCache } from './statements/statement-cache.ts';
import { now, type Parameters, type PreparedRun, type Sent, StatementRunner } from './statements/statement-runner.ts';
import type { ReadWorkers } from './workers/read-workers.ts';
import { ReadTransaction, WriteTransaction } from './writing/transactions.ts';
import { mayWrite, Writes } from './writing/writes.ts';

export interface DatabaseParts {
  readonly store: ObjectStore;
  readonly namespace: Namespace;
  readonly graph: GraphStore;
  readonly procedures: ProcedureRegistry;
  readonly readOnly: boolean;
  /** The retained version that was opened; null: the newest. */
  readonly version: number | null;
  readonly csvDirectory: string | null;
  readonly settings: () => readonly ShownSetting[];
  readonly tuning: Tuning;
  readonly logger: Logger | undefined;
  readonly workers: WorkersOfEngine | null;
  readonly flags: EngineFlags;
  readonly automaticIndexes: AutomaticIndexLimits;
}

export interface WorkersOfEngine {
  readonly workers: ReadWorkers;
  /** They are this engine's alone, and end with it. */
  readonly isOwner: boolean;
}

const NO_OPTIONS: StatementOptions = {};

export class Database implements Engine {
  private readonly store: ObjectStore;
  private readonly namespace: Namespace;
  private readonly version: number | null;
  private readonly workers: WorkersOfEngine | null;
  private readonly counters = new EngineCounters();
  private readonly graph: LiveGraph;
  private readonly runner: StatementRunner;
  private readonly snapshotReads: SnapshotReads;
  private readonly background: Background;
  private readonly writes: Writes;
  private closing: Promise<void> | null = null;
  /** Those that were begun and have not ended. */
  private readonly writing = new Set<WriteTransaction>();

  constructor(parts: DatabaseParts) {
    const { procedures, flags } = parts;
    this.store = parts.store;
    this.namespace = parts.namespace;
    this.version = parts.version;
    this.workers = parts.workers;
    const catchUp = (): Promise<boolean> => this.background.following.catchUp();
    this.graph = new LiveGraph(parts.graph, {
      ...parts,
      clock: parts.tuning.clock,
      liveOf: (graph) => ({
        graph,
        statements: new StatementCache(procedures, this.workers !== null, this.counters, flags),
        automaticIndexer: new AutomaticIndexer(graph, parts.automaticIndexes, this.counters, parts.logger?.module('engine')),
      }),
      catchUp,
    });
    this.runner = new StatementRunner({
      ...parts,
      workers: parts.workers?.workers ?? null,
      lookups: () => this.graph.current.automaticIndexer,
    });
    this.snapshotReads = new SnapshotReads({ runner: this.runner, graph: this.graph, assertOpen: () => this.assertOpen() });
    this.background = new Background({ ...parts, counters: this.counters, onReplaced: (graph) => this.graph.replace(graph) });
    this.writes = new Writes({
      ...parts,
      runner: this.runner,
      committer: this.background.committer,
      live: () => this.graph.current,
      catchUp,
    });
    this.background.start();
  }

  async execute(query: string, params: Parameters, options?: StatementOptions): Promise<StatementResult> {
    return this.answer(query, params, options);
  }

  answer(query: string, params: Parameters, options: StatementOptions = NO_OPTIONS): StatementResult | Promise<StatementResult> {
    this.assertOpen();
    const sent = { query, params, options };
    if (this.graph.current.statements.isKnownToWrite(query)) return this.writes.execute(sent);
    const looking = this.background.watch.beforeRead();
    return looking === null ? this.answerNow(sent) : looking.then(() => this.answerNow(sent));
  }

  private answerNow(sent: Sent): StatementResult | Promise<StatementResult> {
    const answer = this.graph.reading(this.answerUnlessWriting, sent);
    if (answer instanceof Promise) return answer.then((read) => read ?? this.writes.execute(sent));
    return answer ?? this.writes.execute(sent);
  }

  private readonly answerUnlessWriting = (live: Live, sent: Sent): StatementResult | Promise<StatementResult> | null => {
    const run = this.prepare(live, sent);
    const { mode, writes } = run.prepared.plan.plan;
    if (mode === 'explain') return explained(run.prepared, run.view);
    return writes ? mayWrite(sent.options) : this.runner.read(run);
  };

  async stream(query: string, params: Parameters, options: StatementOptions = NO_OPTIONS): Promise<StatementStream> {
    this.assertOpen();
    await this.background.watch.beforeRead();
    return this.graph.reading(async (live) => {
      const run = this.prepare(live, { query, params, options });
      const { mode, writes } = run.prepared.plan.plan;
      if (writes || mode !== 'run') return streamOf(await this.execute(query, params, options));
      return this.runner.rows(run, () => {});
    });
  }

  private prepare(live: Live, sent: Sent): PreparedRun {
    return this.runner.prepare(sent, { live, view: live.graph.snapshot(), transaction: null, since: null });
  }

  async begin(options: BeginOptions): Promise<EngineTransaction> {
    this.assertOpen();
    if (options.mode === 'write') return this.beginWriting(options);
    await this.background.watch.beforeRead();
    const live = this.graph.current;
    return new ReadTransaction(this.snapshotReads, { live, view: live.graph.snapshot(), since: now() });
  }

  private async beginWriting(options: BeginOptions): Promise<EngineTransaction> {
    const transaction = await this.writes.begin(options);
    if (this.closing !== null) {
      this.writes.committer.rollback(transaction);
      throw closing();
    }
    const begun = new WriteTransaction(this.writes, { transaction, since: now(), onEnd: (ended) => this.writing.delete(ended) });
    this.writing.add(begun);
    return begun;
  }

  async reach(sequence: number, options: { timeoutMs: number; signal?: AbortSignal }): Promise<void> {
    this.assertOpen();
    await reachSequence(sequence, options, {
      reached: () => this.graph.current.graph.publishedSequence,
      ask: async () => {
        this.assertOpen();
        if (this.namespace.role === 'reader' && this.version === null) await this.background.following.catchUp();
      },
    });
  }

  async explain(query: string, options: { verbose?: boolean } = {}): Promise<string> {
    this.assertOpen();
    return this.graph.reading((live) => explainOn(live, query, options));
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
      sequence: this.graph.current.graph.publishedSequence,
    };
  }

  async freshStatus(): Promise<EngineStatus> {
    await this.background.watch.beFresh();
    return this.status();
  }

  statistics(): EngineStatistics {
    const { bytes, commits } = this.background.unflushed;
    return {
      ...this.counters,
      automaticIndexes: this.graph.current.automaticIndexer.count,
      automaticIndexBytes: this.graph.current.automaticIndexer.bytes,
      workerReads: this.workers?.workers.reads ?? 0,
      waitingWriters: this.writes.committer.waitingWriters,
      unflushedBytes: bytes,
      unflushedCommits: commits,
      walObjects: this.namespace.walObjects,
    };
  }

  close(): Promise<void> {
    this.closing ??= this.shutDown();
    return this.closing;
  }

  private async shutDown(): Promise<void> {
    this.graph.current.automaticIndexer.close();
    // Nobody can end them any more, and what follows needs the writer.
    for (const transaction of this.writing) await transaction.rollback();
    if (this.workers?.isOwner === true) await this.workers.workers.close();
    await this.background.close();
    await this.store.close();
  }

  private assertOpen(): void {
    if (this.closing !== null) throw closing();
  }
}

async function explainOn(live: Live, query: string, { verbose = false }: { readonly verbose?: boolean }): Promise<string> {
  const view = live.graph.snapshot();
  const prepared = live.statements.prepare(query, view, Number.POSITIVE_INFINITY);
  await live.graph.require(view, prepared.requirements);
  const text = formatPlan(prepared.plan.plan, { verbose });
  return verbose ? `${text}\n\n${explainText(prepared.plan.for(view, prepared.parameters, Number.POSITIVE_INFINITY))}` : text;
}

function closing(): GraphDBError {
  return new GraphDBError('SHUTTING_DOWN', 'the database is closing');
}
