/** One statement after it has been sent: prepared, its columns loaded, run, its rows handed out. Who commits or takes back is not decided here. */
import { type EngineFlags, GraphDBError, monotonicMs, type ShownSetting, systemTimeMs } from '../../base/index.ts';
import { type LookupMeter, type ProcedureRegistry, Profile, Runtime, type RuntimeOptions } from '../../exec/index.ts';
import type { GraphTransaction, GraphView } from '../../graph/index.ts';
import type { Namespace } from '../../storage/index.ts';
import { type Instant, instantOf, type ResultValue, type Value } from '../../value/index.ts';
import type { StatementOptions, StatementResult, StatementStream } from '../api.ts';
import type { Live } from '../live-graph.ts';
import type { ReadWorkers } from '../workers/read-workers.ts';
import { isPlainRead, outcomeOf, type Run } from './outcome.ts';
import { batchesOfRead, type PlacedRead, placeRead, rowsOfRead } from './placed-read.ts';
import { allRows, started } from './run.ts';
import { StageTimes } from './stage-times.ts';
import type { PreparedStatement } from './statement-cache.ts';

export type Parameters = ReadonlyMap<string, Value>;

/** A statement as it was sent. */
export interface Sent {
  readonly query: string;
  readonly params: Parameters;
  readonly options: StatementOptions;
}

/** What it is to see. */
export interface Scene {
  readonly live: Live;
  readonly view: GraphView;
  /** null: it reads outside of a transaction that writes. */
  readonly transaction: GraphTransaction | null;
  /** The start of its transaction; null: it is one of its own. */
  readonly since: Instant | null;
}

/** A statement that can run. */
export interface PreparedRun extends Scene {
  readonly prepared: PreparedStatement;
  readonly parameters: Parameters;
  readonly options: StatementOptions;
  /** Of preparing and running it; milliseconds of `monotonicMs()`. */
  readonly deadline: number;
  /** null: nobody wants to know them. */
  readonly stages: StageTimes | null;
}

/** Rows that are found as they are read. */
export interface RowStream extends StatementStream {
  readonly batches: AsyncGenerator<ResultValue[][], void, void>;
  /** These of its rows are kept in memory; MEMORY_LIMIT beyond what the statement may use. */
  charge(rows: ResultValue[][]): void;
}

export interface StatementRunnerOptions {
  readonly namespace: Namespace;
  readonly procedures: ProcedureRegistry;
  readonly csvDirectory: string | null;
  readonly workers: ReadWorkers | null;
  readonly flags: EngineFlags;
  readonly settings: () => readonly ShownSetting[];
  /** Knows what statements look up in the graph that is read now. */
  readonly lookups: () => LookupMeter;
}

/** Of a statement that works in batches: one has ended. */
export type MarkerHandler = (marker: symbol, runtime: Runtime) => Promise<void>;

const DEFAULT_MEMORY_BYTES = 2 * 1024 ** 3;

export class StatementRunner {
  private readonly surroundings: StatementRunnerOptions;

  constructor(surroundings: StatementRunnerOptions) {
    this.surroundings = surroundings;
  }

  prepare({ query, params, options }: Sent, { live, view, transaction, since }: Scene): PreparedRun {
    const deadline = deadlineOf(options);
    const stages = this.surroundings.flags.profileDump ? new StageTimes(query) : null;
    const prepared = live.statements.prepare(query, view, deadline);
    const parameters = parametersOf(prepared, params);
    stages?.end('prepare');
    return { live, view, transaction, since, prepared, parameters, options, deadline, stages };
  }

  /** A short read of what is in memory awaits nothing. */
  read(run: PreparedRun): StatementResult | Promise<StatementResult> {
    const loading = run.live.graph.require(run.view, run.prepared.requirements);
    return loading === null ? this.readLoaded(run) : loading.then(() => this.readLoaded(run));
  }

