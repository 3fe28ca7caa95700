/** Runs requests: prepares them, loads their columns, runs them, and hands out their rows. Who commits or takes back is not decided here. */
import { type EngineFlags, GraphDBError, monotonicMs, type ShownSetting } from '../../base/index.ts';
import { type ProcedureRegistry, Profile, Runtime } from '../../exec/index.ts';
import type { GraphTransaction } from '../../graph/index.ts';
import type { Namespace } from '../../storage/index.ts';
import type { ResultValue } from '../../value/index.ts';
import type { StatementOptions, StatementResult, StatementStream } from '../api.ts';
import { allRows, type MarkerHandler, started } from '../execution/drive.ts';
import type { ReadWorkers } from '../workers/read-workers.ts';
import type { GraphVersion } from './graph-version.ts';
import { type HeapHolder, mainHeap } from './main-heap.ts';
import { isPlainRead, outcomeOf } from './outcome.ts';
import type { PreparedStatement } from './prepared-statement.ts';
import { batchesOfRead, beginRead, rowsOfRead } from './read-placement.ts';
import type { Parameters, StatementRequest } from './request.ts';
import type { RunningStatement } from './running-statement.ts';
import { StageTimes } from './stage-times.ts';

/** Rows that are found as they are read. */
export interface RowStream extends StatementStream {
  readonly batches: AsyncGenerator<ResultValue[][], void, void>;
  /** Counts rows that are kept in memory as the statement's; MEMORY_LIMIT beyond what it may use. */
  charge(rows: ResultValue[][]): void;
}

export interface StatementRunnerOptions {
  readonly namespace: Namespace;
  readonly procedures: ProcedureRegistry;
  readonly csvDirectory: string | null;
  /** null: reads run on this thread alone. */
  readonly workers: ReadWorkers | null;
  readonly flags: EngineFlags;
  /** Answers the settings that SHOW SETTINGS lists. */
  readonly shownSettings: () => readonly ShownSetting[];
  /** See `EngineParts.statementRuns`; null: nobody wants to know. */
  readonly statementRuns: ((text: string) => void) | null;
  /** See `EngineParts`. */
  readonly sliceMs: number;
}

const DEFAULT_MEMORY_BYTES = 2 * 1024 ** 3;

export class StatementRunner {
  private readonly options: StatementRunnerOptions;

  constructor(options: StatementRunnerOptions) {
    this.options = options;
  }

  /** Errors of its text by their codes; PARAMETER_MISSING; QUERY_TIMEOUT when planning alone takes longer than the statement may. */
  prepare(request: StatementRequest, { served, view, transaction, transactionTime }: GraphVersion): RunningStatement {
    const { namespace, procedures, csvDirectory, flags, shownSettings, statementRuns, sliceMs } = this.options;
    const { query, params, options } = request;
    statementRuns?.(query);
    const deadline = deadlineOf(options);
    const stages = flags.profileDump ? new StageTimes(query) : null;
    const prepared = served.statements.prepare(query, view, deadline);
    const parameters = parametersOf(prepared, params);
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
      parameters,
      deadline,
      sliceMs,
      signal: options.signal ?? null,
      memoryBytes: options.memoryBytes ?? DEFAULT_MEMORY_BYTES,
      procedures,
      databaseRole: namespace.role,
      csvDirectory,
      settings: shownSettings,
      lookups: served.automaticIndexer,
      nodeCache: flags.nodeCache,
    };
  }

  /** The answer of a statement that reads. A short read of what is in memory awaits nothing. */
  read(statement: RunningStatement): StatementResult | Promise<StatementResult> {
    const loading = statement.served.graph.require(statement.view, statement.prepared.requirements);
    return loading === null ? this.readLoaded(statement) : loading.then(() => this.readLoaded(statement));
  }

  private readLoaded(statement: RunningStatement): StatementResult | Promise<StatementResult> {
    statement.stages?.end('load');
    const { workers } = this.options;
    const runtime = profiled(statement, beginRead(statement, workers));
    const rows = rowsOfRead(statement, runtime, workers);
    if (rows instanceof Promise) return rows.then((all) => answered(statement, runtime, all));
    return answered(statement, runtime, rows);
  }

  /** The rows of a statement that reads, as they are found; `onEnd` is called once, when they have ended or were left. */
  async rows(statement: RunningStatement, onEnd: () => void): Promise<RowStream> {
    const { prepared, stages } = statement;
    const loading = statement.served.graph.require(statement.view, prepared.requirements);
    if (loading !== null) await loading;
    stages?.end('load');
    statement.transaction?.refresh();
    const { workers } = this.options;
    const runtime = beginRead(statement, workers);
    let rows = 0;
    const inner = batchesOfRead(statement, runtime, workers);
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
      charge: (kept) => runtime.memory.chargeRows(kept),
      summary: () => ({ rows, ...outcomeOf(statement, runtime) }),
    };
  }

  /** All of a statement inside a transaction that writes. `onMarker`: it wants to commit what it has done so far, or to take it back. */
  runInWrite(
    statement: RunningStatement,
    transaction: GraphTransaction,
    onMarker: MarkerHandler,
  ): StatementResult | Promise<StatementResult> {
    const loading = statement.served.graph.require(statement.view, statement.prepared.requirements);
    if (loading === null) return runInWriteLoaded(statement, transaction, onMarker);
    return loading.then(() => runInWriteLoaded(statement, transaction, onMarker));
  }
}

function runInWriteLoaded(
  statement: RunningStatement,
  transaction: GraphTransaction,
  onMarker: MarkerHandler,
): StatementResult | Promise<StatementResult> {
  const { view, prepared, parameters, deadline, stages } = statement;
  stages?.end('load');
  transaction.refresh();
  const runtime = profiled(statement, new Runtime(statement));
  statement.heap.runtime = runtime;
  const ended = (rows: ResultValue[][]): StatementResult => {
    stages?.ran(rows.length, runtime);
    return resultOf(statement, runtime, rows);
  };
  const rows = allRows(started(prepared.plan.for(view, parameters, deadline), runtime), runtime, onMarker);
  return rows instanceof Promise ? rows.then(ended) : ended(rows);
}

/** The runtime, which measures the statement where that is asked for. */
function profiled({ prepared, view, parameters, deadline }: RunningStatement, runtime: Runtime): Runtime {
  const { plan } = prepared;
  if (plan.plan.mode === 'profile') runtime.profile = new Profile(plan.for(view, parameters, deadline).profiled.length);
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

/** Milliseconds of `monotonicMs()`; Infinity: none. */
function deadlineOf({ timeoutMs }: StatementOptions): number {
  return timeoutMs ? monotonicMs() + timeoutMs : Number.POSITIVE_INFINITY;
}

/** All that the statement runs with: what the user gave, and the literals of its text. */
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
