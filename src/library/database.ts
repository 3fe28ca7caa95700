/**
 * The API of the library: opens a database in this process, or connects to one behind a server.
 *
 * ```ts
 * await using db = await open('file:///var/lib/graph?ns=prod'); const { rows } = await db.query('MATCH (p:Person) WHERE
 * p.age >= $min RETURN p.name AS name', { min: 18 });
 * ```
 *
 * Every failure is a `GraphDBError` with a stable `code`.
 */
import { closedError, createEnvironmentLogger, GraphDBError, parseThreadCount } from '../base/index.ts';
import {
  CHANGE_COLUMNS,
  type ChangesWanted,
  type CompactOutcome,
  changeId,
  changesBehind,
  type Engine,
  type EngineTransaction,
  type FlushOutcome,
  openEngine,
  type StatementOptions,
  type StatementResult,
} from '../engine/index.ts';
import type { ResultValue, ValueMap } from '../value/index.ts';
import { callBegan, callEnded, kept } from './pending-calls.ts';
import { withPlace } from './placed-errors.ts';
import { QueryResult, type Row } from './result.ts';
import { inTransaction } from './retries.ts';
import { rowsOf } from './rows.ts';
import {
  fromParameters,
  GRAPH_VALUES,
  type GraphValue,
  type IntegerForm,
  type ParameterObject,
  type Parameters,
  type PlainObject,
} from './values.ts';

/** The options of `open`. */
export interface OpenOptions {
  /** Reads only; never becomes the writer of the namespace. */
  readonly readOnly?: boolean;
  /** Opens this retained manifest version read-only, with the data that its SSTs held. `NOT_FOUND` if it is no longer retained. */
  readonly version?: number;
  /** Interval between flushes of the memtable to SSTs, in milliseconds; 0: only on request. Absent: 30,000. */
  readonly flushIntervalMs?: number;
  /**
   * How long changes stay readable (`Database.changes`), in milliseconds; 0: changes are not captured. Absent: the
   * namespace keeps its setting; a new namespace captures none.
   */
  readonly changeRetentionMs?: number;
  /** The directory whose files LOAD CSV may read; absent: LOAD CSV is refused. */
  readonly csvDirectory?: string;
  /**
   * Number of threads that execute long reads, so that other statements need not wait; 0: all statements run on this
   * thread and yield to each other. Absent: the value of `GRAPHDB_READ_WORKERS`, else 0.
   */
  readonly readWorkers?: number;
  /** The token that a server asks for; absent: the value of `GRAPHDB_AUTH_TOKEN`. A store takes none (`ARGUMENT_ERROR`). */
  readonly token?: string;
  /** The JavaScript type of Integers in results; absent: `auto`. */
  readonly integers?: IntegerForm;
}

/** The options of a query. */
export interface QueryOptions {
  /** Time limit of the statement in milliseconds; the statement fails with `QUERY_TIMEOUT` beyond it. */
  readonly timeoutMs?: number;
  /** Aborting it stops the statement with `CANCELLED`. */
  readonly signal?: AbortSignal;
  /** Memory limit of the statement in bytes; `MEMORY_LIMIT` beyond it. A server has a limit of its own and takes none (`UNSUPPORTED`). */
  readonly memoryBytes?: number;
}

/** The options of reading changes. */
export interface ChangesOptions {
  /** Selectors of db.cdc.query: a change is given if any matches it; without any, all are. `ARGUMENT_ERROR` for an invalid selector. */
  readonly selectors?: readonly Parameters[];
  /** How long to wait for the first change if there is none yet, in milliseconds; absent: not at all. */
  readonly waitMs?: number;
  /** Aborting it ends the wait with `CANCELLED`. */
  readonly signal?: AbortSignal;
}

/** A change of one node or relationship: a row of db.cdc.query. Reading goes on from `id`; `event` has the members of Neo4j's. */
export type Change = {
  readonly id: string;
  readonly txId: number;
  readonly seq: number;
  readonly metadata: PlainObject;
  readonly event: PlainObject;
};

