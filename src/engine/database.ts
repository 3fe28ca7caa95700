/**
 * The engine of one open namespace: statements and transactions over the graph in memory, durable through storage.
 *
 * Reads run on a snapshot of the last durable commit. Writes run one at a time, each in a transaction; see `Committer`. What else goes on: `Background`.
 *
 * A reader may find the files gone that it was opened with: it then looks for newer ones, and reads again.
 */
import { assert, GraphDBError, type Logger } from '../base/index.ts';
import { COMMIT_BATCH, type CompiledStatement, type Counters, type ProcedureRegistry, Runtime } from '../exec/index.ts';
import type { GraphStore, GraphTransaction, GraphView } from '../graph/index.ts';
import type { ObjectStore } from '../object-store/index.ts';
import { formatPlan } from '../plan/index.ts';
import { type Namespace, openNamespace } from '../storage/index.ts';
import type { Instant, ResultValue, Value } from '../value/index.ts';
import type {
  CompactOutcome,
  Engine,
  EngineStatus,
  EngineTransaction,
  FlushOutcome,
  StatementOptions,
  StatementResult,
  StatementStream,
  WriteOutcome,
} from './api.ts';
import { Background, type Tuning } from './background.ts';
import type { Committer } from './committer.ts';
import { explainText, profileText } from './explain.ts';
import { fenced, isCorruption } from './faults.ts';
import { allRows, batchesOf, type StatementGenerator } from './run.ts';
import { type PreparedStatement, StatementCache } from './statement-cache.ts';

export interface DatabaseParts {
  readonly store: ObjectStore;
  readonly namespace: Namespace;
  readonly graph: GraphStore;
  readonly procedures: ProcedureRegistry;
  readonly readOnly: boolean;
  /** The retained version that was opened; null: the newest. */
  readonly version: number | null;
  readonly tuning: Tuning;
  readonly logger: Logger | undefined;
}

/** The graph to read, and what was prepared for it. */
interface Live {
  readonly graph: GraphStore;
  readonly statements: StatementCache;
}

/** What a read transaction sees. */
interface Snapshot {
  readonly live: Live;
  readonly view: GraphView;
  readonly since: Instant;
}

type Parameters = ReadonlyMap<string, Value>;

const DEFAULT_MEMORY_BYTES = 2 * 1024 ** 3;
const READ_ATTEMPTS = 4;

export class Database implements Engine {
  private readonly store: ObjectStore;
  private readonly namespace: Namespace;
  private readonly procedures: ProcedureRegistry;
  private readonly version: number | null;
  private readonly background: Background;
  private readonly committer: Committer;
  private live: Live;
  private closing: Promise<void> | null = null;

  constructor(parts: DatabaseParts) {
    this.store = parts.store;
    this.namespace = parts.namespace;
    this.procedures = parts.procedures;
    this.version = parts.version;
    this.live = { graph: parts.graph, statements: new StatementCache(parts.procedures) };
    this.background = new Background({
      ...parts,
      onReplaced: (graph) => {
        this.live = { graph, statements: new StatementCache(parts.procedures) };
      },
    });
    this.committer = this.background.committer;
    this.background.start();
  }

  async execute(query: string, params: Parameters, options: StatementOptions = {}): Promise<StatementResult> {
    this.assertOpen();
    const answer = await this.reading((live) => this.executeUnlessWriting(live, query, params, options));
    return answer ?? this.write(query, params, options);
  }

  private async executeUnlessWriting(
    live: Live,
    query: string,
    params: Parameters,
    options: StatementOptions,
  ): Promise<StatementResult | null> {
    const view = live.graph.snapshot();
    try {
      const prepared = prepare(live, query, view, params);
      if (prepared.plan.plan.mode === 'explain') return explained(prepared);
      if (prepared.plan.plan.writes) return null;
      return await this.read(live, prepared, view, { params: prepared.parameters, options, since: now() });
    } finally {
      view.release();
    }
  }

  /** Begins again when files are gone that the read needs, and there are newer ones. */
  private async reading<T>(read: (live: Live) => Promise<T>): Promise<T> {
    for (let attempt = 1; ; attempt++) {
      const { live } = this;
      try {
        return await read(live);
      } catch (error) {
        if (attempt === READ_ATTEMPTS || !isCorruption(error) || !(await this.hasNews(live))) throw error;
      }
    }
  }

