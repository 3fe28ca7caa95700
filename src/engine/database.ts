/**
 * The engine of one open namespace: statements and transactions over the graph in memory, durable through storage.
 *
 * Reads run on a snapshot of the last durable commit. Writes run one at a time, each in a transaction; see `Committer`. What else goes on: `Background`.
 *
 * A reader may find the files gone that it was opened with: it then looks for newer ones, and reads again.
 */
import { type EngineFlags, GraphDBError, type Logger } from '../base/index.ts';
import { COMMIT_BATCH, type ProcedureRegistry, Profile, Runtime, type RuntimeOptions } from '../exec/index.ts';
import type { GraphStore, GraphTransaction, GraphView } from '../graph/index.ts';
import type { Clock, ObjectStore } from '../object-store/index.ts';
import { formatPlan } from '../plan/index.ts';
import { type Manifest, type Namespace, openNamespace } from '../storage/index.ts';
import type { Instant, ResultValue, Value } from '../value/index.ts';
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
import { Background, type Tuning } from './background.ts';
import type { Committer } from './committer.ts';
import { EngineCounters } from './counters.ts';
import { explainText } from './explain.ts';
import { fenced } from './faults.ts';
import { explained, outcomeOf, type Run, streamOf } from './outcome.ts';
import { explainMissing, isCorruption } from './outlived.ts';
import { batchesOfRead, type PlacedRead, placeRead, rowsOfRead } from './placed-read.ts';
import { reachSequence } from './reach.ts';
import { allRows, started } from './run.ts';
import { StageTimes } from './stage-times.ts';
import { type PreparedStatement, StatementCache } from './statement-cache.ts';
import { ReadTransaction, WriteTransaction } from './transactions.ts';
import type { ReadWorkers } from './workers/read-workers.ts';

export interface DatabaseParts {
  readonly store: ObjectStore;
  readonly namespace: Namespace;
  readonly graph: GraphStore;
  readonly procedures: ProcedureRegistry;
  readonly readOnly: boolean;
  /** The retained version that was opened; null: the newest. */
  readonly version: number | null;
  readonly csvDirectory: string | null;
  readonly tuning: Tuning;
  readonly logger: Logger | undefined;
  readonly workers: WorkersOfEngine | null;
  readonly flags: EngineFlags;
}

export interface WorkersOfEngine {
  readonly workers: ReadWorkers;
  /** They are this engine's alone, and end with it. */
  readonly isOwner: boolean;
}

/** The graph to read, and what was prepared for it. */
export interface Live {
  readonly graph: GraphStore;
  readonly statements: StatementCache;
}

/** What a read transaction sees. */
export interface Snapshot {
  readonly live: Live;
  readonly view: GraphView;
  readonly since: Instant;
}

export type Parameters = ReadonlyMap<string, Value>;

interface StatementRun {
  readonly view: GraphView;
  readonly transaction: GraphTransaction | null;
  readonly parameters: Parameters;
  readonly options: StatementOptions;
  /** Of preparing and running it; milliseconds of `performance.now()`. */
  readonly deadline: number;
  /** The start of its transaction; null: it is one of its own. */
  readonly since: Instant | null;
  /** null: nobody wants to know them. */
  readonly stages: StageTimes | null;
}

/** Rows that are found as they are read. */
export interface RowStream extends StatementStream {
  readonly batches: AsyncGenerator<ResultValue[][], void, void>;
  /** These of its rows are kept in memory; MEMORY_LIMIT beyond what the statement may use. */
  charge(rows: ResultValue[][]): void;
}

const DEFAULT_MEMORY_BYTES = 2 * 1024 ** 3;
const READ_ATTEMPTS = 4;
/** What a timer can be set to. */
const LONGEST_TIMER_MS = 2 ** 31 - 1;
const NO_OPTIONS: StatementOptions = {};