  private readLoaded(run: PreparedRun): StatementResult | Promise<StatementResult> {
    const { prepared, stages } = run;
    stages?.end('load');
    const placed = this.placed(run);
    const { runtime, options } = placed;
    if (prepared.plan.plan.mode === 'profile')
      runtime.profile = new Profile(prepared.plan.for(run.view, options.parameters, options.deadline).profiled.length);
    const rows = rowsOfRead(placed);
    const ended = (all: ResultValue[][]): StatementResult => {
      stages?.ran(all.length, runtime);
      stages?.write();
      return resultOf(placed, all);
    };
    return rows instanceof Promise ? rows.then(ended) : ended(rows);
  }

  /** The rows of a statement that reads, as they are found; `onEnd` is called once, when they have ended or were left. */
  async rows(run: PreparedRun, onEnd: () => void): Promise<RowStream> {
    const { prepared, stages } = run;
    const loading = run.live.graph.require(run.view, prepared.requirements);
    if (loading !== null) await loading;
    stages?.end('load');
    run.transaction?.refresh();
    const placed = this.placed(run);
    let rows = 0;
    const inner = batchesOfRead(placed);
    const batches: AsyncGenerator<ResultValue[][], void, void> = {
      async next() {
        try {
          const step = await inner.next();
          if (step.done === true) {
            stages?.ran(rows, placed.runtime);
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
      charge: (kept) => placed.runtime.memory.chargeRows(kept),
      summary: () => ({ rows, ...outcomeOf(placed) }),
    };
  }

  /** All of a statement inside a transaction that writes. `onMarker`: it wants to commit what it has done so far, or to take it back. */
  runInWrite(run: PreparedRun, transaction: GraphTransaction, onMarker: MarkerHandler): StatementResult | Promise<StatementResult> {
    const loading = run.live.graph.require(run.view, run.prepared.requirements);
    if (loading === null) return this.runInWriteLoaded(run, transaction, onMarker);
    return loading.then(() => this.runInWriteLoaded(run, transaction, onMarker));
  }

  private runInWriteLoaded(
    run: PreparedRun,
    transaction: GraphTransaction,
    onMarker: MarkerHandler,
  ): StatementResult | Promise<StatementResult> {
    const { view, prepared, parameters, deadline, stages } = run;
    const { plan } = prepared.plan;
    stages?.end('load');
    transaction.refresh();
    const options = this.runtimeOptions(run);
    const runtime = new Runtime(options);
    const compiled = prepared.plan.for(view, parameters, deadline);
    if (plan.mode === 'profile') runtime.profile = new Profile(compiled.profiled.length);
    const ended = (rows: ResultValue[][]): StatementResult => {
      runtime.writes.finishStatement();
      stages?.ran(rows.length, runtime);
      return resultOf({ prepared, options, runtime }, rows);
    };
    const rows = allRows(started(compiled, runtime), runtime, (marker) => onMarker(marker, runtime));
    return rows instanceof Promise ? rows.then(ended) : ended(rows);
  }

  private placed(run: PreparedRun): PlacedRead {
    return placeRead(run.prepared, this.runtimeOptions(run), this.surroundings.workers);
  }

  private runtimeOptions({ view, transaction, parameters, options, deadline, since }: PreparedRun): RuntimeOptions {
    const { procedures, namespace, csvDirectory, flags, settings, lookups } = this.surroundings;
    return {
      view,
      transaction,
      parameters,
      deadline,
      signal: options.signal ?? null,
      memoryBytes: options.memoryBytes ?? DEFAULT_MEMORY_BYTES,
      transactionTime: since,
      procedures,
      databaseRole: namespace.role,
      csvDirectory,
      settings,
      lookups: lookups(),
      nodeCache: flags.nodeCache,
    };
  }
}

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

function resultOf(run: Run, rows: ResultValue[][]): StatementResult {
  const { columns } = run.prepared;
  return isPlainRead(run) ? { type: 'read', columns, rows } : { columns, rows, ...outcomeOf(run) };
}

export function now(): Instant {
  return instantOf(systemTimeMs());
}