  private async hasNews(live: Live): Promise<boolean> {
    const { name } = this.namespace;
    if (this.version !== null) {
      await openNamespace(this.store, { name, version: this.version }); // NOT_FOUND says it better.
      return false;
    }
    return (await this.background.following.catchUp()) || this.live !== live;
  }

  async stream(query: string, params: Parameters, options: StatementOptions = {}): Promise<StatementStream> {
    this.assertOpen();
    return this.reading((live) => this.streamFrom(live, query, params, options));
  }

  private async streamFrom(live: Live, query: string, params: Parameters, options: StatementOptions): Promise<StatementStream> {
    const view = live.graph.snapshot();
    const prepared = prepare(live, query, view, params);
    const { plan } = prepared.plan;
    if (plan.writes || plan.mode !== 'run') {
      view.release();
      return streamOf(await this.execute(query, params, options));
    }
    await load(live, view, prepared);
    const runtime = this.runtime({ view, transaction: null, params: prepared.parameters, options, since: now() });
    const compiled = prepared.plan.for(view, prepared.parameters);
    let rows = 0;
    const batches = async function* (): AsyncGenerator<ResultValue[][], void, void> {
      try {
        for await (const batch of batchesOf(start(compiled, runtime), runtime, noMarker)) {
          rows += batch.length;
          yield batch;
        }
      } finally {
        view.release();
      }
    };
    return { columns: plan.columns.map((column) => column.name), batches: batches(), summary: () => ({ rows }) };
  }

  private async read(
    live: Live,
    prepared: PreparedStatement,
    view: GraphView,
    run: { params: Parameters; options: StatementOptions; since: Instant },
  ): Promise<StatementResult> {
    const loading = load(live, view, prepared);
    if (loading !== null) await loading;
    const runtime = this.runtime({ view, transaction: null, ...run });
    const compiled = prepared.plan.for(view, run.params);
    if (prepared.plan.plan.mode === 'profile') runtime.profile.push(...compiled.profiled.map(() => 0));
    const rows = await allRows(start(compiled, runtime), runtime, noMarker);
    return { columns: columnsOf(prepared), rows, ...profileOf(prepared, compiled, runtime), ...notificationsOf(prepared, view) };
  }

  private async write(query: string, params: Parameters, options: StatementOptions): Promise<StatementResult> {
    let transaction: GraphTransaction | null = await this.beginWrite(options);
    const commitBatch = async (marker: symbol, runtime: Runtime): Promise<void> => {
      const ended = transaction!;
      transaction = null;
      if (marker === COMMIT_BATCH) await this.committer.commitBatch(ended);
      else ended.rollback();
      transaction = await this.committer.next();
      runtime.continueWith(transaction);
    };
    let result: StatementResult;
    try {
      result = await this.runWrite(query, transaction, { params, options, since: now() }, commitBatch);
    } catch (error) {
      if (transaction !== null) this.committer.rollback(transaction);
      else this.committer.lock.release();
      throw await this.explainWriteFault(error);
    }
    await this.committer.commit(transaction);
    return result;
  }

  /** Who misses files may have been fenced without noticing. */
  async explainWriteFault(error: unknown): Promise<unknown> {
    if (!isCorruption(error)) return error;
    await this.background.following.catchUp().catch(() => false);
    return this.namespace.role === 'writer' ? error : fenced(error);
  }