export class Database implements Engine {
  private readonly store: ObjectStore;
  private readonly namespace: Namespace;
  private readonly procedures: ProcedureRegistry;
  private readonly version: number | null;
  private readonly csvDirectory: string | null;
  private readonly background: Background;
  private readonly flags: EngineFlags;
  private readonly counters = new EngineCounters();
  private readonly committer: Committer;
  private readonly workers: WorkersOfEngine | null;
  private readonly clock: Clock;
  private live: Live;
  private closing: Promise<void> | null = null;
  /** Those that were begun and have not ended. */
  private readonly writing = new Set<WriteTransaction>();

  constructor(parts: DatabaseParts) {
    this.store = parts.store;
    this.namespace = parts.namespace;
    this.procedures = parts.procedures;
    this.version = parts.version;
    this.csvDirectory = parts.csvDirectory;
    this.workers = parts.workers;
    this.flags = parts.flags;
    this.clock = parts.tuning.clock;
    this.live = this.liveOf(parts.graph);
    this.background = new Background({
      ...parts,
      counters: this.counters,
      onReplaced: (graph) => {
        this.live = this.liveOf(graph);
      },
    });
    this.committer = this.background.committer;
    this.background.start();
  }

  private liveOf(graph: GraphStore): Live {
    return { graph, statements: new StatementCache(this.procedures, this.workers !== null, this.counters, this.flags) };
  }

  /** A short read of what is in memory awaits nothing. */
  async execute(query: string, params: Parameters, options: StatementOptions = NO_OPTIONS): Promise<StatementResult> {
    this.assertOpen();
    const answer = this.reading((live) => this.executeUnlessWriting(live, query, params, options));
    return (answer instanceof Promise ? await answer : answer) ?? this.write(query, params, options);
  }

  private executeUnlessWriting(
    live: Live,
    query: string,
    params: Parameters,
    options: StatementOptions,
  ): StatementResult | Promise<StatementResult> | null {
    const deadline = deadlineOf(options);
    const view = live.graph.snapshot();
    const stages = this.stagesOf(query);
    const prepared = live.statements.prepare(query, view, deadline);
    const { plan } = prepared.plan;
    const parameters = parametersOf(prepared, params);
    stages?.end('prepare');
    if (plan.mode === 'explain') return explained(prepared, view);
    if (plan.writes) return mayWrite(options);
    return this.read(live, prepared, { view, transaction: null, parameters, options, deadline, since: null, stages });
  }

  private stagesOf(query: string): StageTimes | null {
    return this.flags.profileDump ? new StageTimes(query) : null;
  }

  /** Begins again when files are gone that the read needs, and there are newer ones. */
  private reading<T>(read: (live: Live) => T | Promise<T>): T | Promise<T> {
    const { live } = this;
    const { filesManifest } = live.graph;
    try {
      const answer = read(live);
      return answer instanceof Promise ? answer.catch((error: unknown) => this.readingAgain(read, { live, filesManifest, error })) : answer;
    } catch (error) {
      return this.readingAgain(read, { live, filesManifest, error });
    }
  }

  /** `filesManifest`: of the files by which the read began; newer ones may have taken their place in the same graph meanwhile. */
  private async readingAgain<T>(
    read: (live: Live) => T | Promise<T>,
    failed: { readonly live: Live; readonly filesManifest: Manifest; readonly error: unknown },
  ): Promise<T> {
    let { live, filesManifest, error } = failed;
    for (let attempt = 1; isCorruption(error); attempt++) {
      if (attempt === READ_ATTEMPTS || !(await this.hasNews(live, filesManifest))) throw await this.explainMissing(error, filesManifest);
      live = this.live;
      filesManifest = live.graph.filesManifest;
      try {
        return await read(live);
      } catch (another) {
        error = another;
      }
    }
    throw error;
  }

  private async explainMissing(error: unknown, manifest: Manifest): Promise<unknown> {
    return explainMissing(error, { namespace: this.namespace, manifest, nowMs: this.clock.now() });
  }

