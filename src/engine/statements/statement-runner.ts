/** Runs requests: prepares them, loads their columns, runs them, and hands out their rows. It neither commits nor rolls back. */
import type { SharedCatalog } from '../../algorithms/index.ts';
import { type EngineFlags, GraphDBError, monotonicMs, nextTurn, requireRight, type ShownSetting } from '../../base/index.ts';
import {
  type ChangeReading,
  type CompiledPlan,
  type CsvSources,
  type ProcedureRegistry,
  Profile,
  Runtime,
  type SpillOptions,
  schemaNameOf,
  transactionIdsOf,
} from '../../exec/index.ts';
import type { GraphTransaction } from '../../graph/index.ts';
import type { Manifest, Namespace } from '../../storage/index.ts';
import type { ResultValue } from '../../value/index.ts';
import type { StatementResult, StatementStream } from '../api.ts';
import { type Databases, unsupportedAdministration } from '../databases.ts';
import { allRows, type MarkerHandler, started } from '../execution/drive.ts';
import type { Administration } from '../execution/plan-text.ts';
import type { Transactions } from '../transactions.ts';
import type { ReadWorkers } from '../workers/read-workers.ts';
import type { GraphVersion } from './graph-version.ts';
import { type HeapHolder, mainHeap } from './main-heap.ts';
import { isPlainRead, outcomeOf } from './outcome.ts';
import { type PreparedStatement, planOfPrepared } from './prepared-statement.ts';
import { beginReadByPage, canOnlyReadByPage, mayReadByPage, type PagedRead, readByPage } from './read-by-page.ts';
import { batchesOfRead, beginRead, rowsOfRead } from './read-placement.ts';
import { assertMayWrite, DEFAULT_MEMORY_BYTES, type Parameters, type StatementRequest, withinTime } from './request.ts';
import { executionOf, type RunningStatement } from './running-statement.ts';
import { StageTimes } from './stage-times.ts';

/** Rows that are found as they are read. */
export interface RowStream extends StatementStream {
  readonly batches: AsyncGenerator<ResultValue[][], void, void>;
  /** Charges rows that are kept in memory to the statement. @throws MEMORY_LIMIT beyond its limit. */
  charge(rows: ResultValue[][]): void;
}

/** Returns the error to report for one among rows that are read from the files of a manifest. */
export type ErrorOfRows = (error: unknown, filesManifest: Manifest) => Promise<unknown>;

/** The options of the statement runner. */
export interface StatementRunnerOptions {
  readonly namespace: Namespace;
  readonly procedures: ProcedureRegistry;
  readonly csvSources: CsvSources;
  readonly spill: SpillOptions;
  /** The graphs that users of the engine have projected. */
  readonly catalog: SharedCatalog;
  readonly changes: ChangeReading;
  /** Null if reads run on this thread only. */
  readonly workers: ReadWorkers | null;
  readonly flags: EngineFlags;
  /** Returns the settings that SHOW SETTINGS lists. */
  readonly shownSettings: () => readonly ShownSetting[];
  /** See `EngineParts.statementRuns`; null if nobody listens. */
  readonly statementRuns: ((text: string) => void) | null;
  /** Null if there is only one database. */
  readonly databases: Databases | null;
  /** Null if no list of transactions is kept. */
  readonly transactions: Transactions | null;
  /** See `EngineParts.sliceMs`. */
  readonly sliceMs: number;
}

let engines = 0;

/** Prepares and runs statements. */
export class StatementRunner {
  private readonly options: StatementRunnerOptions;
  /** The number of the engine among those of the process. */
  private readonly engine = ++engines;

  constructor(options: StatementRunnerOptions) {
    this.options = options;
  }

  /**
   * Prepares a request; a promise if its text is planned in another thread. @throws the errors of the text;
   * PARAMETER_MISSING; FORBIDDEN; QUERY_TIMEOUT if planning alone takes longer than the statement may; those of
   * `Planner.plan`.
   */
  prepare(request: StatementRequest, version: GraphVersion): RunningStatement | Promise<RunningStatement> {
    const { flags, statementRuns } = this.options;
    const { query } = request;
    statementRuns?.(query);
    const { served, view, transaction } = version;
    const stages = flags.profileDump ? new StageTimes(query) : null;
    const prepared = served.statements.prepare(request, view, { runsHere: transaction !== null });
    if (prepared instanceof Promise) return prepared.then((planned) => this.running(request, version, planned, stages));
    return this.running(request, version, prepared, stages);
  }