/** The options of a transaction. `mode` is `write` if absent. */
export interface BeginOptions {
  readonly mode?: 'read' | 'write';
}

/** The options of a transaction that is tried again. */
export interface TransactionOptions extends BeginOptions {
  /** Maximum number of attempts, the first included; absent: 5. */
  readonly attempts?: number;
}

/** An object that runs statements: a database runs each in a transaction of its own, a transaction runs all of them in one. */
export interface Statements {
  /** Runs a statement and returns all of its rows. */
  query<T extends object = Row>(query: string, params?: ParameterObject | null, options?: QueryOptions): Promise<QueryResult<T>>;
  /** Runs a statement and returns its first row; undefined if there is none. */
  first<T extends object = Row>(query: string, params?: ParameterObject | null, options?: QueryOptions): Promise<T | undefined>;
  /** Runs a statement and returns the first column of its first row; undefined if there is no row. */
  value<V = GraphValue>(query: string, params?: ParameterObject | null, options?: QueryOptions): Promise<V | undefined>;
  /** Yields rows as they are found, never all of them in memory. Several streams may be open; leaving the loop stops the statement. */
  stream<T extends object = Row>(query: string, params?: ParameterObject | null, options?: QueryOptions): AsyncIterable<T>;
}

/**
 * Statements that take effect together. A transaction that `await using` leaves without a commit is rolled back. A stream
 * whose rows are not all read when the transaction ends fails when it is read on (`BAD_REQUEST`).
 */
export interface Transaction extends Statements, AsyncDisposable {
  /** Commits the transaction, and resolves once it is durable. */
  commit(): Promise<void>;
  /** Rolls back, after waiting for a running statement. Does nothing if the transaction has already ended. */
  rollback(): Promise<void>;
}

/** An open database. Each statement runs in a transaction of its own; a write is durable once its promise resolves. */
export interface Database extends Statements, AsyncDisposable {
  /** Returns the id of the last change, from which later changes can be read. `UNSUPPORTED` if changes are not captured. */
  currentChange(): Promise<string>;
  /**
   * Yields the changes after an id, in commit order, up to the latest one. `GONE` if they are no longer kept;
   * `UNSUPPORTED` if changes are not captured.
   */
  changes(from: string, options?: ChangesOptions): AsyncIterable<Change>;
  /** Begins a transaction. At most one writes at a time; a read transaction sees the snapshot of its start. */
  begin(options?: BeginOptions): Promise<Transaction>;
  /**
   * Does the work in a transaction and commits it; rolls it back if the work fails. After a failure that may pass by
   * itself (`retriable`) everything is tried again, so outside of the transaction the work must do nothing that cannot
   * be done twice.
   */
  transaction<T>(work: (tx: Transaction) => Promise<T> | T, options?: TransactionOptions): Promise<T>;
  /** Writes the memtable to SSTs now. */
  flush(): Promise<FlushOutcome>;
  /** Flushes, merges the SSTs of every table into one run, and removes objects that are no longer needed. */
  compact(): Promise<CompactOutcome>;
  /** Returns the plan of a statement as text, without running it. A server does not support `verbose` (`UNSUPPORTED`). */
  explain(query: string, options?: { verbose?: boolean }): Promise<string>;
  /**
   * Rolls back transactions that have not ended, and waits for running statements. Later calls, and a stream that is read
   * on, fail with `SHUTTING_DOWN`, which is not `retriable` here.
   */
  close(): Promise<void>;
}

/** The part of an engine that a database needs; a remote server provides it too. */
type DatabaseEngine = Pick<Engine, 'answer' | 'execute' | 'stream' | 'begin' | 'flush' | 'compact' | 'explain' | 'close'> & {
  /** Yields batches of change rows, as `changesBehind` of the engine layer does. */
  changesBehind(wanted: ChangesWanted): AsyncIterable<ResultValue[][]>;
};