  private async hasNews(live: Live, { version }: Manifest): Promise<boolean> {
    const { name } = this.namespace;
    if (this.version !== null) {
      await openNamespace(this.store, { name, version: this.version }); // NOT_FOUND says it better.
      return false;
    }
    const isNew = (): boolean => this.live !== live || live.graph.filesManifest.version > version;
    return isNew() || (await this.background.following.catchUp()) || isNew();
  }

  async stream(query: string, params: Parameters, options: StatementOptions = {}): Promise<StatementStream> {
    this.assertOpen();
    return this.reading((live) => this.streamFrom(live, query, params, options));
  }

  private async streamFrom(live: Live, query: string, params: Parameters, options: StatementOptions): Promise<StatementStream> {
    const deadline = deadlineOf(options);
    const view = live.graph.snapshot();
    const stages = this.stagesOf(query);
    const prepared = live.statements.prepare(query, view, deadline);
    const { plan } = prepared.plan;
    const parameters = parametersOf(prepared, params);
    stages?.end('prepare');
    if (plan.writes || plan.mode !== 'run') return streamOf(await this.execute(query, params, options));
    return this.rowsOf(live, prepared, { view, transaction: null, parameters, options, deadline, since: null, stages }, () => {});
  }

  /** The rows of a statement that reads, as they are found; `onEnd` is called once, when they have ended or were left. */
  private async rowsOf(live: Live, prepared: PreparedStatement, run: StatementRun, onEnd: () => void): Promise<RowStream> {
    const loading = live.graph.require(run.view, prepared.requirements);
    if (loading !== null) await loading;
    run.stages?.end('load');
    run.transaction?.refresh();
    const placed = this.placed(prepared, run);
    let rows = 0;
    const inner = batchesOfRead(placed);
    const batches: AsyncGenerator<ResultValue[][], void, void> = {
      async next() {
        try {
          const step = await inner.next();
          if (step.done === true) {
            run.stages?.ran(rows, placed.runtime);
            run.stages?.write();
            onEnd();
          } else rows += step.value.length;
          return step;
        } catch (error) {
          onEnd();
          throw error;
        }
      },
      // Also before the first row, when a generator would not come to its `finally`.
      async return() {
        await inner.return();
        onEnd();
        return { done: true, value: undefined };
      },
      throw: (error) => inner.throw(error),
      [Symbol.asyncIterator]() {
        return this;
      },
      [Symbol.asyncDispose]: async () => void (await batches.return()),
    };
    return {
      columns: prepared.columns,
      batches,
      charge: (kept) => placed.runtime.chargeRows(kept),
      summary: () => ({ rows, ...outcomeOf(placed) }),
    };
  }

  private read(live: Live, prepared: PreparedStatement, run: StatementRun): StatementResult | Promise<StatementResult> {
    const loading = live.graph.require(run.view, prepared.requirements);
    return loading === null ? this.readLoaded(prepared, run) : loading.then(() => this.readLoaded(prepared, run));
  }

  private readLoaded(prepared: PreparedStatement, run: StatementRun): StatementResult | Promise<StatementResult> {
    run.stages?.end('load');
    const placed = this.placed(prepared, run);
    const { runtime, options } = placed;
    if (prepared.plan.plan.mode === 'profile')
      runtime.profile = new Profile(prepared.plan.for(run.view, options.parameters, options.deadline).profiled.length);
    const rows = rowsOfRead(placed);
    const ended = (all: ResultValue[][]): StatementResult => {
      run.stages?.ran(all.length, runtime);
      run.stages?.write();
      return resultOf(placed, all);
    };
    return rows instanceof Promise ? rows.then(ended) : ended(rows);
  }

  private placed(prepared: PreparedStatement, run: StatementRun): PlacedRead {
    return placeRead(prepared, this.runtimeOptions(run), this.workers?.workers ?? null);
  }