  /** Waiting for the turn to write is part of the statement's time. */
  private async beginWrite({ signal, timeoutMs }: StatementOptions): Promise<GraphTransaction> {
    if (!timeoutMs) return this.committer.begin(signal);
    const limit = AbortSignal.timeout(timeoutMs);
    try {
      return await this.committer.begin(signal === undefined ? limit : AbortSignal.any([signal, limit]));
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
    run: { params: Parameters; options: StatementOptions; since: Instant },
    onMarker: (marker: symbol, runtime: Runtime) => Promise<void>,
  ): Promise<StatementResult> {
    transaction.refresh();
    const { view } = transaction;
    const { live } = this;
    const prepared = prepare(live, query, view, run.params);
    const { plan } = prepared.plan;
    if (plan.mode === 'explain') return explained(prepared);
    const loading = load(live, view, prepared);
    if (loading !== null) await loading;
    transaction.refresh();
    const runtime = this.runtime({ view, transaction, ...run, params: prepared.parameters });
    const compiled = prepared.plan.for(view, prepared.parameters);
    if (plan.mode === 'profile') runtime.profile.push(...compiled.profiled.map(() => 0));
    const rows = await allRows(start(compiled, runtime), runtime, (marker) => onMarker(marker, runtime));
    runtime.finishStatement();
    const outcome = plan.writes ? { writeOutcome: outcomeOf(runtime.counters) } : {};
    const notifications = notificationsOf(prepared, runtime.view);
    return { columns: columnsOf(prepared), rows, ...outcome, ...profileOf(prepared, compiled, runtime), ...notifications };
  }

  async begin(options: { mode: 'read' | 'write' }): Promise<EngineTransaction> {
    this.assertOpen();
    const { live } = this;
    if (options.mode === 'read') return new ReadTransaction(this, live);
    return new WriteTransaction(this, this.committer, await this.committer.begin());
  }

  /** A statement of a read transaction, on its snapshot. */
  async readOn({ live, view, since }: Snapshot, query: string, params: Parameters, options: StatementOptions): Promise<StatementResult> {
    this.assertOpen();
    return this.reading(async (current) => {
      const prepared = prepare(live, query, view, params);
      if (prepared.plan.plan.mode === 'explain') return explained(prepared);
      if (prepared.plan.plan.writes) throw new GraphDBError('READ_ONLY', 'this is a read transaction: it cannot write');
      return this.read(live, prepared, view, { params: prepared.parameters, options, since }).catch((error: unknown) => {
        if (current === live || !isCorruption(error)) throw error;
        throw new GraphDBError('STORE_UNAVAILABLE', 'files that this transaction reads are gone from the store; begin it again', {
          cause: error,
        });
      });
    });
  }

  async explain(query: string, options: { verbose?: boolean } = {}): Promise<string> {
    this.assertOpen();
    return this.reading((live) => this.explainOn(live, query, options));
  }

  private async explainOn(live: Live, query: string, options: { verbose?: boolean }): Promise<string> {
    const view = live.graph.snapshot();
    try {
      const prepared = live.statements.prepare(query, view);
      await load(live, view, prepared);
      const text = formatPlan(prepared.plan.plan, { verbose: options.verbose ?? false });
      return options.verbose === true ? `${text}\n\n${explainText(prepared.plan.for(view, prepared.parameters))}` : text;
    } finally {
      view.release();
    }
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
    return { status: this.closing === null ? 'ok' : 'closing', namespace: name, manifestVersion: manifest.version, epoch, role };
  }

  close(): Promise<void> {
    this.closing ??= this.shutDown();
    return this.closing;
  }

  private async shutDown(): Promise<void> {
    await this.background.close();
    await this.store.close();
  }

  private assertOpen(): void {
    if (this.closing !== null) throw new GraphDBError('SHUTTING_DOWN', 'the database is closing');
  }

  private runtime(run: {
    view: GraphView;
    transaction: GraphTransaction | null;
    params: Parameters;
    options: StatementOptions;
    since: Instant;
  }): Runtime {
    const { options } = run;
    return new Runtime({
      view: run.view,
      transaction: run.transaction,
      parameters: run.params,
      deadline: options.timeoutMs ? performance.now() + options.timeoutMs : Number.POSITIVE_INFINITY,
      signal: options.signal ?? null,
      memoryBytes: options.memoryBytes ?? DEFAULT_MEMORY_BYTES,
      statementTime: now(),
      transactionTime: run.since,
      procedures: this.procedures,
      databaseRole: this.namespace.role,
    });
  }
}

/** Reads on one snapshot. */
class ReadTransaction implements EngineTransaction {
  private readonly database: Database;
  private snapshot: Snapshot | null;

  constructor(database: Database, live: Live) {
    this.database = database;
    this.snapshot = { live, view: live.graph.snapshot(), since: now() };
  }

  async execute(query: string, params: Parameters, options: StatementOptions = {}): Promise<StatementResult> {
    if (this.snapshot === null) throw ended();
    return this.database.readOn(this.snapshot, query, params, options);
  }

  async commit(): Promise<void> {
    if (this.snapshot === null) throw ended();
    await this.rollback();
  }

  async rollback(): Promise<void> {
    this.snapshot?.view.release();
    this.snapshot = null;
  }
}

/** Holds the writer until it ends. A statement that fails takes the whole transaction back. */
class WriteTransaction implements EngineTransaction {
  private readonly database: Database;
  private readonly committer: Committer;
  private readonly since = now();
  private transaction: GraphTransaction | null;
  private running = false;

  constructor(database: Database, committer: Committer, transaction: GraphTransaction) {
    this.database = database;
    this.committer = committer;
    this.transaction = transaction;
  }