  private running(
    request: StatementRequest,
    { served, view, transaction, transactionTime, ownsTransaction = false }: GraphVersion,
    prepared: PreparedStatement,
    stages: StageTimes | null,
  ): RunningStatement {
    const { namespace, procedures, csvSources, spill, catalog, changes, flags, shownSettings, statementRuns, sliceMs } = this.options;
    const { query, params, options, deadline } = request;
    const parameters = parametersOf(prepared, params);
    const { caller } = options;
    if (caller !== undefined && prepared.mode !== 'explain') requireRight(caller, prepared.right);
    stages?.end('prepare');
    const heap: HeapHolder = { runtime: null, isKnown: false, mustEnd: false };
    return {
      request,
      served,
      prepared,
      heap,
      onLook: () => {
        statementRuns?.(query);
        mainHeap.look(heap);
      },
      stages,
      view,
      transaction,
      transactionTime,
      ownsTransaction,
      parameters,
      deadline,
      sliceMs,
      signal: options.signal ?? null,
      memoryBytes: options.memoryBytes ?? DEFAULT_MEMORY_BYTES,
      procedures,
      databaseRole: namespace.role,
      engine: this.engine,
      databases: null,
      transactions: [],
      terminations: [],
      csvSources,
      spill,
      catalog,
      changes,
      parts: served.graph,
      settings: shownSettings,
      lookups: served.automaticIndexer,
      nodeCache: flags.nodeCache,
    };
  }

  /** Answers a read statement. A short read of loaded data returns without a promise. */
  read(statement: RunningStatement): StatementResult | Promise<StatementResult> {
    if (isReadByPage(statement, this.options.workers)) return this.readByPage(statement);
    const loading = this.loadingOf(statement);
    return loading === null ? this.readLoaded(statement) : this.readWhenLoaded(statement, loading);
  }

  private async readWhenLoaded(statement: RunningStatement, loading: Promise<void> | null): Promise<StatementResult> {
    const byPage = await this.loadedOrByPage(statement, loading);
    if (byPage === null) return this.readLoaded(statement);
    statement.stages?.end('load');
    return answered(statement, byPage.runtime, await byPage.rows());
  }

  /** Waits for loading. Null if all that the statement reads is in memory then; otherwise the statement, running over pages. */
  private async loadedOrByPage(statement: RunningStatement, loading: Promise<void> | null): Promise<PagedRead | null> {
    try {
      await loading;
      return null;
    } catch (error) {
      const byPage = canOnlyReadByPage(statement, this.options.workers, error) ? await beginReadByPage(statement) : null;
      if (byPage === null) throw error;
      return byPage;
    }
  }

  private async readByPage(statement: RunningStatement): Promise<StatementResult> {
    const answer = await readByPage(statement);
    if (answer !== null) return answered(statement, answer.runtime, answer.rows);
    return this.readWhenLoaded(statement, this.loadingOf(statement));
  }

  /** Loads what the statement reads, or does what it asks about databases and transactions; null if it can run at once. */
  private loadingOf(statement: RunningStatement): Promise<void> | null {
    const { administration } = statement.prepared;
    return administration === null ? columnsLoadingOf(statement) : this.administer(statement, administration);
  }

  /** Carries out a request about databases or transactions. It is no part of a transaction: it stays done whatever the statement does. */
  private async administer(statement: RunningStatement, administration: Administration): Promise<void> {
    const { databases, transactions } = this.options;
    const { caller } = statement.request.options;
    if (administration === 'databases') {
      statement.databases = (await databases?.list(caller)) ?? null;
      return;
    }
    if (administration === 'transactions') {
      statement.transactions = transactions?.list(caller) ?? [];
      return;
    }
    assertMayWrite(statement.request.options);
    if (administration.kind === 'show') {
      const ids = transactionIdsOf(administration.terminates, statement.parameters);
      statement.terminations = transactions?.terminate(ids, caller) ?? ids.map((id) => ({ id, username: null }));
      return;
    }
    if (databases === null)
      throw unsupportedAdministration('this server serves one namespace; start it on a store without ?ns= to have several');
    const name = schemaNameOf(administration.name, 'database', statement.parameters);
    if (administration.kind === 'createDatabase') await databases.create(name, { ifNotExists: administration.ifNotExists, caller });
    else await databases.drop(name, { ifExists: administration.ifExists, caller });
  }

  private readLoaded(statement: RunningStatement): StatementResult | Promise<StatementResult> {
    statement.stages?.end('load');
    const { workers } = this.options;
    const runtime = profiled(statement, beginRead(statement, workers));
    const rows = rowsOfRead(statement, runtime, workers);
    if (rows instanceof Promise) return rows.then((all) => answered(statement, runtime, all));
    return answered(statement, runtime, rows);
  }

  /**
   * Streams the rows of a read statement as they are found; `onEnd` is called once, when they have ended or were abandoned.
   *
   * @throws among the rows what `errorOf` makes of an error
   */
  async rows(statement: RunningStatement, onEnd: () => void, errorOf: ErrorOfRows): Promise<RowStream> {
    const { prepared, stages, served } = statement;
    const { filesManifest } = served.graph;
    const byPage = isReadByPage(statement, this.options.workers) ? await readByPage(statement) : null;
    const loading = byPage === null ? this.loadingOf(statement) : null;
    const paged = loading === null ? null : await this.loadedOrByPage(statement, loading);
    stages?.end('load');
    statement.transaction?.refresh();
    const { workers } = this.options;
    const runtime = byPage?.runtime ?? paged?.runtime ?? beginRead(statement, workers);
    let rows = 0;
    const inner = byPage === null ? (paged?.batches() ?? batchesOfRead(statement, runtime, workers)) : batchOf(byPage.rows);
    const batches: AsyncGenerator<ResultValue[][], void, void> = {
      async next() {
        try {
          const step = await inner.next();
          if (step.done === true) {
            stages?.ran(rows, runtime);
            stages?.write();
            onEnd();
          } else rows += step.value.length;
          return step;
        } catch (error) {
          onEnd();
          throw await errorOf(error, filesManifest);
        }
      },
      // Needed before the first row too, when a generator would not come to its `finally`.
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
      charge: (kept) => runtime.memory.chargeRows(kept),
      summary: () => ({ rows, ...outcomeOf(statement, runtime) }),
    };
  }