  private async write(query: string, params: Parameters, options: StatementOptions): Promise<StatementResult> {
    let transaction: GraphTransaction | null = await this.beginWrite(options);
    let holdsLock = true;
    const commitBatch = async (marker: symbol, runtime: Runtime): Promise<void> => {
      const ended = transaction;
      transaction = null;
      if (marker === COMMIT_BATCH) await this.committer.commitBatch(ended!);
      // Null: the batch could not be committed, and was taken back with that.
      else ended?.rollback();
      holdsLock = false;
      transaction = await this.nextWrite(options.signal, runtime);
      holdsLock = true;
      runtime.continueWith(transaction);
    };
    const stages = this.stagesOf(query);
    let result: StatementResult;
    try {
      result = await this.runWrite(query, transaction, { params, options, since: now(), stages }, commitBatch);
    } catch (error) {
      if (transaction !== null) this.committer.rollback(transaction);
      else if (holdsLock) this.committer.lock.release();
      throw await this.explainWriteFault(error);
    }
    await this.committer.commit(transaction);
    stages?.end('commit');
    stages?.write();
    return result;
  }

  /** Who misses files may have been fenced without noticing. */
  async explainWriteFault(error: unknown): Promise<unknown> {
    if (!isCorruption(error)) return error;
    await this.background.following.catchUp().catch(() => false);
    return this.namespace.role === 'writer' ? error : fenced(error);
  }

  /** Waiting for the turn to write is part of the statement's time. */
  private beginWrite({ signal, timeoutMs }: Omit<BeginOptions, 'mode'>): Promise<GraphTransaction> {
    return this.withinTime({ signal, timeoutMs }, (stop) => this.committer.begin(stop));
  }

  /** The transaction of the next batch of a statement. */
  private nextWrite(signal: AbortSignal | undefined, runtime: Runtime): Promise<GraphTransaction> {
    const timeoutMs = runtime.remainingMs;
    return this.withinTime({ signal, timeoutMs }, (stop) => this.committer.next(stop));
  }

  private async withinTime(
    { signal, timeoutMs }: Omit<BeginOptions, 'mode'>,
    begin: (stop: AbortSignal | undefined) => Promise<GraphTransaction>,
  ): Promise<GraphTransaction> {
    if (!timeoutMs || timeoutMs > LONGEST_TIMER_MS) return begin(signal);
    const limit = AbortSignal.timeout(Math.ceil(timeoutMs));
    try {
      return await begin(signal === undefined ? limit : AbortSignal.any([signal, limit]));
    } catch (error) {
      if (!limit.aborted || signal?.aborted === true) throw error;
      throw new GraphDBError('QUERY_TIMEOUT', 'the statement waited longer for its turn to write than its time limit allows', {
        cause: error,
      });
    }
  }

  /** One statement inside a transaction, read or write. */
  async runWrite(
    query: string,
    transaction: GraphTransaction,
    run: { params: Parameters; options: StatementOptions; since: Instant; stages?: StageTimes | null },
    onMarker: (marker: symbol, runtime: Runtime) => Promise<void>,
  ): Promise<StatementResult> {
    const stages = run.stages ?? this.stagesOf(query);
    transaction.refresh();
    const { view } = transaction;
    const { live } = this;
    const deadline = deadlineOf(run.options);
    const prepared = live.statements.prepare(query, view, deadline);
    const { plan } = prepared.plan;
    const parameters = parametersOf(prepared, run.params);
    stages?.end('prepare');
    if (plan.mode === 'explain') return explained(prepared, view);
    if (plan.writes) mayWrite(run.options);
    const loading = live.graph.require(view, prepared.requirements);
    if (loading !== null) await loading;
    stages?.end('load');
    transaction.refresh();
    const options = this.runtimeOptions({ view, transaction, parameters, options: run.options, deadline, since: run.since, stages });
    const runtime = new Runtime(options);
    const compiled = prepared.plan.for(view, parameters, deadline);
    if (plan.mode === 'profile') runtime.profile = new Profile(compiled.profiled.length);
    const rows = await allRows(started(compiled, runtime), runtime, (marker) => onMarker(marker, runtime));
    runtime.finishStatement();
    stages?.ran(rows.length, runtime);
    if (run.stages === undefined) stages?.write();
    return resultOf({ prepared, options, runtime }, rows);
  }