const ATTEMPTS = 5;
/** Options that are amounts. */
const AMOUNTS = ['version', 'flushIntervalMs', 'readWorkers', 'changeRetentionMs'] as const;
/** Options that apply only to a store which this process opens; they are refused for a server. */
const OF_STORES = ['readOnly', 'version', 'flushIntervalMs', 'csvDirectory', 'readWorkers', 'changeRetentionMs'] as const;

/**
 * Opens a namespace: for writing, which fences its present writer, or with `readOnly` for reading. A reader follows the
 * writer: a commit is visible to it within a second. An `http://` or `https://` URL connects to a server, with the same
 * calls; the path of the URL names the namespace.
 */
export async function open(uri: string, options: OpenOptions = {}): Promise<Database> {
  const { token, integers = 'auto', ...ofEngine } = options;
  if (!Object.hasOwn(GRAPH_VALUES, integers))
    throw new GraphDBError('ARGUMENT_ERROR', `integers: "${integers}" is none of ${Object.keys(GRAPH_VALUES).join(', ')}`);
  for (const name of AMOUNTS) {
    const amount: unknown = options[name];
    if (amount !== undefined && !(typeof amount === 'number' && amount >= 0))
      throw new GraphDBError('ARGUMENT_ERROR', `${name}: a number from 0 on, not ${String(amount)}`);
  }
  if (/^https?:/i.test(uri)) return createDatabase(await openServer(uri, options), integers);
  if (token !== undefined)
    throw new GraphDBError(
      'ARGUMENT_ERROR',
      'token: stores ask for no token; their credentials come from the variables and files of their vendors',
    );
  const { readWorkers = parseThreadCount(process.env.GRAPHDB_READ_WORKERS || '0') } = options;
  const engine = await openEngine(uri, { ...ofEngine, readWorkers }, { logger: await createEnvironmentLogger() });
  return createDatabase(Object.assign(engine, { changesBehind: (wanted: ChangesWanted) => changesBehind(engine, wanted) }), integers);
}

/** Connects to a server. @throws ARGUMENT_ERROR for an option that a server decides itself, STORE_UNAVAILABLE if none answers. */
async function openServer(url: string, options: OpenOptions): Promise<DatabaseEngine> {
  const foreign = OF_STORES.find((name) => options[name] !== undefined);
  if (foreign !== undefined) throw new GraphDBError('ARGUMENT_ERROR', `${foreign}: a server decides that itself`);
  const { RemoteGraph } = await import('../remote/index.ts');
  const server = new RemoteGraph(url, options.token ?? process.env.GRAPHDB_AUTH_TOKEN);
  await server.check();
  return server;
}

function createDatabase(engine: DatabaseEngine, integers: IntegerForm = 'auto'): Database {
  let isClosed = false;
  const checkOpen = (): void => {
    if (isClosed) throw closedError('the database is closed');
  };
  const close = (): Promise<void> => {
    isClosed = true;
    return engine.close();
  };
  const begin = async ({ mode = 'write' }: BeginOptions = {}): Promise<Transaction> => {
    if (mode !== 'read' && mode !== 'write') throw new GraphDBError('ARGUMENT_ERROR', 'mode: a transaction is of mode "read" or "write"');
    return createTransaction(await kept(engine.begin({ mode })), integers, checkOpen);
  };
  return {
    ...statementsOf({ target: engine, integers, checkOpen }),
    currentChange: () => changeId(engine, 'current'),
    changes: (from, options) => changeRows(engine, from, { ...options, integers }),
    begin,
    transaction: (work, { attempts = ATTEMPTS, ...how } = {}) => inTransaction(() => begin(how), work, { attempts }),
    flush: () => engine.flush(),
    compact: () => engine.compact(),
    explain: (query, options) =>
      engine.explain(query, options).catch((error: unknown) => {
        throw withPlace(error, query);
      }),
    close,
    [Symbol.asyncDispose]: close,
  };
}