  /** Runs a statement in a write transaction. `onMarker` is called when it wants to commit its work so far, or to roll it back. */
  runInWrite(
    statement: RunningStatement,
    transaction: GraphTransaction,
    onMarker: MarkerHandler,
  ): StatementResult | Promise<StatementResult> {
    const loading = this.loadingOf(statement);
    if (loading === null) return runInWriteLoaded(statement, transaction, onMarker);
    return loading.then(() => runInWriteLoaded(statement, transaction, onMarker));
  }
}

/** Returns whether to try the statement by page; a request about databases or transactions never is. */
function isReadByPage(statement: RunningStatement, workers: ReadWorkers | null): boolean {
  return statement.prepared.administration === null && mayReadByPage(statement, workers);
}

async function* batchOf(rows: ResultValue[][]): AsyncGenerator<ResultValue[][], void, void> {
  if (rows.length > 0) yield rows;
}

/** Milliseconds for which the code of a large statement is generated before others have a turn. */
const COMPILING_TURN_MS = 10;

/**
 * Loads what the statement reads, and generates the code of a large one between turns of the event loop; null if it can
 * run at once. Loading that takes longer than the statement may goes on behind it, for others.
 */
function columnsLoadingOf(statement: RunningStatement): Promise<void> | null {
  const { request, served, view, prepared } = statement;
  const required = served.graph.require(view, prepared.requirements);
  const loading = required === null ? null : withinTime(required, request);
  return prepared.isLarge && prepared.plan !== null ? compileApart(statement, prepared.plan, loading) : loading;
}

async function compileApart(
  { view, parameters, deadline, transaction }: RunningStatement,
  plan: CompiledPlan,
  loading: Promise<void> | null,
): Promise<void> {
  await loading;
  await nextTurn();
  transaction?.refresh();
  let began = monotonicMs();
  await plan.prepare(view, parameters, deadline, () => {
    if (monotonicMs() - began < COMPILING_TURN_MS) return null;
    return nextTurn().then(() => {
      began = monotonicMs();
    });
  });
  await nextTurn();
}

function runInWriteLoaded(
  statement: RunningStatement,
  transaction: GraphTransaction,
  onMarker: MarkerHandler,
): StatementResult | Promise<StatementResult> {
  const { prepared, stages } = statement;
  stages?.end('load');
  transaction.refresh();
  const runtime = profiled(statement, new Runtime(statement));
  statement.heap.runtime = runtime;
  const ended = (rows: ResultValue[][]): StatementResult => {
    stages?.ran(rows.length, runtime);
    return resultOf(statement, runtime, rows);
  };
  const rows = allRows(started(executionOf(statement, planOfPrepared(prepared), runtime)), runtime, onMarker);
  return rows instanceof Promise ? rows.then(ended) : ended(rows);
}

/** Returns the runtime, made to measure the statement if it is profiled. */
function profiled({ prepared, view, parameters, deadline }: RunningStatement, runtime: Runtime): Runtime {
  if (prepared.mode === 'profile') runtime.profile = new Profile(planOfPrepared(prepared).for(view, parameters, deadline).profiled.length);
  return runtime;
}

function answered(statement: RunningStatement, runtime: Runtime, rows: ResultValue[][]): StatementResult {
  const { stages } = statement;
  stages?.ran(rows.length, runtime);
  stages?.write();
  return resultOf(statement, runtime, rows);
}

function resultOf(statement: RunningStatement, runtime: Runtime, rows: ResultValue[][]): StatementResult {
  const { columns } = statement.prepared;
  return isPlainRead(statement, runtime) ? { type: 'read', columns, rows } : { columns, rows, ...outcomeOf(statement, runtime) };
}

/** Returns all parameters of the statement: the user's, and the literals of its text. @throws PARAMETER_MISSING. */
function parametersOf({ required, parameters: lifted }: PreparedStatement, given: Parameters): Parameters {
  for (const name of required) {
    if (given.has(name)) continue;
    const tck = { type: 'ParameterMissing', phase: 'compile time', detail: 'MissingParameter' } as const;
    throw new GraphDBError('PARAMETER_MISSING', `the parameter $${name} is used in the statement but was not given`, { tck });
  }
  if (lifted.size === 0) return given;
  if (given.size === 0) return lifted;
  const all = new Map(given);
  for (const [name, value] of lifted) all.set(name, value);
  return all;
}