  /** The rows of a statement inside a transaction that writes; null when it cannot be streamed, because it writes itself or shows its plan. */
  async streamInWrite(
    query: string,
    transaction: GraphTransaction,
    run: { params: Parameters; options: StatementOptions; since: Instant },
  ): Promise<RowStream | null> {
    const stages = this.stagesOf(query);
    transaction.refresh();
    const { live } = this;
    const { view } = transaction;
    const deadline = deadlineOf(run.options);
    const prepared = live.statements.prepare(query, view, deadline);
    const { plan } = prepared.plan;
    const parameters = parametersOf(prepared, run.params);
    stages?.end('prepare');
    if (plan.writes || plan.mode !== 'run') return null;
    return this.rowsOf(
      live,
      prepared,
      { view, transaction, parameters, options: run.options, deadline, since: run.since, stages },
      () => {},
    );
  }

  async begin(options: BeginOptions): Promise<EngineTransaction> {
    this.assertOpen();
    if (options.mode === 'write') return this.beginWriting(options);
    const { live } = this;
    return new ReadTransaction(this, { live, view: live.graph.snapshot(), since: now() });
  }

  private async beginWriting(options: BeginOptions): Promise<EngineTransaction> {
    const transaction = await this.beginWrite(options);
    if (this.closing !== null) {
      this.committer.rollback(transaction);
      throw closing();
    }
    const begun = new WriteTransaction(this, this.committer, { transaction, since: now(), onEnd: (ended) => this.writing.delete(ended) });
    this.writing.add(begun);
    return begun;
  }

  async reach(sequence: number, options: { timeoutMs: number; signal?: AbortSignal }): Promise<void> {
    this.assertOpen();
    await reachSequence(sequence, options, {
      reached: () => this.live.graph.publishedSequence,
      ask: async () => {
        this.assertOpen();
        if (this.namespace.role === 'reader' && this.version === null) await this.background.following.catchUp();
      },
    });
  }

  /** A statement of a read transaction, on its snapshot. */
  async readOn(snapshot: Snapshot, query: string, params: Parameters, options: StatementOptions): Promise<StatementResult> {
    const { live, view, since } = snapshot;
    const deadline = deadlineOf(options);
    return this.onSnapshot(snapshot, { query, params, deadline }, (prepared, parameters) => {
      if (prepared.plan.plan.mode === 'explain') return explained(prepared, view);
      return this.read(live, prepared, { view, transaction: null, parameters, options, deadline, since, stages: this.stagesOf(query) });
    });
  }

  /** The rows of a statement of a read transaction; null when it cannot be streamed, because it shows its plan. `onEnd`: see `rowsOf`. */
  async streamOn(
    snapshot: Snapshot,
    query: string,
    params: Parameters,
    { options, onEnd }: { options: StatementOptions; onEnd: () => void },
  ): Promise<RowStream | null> {
    const { live, view, since } = snapshot;
    const deadline = deadlineOf(options);
    return this.onSnapshot(snapshot, { query, params, deadline }, (prepared, parameters) =>
      prepared.plan.plan.mode === 'run'
        ? this.rowsOf(
            live,
            prepared,
            { view, transaction: null, parameters, options, deadline, since, stages: this.stagesOf(query) },
            onEnd,
          )
        : null,
    );
  }