function createTransaction(inner: EngineTransaction, integers: IntegerForm, checkOpen: () => void): Transaction {
  const target: StatementTarget = {
    answer: (query, params, options) => inner.execute(query, params, options),
    stream: (query, params, options) => inner.stream(query, params, options),
  };
  return {
    ...statementsOf({ target, integers, checkOpen }),
    commit: () => kept(inner.commit()),
    rollback: () => kept(inner.rollback()),
    [Symbol.asyncDispose]: () => inner.rollback(),
  };
}

async function* changeRows(
  engine: DatabaseEngine,
  from: string,
  { selectors = [], waitMs = 0, signal, integers }: ChangesOptions & { readonly integers: IntegerForm },
): AsyncGenerator<Change, void, undefined> {
  const wanted = { from, selectors: selectors.map((selector) => fromParameters(selector) as ValueMap), waitMs, signal };
  for await (const batch of engine.changesBehind(wanted)) {
    const toRow = rowsOf(CHANGE_COLUMNS, batch.length, integers);
    for (const row of batch) yield toRow(row) as Change; // as: the columns of db.cdc.query
  }
}

type StatementTarget = Pick<Engine, 'answer' | 'stream'>;

interface Answering {
  readonly target: StatementTarget;
  readonly integers: IntegerForm;
  /** @throws SHUTTING_DOWN when the database is closed */
  readonly checkOpen: () => void;
}

function statementsOf(answering: Answering): Statements {
  return {
    query: <T extends object>(query: string, params?: ParameterObject | null, options?: QueryOptions) =>
      execute<T>(answering, query, params, options),
    first: async <T extends object>(query: string, params?: ParameterObject | null, options?: QueryOptions) =>
      (await execute<T>(answering, query, params, options)).first(),
    value: async <V>(query: string, params?: ParameterObject | null, options?: QueryOptions) =>
      (await execute(answering, query, params, options)).value<V>(),
    stream: (query, params, options) => streamRows(answering, query, params, options),
  };
}

/** Checks what the types promise, for programs without types. @throws ARGUMENT_ERROR */
function checkStatement(query: unknown, options: StatementOptions | undefined): void {
  if (typeof query !== 'string') throw new GraphDBError('ARGUMENT_ERROR', 'query: the text of a statement is a string');
  const timeoutMs: unknown = options?.timeoutMs;
  if (timeoutMs !== undefined && (typeof timeoutMs !== 'number' || Number.isNaN(timeoutMs)))
    throw new GraphDBError('ARGUMENT_ERROR', 'timeoutMs: a limit of time is a number of milliseconds');
}

/** Runs a statement. A short read, which is answered synchronously, costs one promise only. */
function execute<T extends object>(
  { target, integers }: Answering,
  query: string,
  params: ParameterObject | null | undefined,
  options: StatementOptions | undefined,
): Promise<QueryResult<T>> {
  try {
    checkStatement(query, options);
    const answer = target.answer(query, fromParameters(params ?? {}), options);
    if (!(answer instanceof Promise)) return Promise.resolve(new QueryResult<T>(answer, integers));
    callBegan();
    return answer.then(
      (result: StatementResult) => {
        callEnded();
        return new QueryResult<T>(result, integers);
      },
      (error: unknown) => {
        callEnded();
        throw withPlace(error, query);
      },
    );
  } catch (error) {
    return Promise.reject(withPlace(error, query));
  }
}

async function* streamRows<T>(
  { target, integers, checkOpen }: Answering,
  query: string,
  params: ParameterObject | null | undefined,
  options: StatementOptions | undefined,
): AsyncGenerator<T, void, undefined> {
  try {
    checkStatement(query, options);
    const { columns, batches } = await kept(target.stream(query, fromParameters(params ?? {}), options));
    for await (const batch of batches) {
      const toRow = rowsOf(columns, batch.length, integers);
      for (const row of batch) yield toRow(row) as T; // as: what the caller says they are
      checkOpen();
    }
  } catch (error) {
    throw withPlace(error, query);
  }
}