  async execute(query: string, params: Parameters, options: StatementOptions = {}): Promise<StatementResult> {
    const { transaction } = this;
    if (transaction === null) throw ended();
    if (this.running) throw new GraphDBError('BAD_REQUEST', 'a transaction runs one statement at a time');
    this.running = true;
    try {
      return await this.database.runWrite(query, transaction, { params, options, since: this.since }, refuseBatches);
    } catch (error) {
      this.end().rollback();
      this.committer.lock.release();
      throw await this.database.explainWriteFault(error);
    } finally {
      this.running = false;
    }
  }

  async commit(): Promise<void> {
    if (this.running) throw new GraphDBError('BAD_REQUEST', 'a statement of this transaction is still running');
    await this.committer.commit(this.end());
  }

  async rollback(): Promise<void> {
    if (this.transaction === null) return;
    if (this.running) throw new GraphDBError('BAD_REQUEST', 'a statement of this transaction is still running');
    this.committer.rollback(this.end());
  }

  private end(): GraphTransaction {
    const { transaction } = this;
    if (transaction === null) throw ended();
    this.transaction = null;
    return transaction;
  }
}

function ended(): GraphDBError {
  return new GraphDBError('BAD_REQUEST', 'the transaction has ended');
}

/** The parameters of what comes back are all that the statement runs with. */
function prepare(live: Live, query: string, view: GraphView, params: Parameters): PreparedStatement {
  const prepared = live.statements.prepare(query, view);
  const { parameters: lifted } = prepared;
  for (const name of prepared.bound.parameters) {
    if (params.has(name) || lifted.has(name)) continue;
    const tck = { type: 'ParameterMissing', phase: 'compile time', detail: 'MissingParameter' } as const;
    throw new GraphDBError('PARAMETER_MISSING', `the parameter $${name} is used in the statement but was not given`, { tck });
  }
  return { ...prepared, parameters: lifted.size === 0 ? params : new Map([...params, ...lifted]) };
}

/** Has what the statement needs in memory. */
function load(live: Live, view: GraphView, prepared: PreparedStatement): Promise<void> | null {
  return live.graph.require(view, prepared.requirements);
}

async function refuseBatches(): Promise<void> {
  throw new GraphDBError('SEMANTIC_ERROR', 'CALL … IN TRANSACTIONS needs a statement of its own, outside a transaction');
}

async function noMarker(): Promise<void> {
  assert(false, 'a statement that reads has no batches');
}

function start(compiled: CompiledStatement, runtime: Runtime): StatementGenerator {
  return compiled.run(runtime, compiled.constants);
}

function columnsOf(prepared: PreparedStatement): string[] {
  return prepared.plan.plan.columns.map((column) => column.name);
}

function explained(prepared: PreparedStatement): StatementResult {
  const plan = formatPlan(prepared.plan.plan, { verbose: false });
  return { columns: ['plan'], rows: [[plan]], plan };
}

function notificationsOf(prepared: PreparedStatement, view: GraphView): Pick<StatementResult, 'notifications'> {
  const notifications = prepared.notifications(view);
  return notifications.length === 0 ? {} : { notifications };
}

function profileOf(prepared: PreparedStatement, compiled: CompiledStatement, runtime: Runtime): { plan?: string } {
  if (prepared.plan.plan.mode !== 'profile') return {};
  return { plan: profileText(prepared.plan.plan, compiled, runtime.profile) };
}

function outcomeOf(counters: Counters): WriteOutcome {
  return {
    nodesCreated: counters.nodesCreated,
    edgesCreated: counters.relationshipsCreated,
    nodesDeleted: counters.nodesDeleted,
    edgesDeleted: counters.relationshipsDeleted,
    propertiesSet: counters.propertiesSet,
    labelsAdded: counters.labelsAdded,
    labelsRemoved: counters.labelsRemoved,
  };
}

function streamOf(result: StatementResult): StatementStream {
  const batches = async function* (): AsyncGenerator<ResultValue[][], void, void> {
    if (result.rows.length > 0) yield result.rows;
  };
  const { writeOutcome } = result;
  return {
    columns: result.columns,
    batches: batches(),
    summary: () => ({ rows: result.rows.length, ...(writeOutcome === undefined ? {} : { writeOutcome }) }),
  };
}

function now(): Instant {
  const ms = Date.now();
  return { epochSecond: Math.floor(ms / 1000), nano: (((ms % 1000) + 1000) % 1000) * 1_000_000 };
}