  private async onSnapshot<T>(
    { live, view }: Snapshot,
    { query, params, deadline }: { query: string; params: Parameters; deadline: number },
    read: (prepared: PreparedStatement, parameters: Parameters) => Promise<T> | T,
  ): Promise<T> {
    this.assertOpen();
    return this.reading(async (current) => {
      const prepared = live.statements.prepare(query, view, deadline);
      const parameters = parametersOf(prepared, params);
      const { mode, writes } = prepared.plan.plan;
      if (writes && mode !== 'explain') throw new GraphDBError('READ_ONLY', 'this is a read transaction: it cannot write');
      try {
        return await read(prepared, parameters);
      } catch (error) {
        // Another graph has taken the place of the one that this transaction reads: no news will bring its files back.
        throw current === live ? error : await this.explainMissing(error, live.graph.filesManifest);
      }
    });
  }

  async explain(query: string, options: { verbose?: boolean } = {}): Promise<string> {
    this.assertOpen();
    return this.reading((live) => this.explainOn(live, query, options));
  }

  private async explainOn(live: Live, query: string, options: { verbose?: boolean }): Promise<string> {
    const view = live.graph.snapshot();
    const prepared = live.statements.prepare(query, view, Number.POSITIVE_INFINITY);
    await live.graph.require(view, prepared.requirements);
    const text = formatPlan(prepared.plan.plan, { verbose: options.verbose ?? false });
    return options.verbose === true
      ? `${text}\n\n${explainText(prepared.plan.for(view, prepared.parameters, Number.POSITIVE_INFINITY))}`
      : text;
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
      sequence: this.live.graph.publishedSequence,
    };
  }

  statistics(): EngineStatistics {
    const { bytes, commits } = this.background.unflushed;
    return {
      ...this.counters,
      workerReads: this.workers?.workers.reads ?? 0,
      waitingWriters: this.committer.waitingWriters,
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
    // Nobody can end them any more, and what follows needs the writer.
    for (const transaction of this.writing) await transaction.rollback();
    if (this.workers?.isOwner === true) await this.workers.workers.close();
    await this.background.close();
    await this.store.close();
  }

  private assertOpen(): void {
    if (this.closing !== null) throw closing();
  }

  private runtimeOptions({ view, transaction, parameters, options, deadline, since }: StatementRun): RuntimeOptions {
    const statementTime = now();
    return {
      view,
      transaction,
      parameters,
      deadline,
      signal: options.signal ?? null,
      memoryBytes: options.memoryBytes ?? DEFAULT_MEMORY_BYTES,
      statementTime,
      transactionTime: since ?? statementTime,
      procedures: this.procedures,
      databaseRole: this.namespace.role,
      csvDirectory: this.csvDirectory,
      nodeCache: this.flags.nodeCache,
    };
  }
}

function deadlineOf({ timeoutMs }: StatementOptions): number {
  return timeoutMs ? performance.now() + timeoutMs : Number.POSITIVE_INFINITY;
}

/** All that the statement runs with: what the user gave, and the literals of its text. */
function parametersOf({ required, parameters: lifted }: PreparedStatement, given: Parameters): Parameters {
  for (const name of required) {
    if (given.has(name)) continue;
    const tck = { type: 'ParameterMissing', phase: 'compile time', detail: 'MissingParameter' } as const;
    throw new GraphDBError('PARAMETER_MISSING', `the parameter $${name} is used in the statement but was not given`, { tck });
  }
  if (lifted.size === 0) return given;
  return given.size === 0 ? lifted : new Map([...given, ...lifted]);
}

function resultOf(run: Run, rows: ResultValue[][]): StatementResult {
  return { columns: run.prepared.columns, rows, ...outcomeOf(run) };
}

/** @returns null: it may */
function mayWrite({ access }: StatementOptions): null {
  if (access !== 'read') return null;
  throw new GraphDBError('READ_ONLY', 'the statement writes, but was sent for reading only');
}

function closing(): GraphDBError {
  return new GraphDBError('SHUTTING_DOWN', 'the database is closing');
}

function now(): Instant {
  const ms = Date.now();
  const epochSecond = Math.floor(ms / 1000);
  return { epochSecond, nano: (ms - epochSecond * 1000) * 1_000_000 };
}
