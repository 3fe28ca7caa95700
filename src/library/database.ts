/**
 * The library: a database opened in this process, or one behind a server.
 *
 * ```ts
 * await using db = await open('file:///var/lib/graph?ns=prod');
 * const { rows } = await db.query('MATCH (p:Person) WHERE p.age >= $min RETURN p.name AS name', { min: 18 });
 * ```
 *
 * Every failure is a `GraphDBError` with a stable `code`.
 */
import { createEnvironmentLogger, GraphDBError, parseThreadCount } from '../base/index.ts';
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
  /** Opens this retained manifest version, for reading: what was in SSTs then. `NOT_FOUND` when it is not retained (any more). */
  readonly version?: number;
  /** How often the memtable is written to SSTs; 0: only when asked. */
  readonly flushIntervalMs?: number;
  /**
   * How long changes stay readable (`Database.changes`); 0: they are not captured. Absent: as the namespace was told
   * before, at first not at all.
   */
  readonly changeRetentionMs?: number;
  /** The folder that LOAD CSV may read files of; absent: LOAD CSV is refused. */
  readonly csvDirectory?: string;
  /**
   * Threads that execute reads which take long, so that others need not wait; 0: all run on this thread, giving way to
   * each other. Absent: what `GRAPHDB_READ_WORKERS` says, else 0.
   */
  readonly readWorkers?: number;
  /** The token that a server asks for; absent: that of `GRAPHDB_AUTH_TOKEN`. */
  readonly token?: string;
  /** The type in which Integers come out; `auto` where nothing is said. */
  readonly integers?: IntegerForm;
}

/** The options of a query. */
export interface QueryOptions {
  /** `QUERY_TIMEOUT` beyond it. */
  readonly timeoutMs?: number;
  /** Aborting it stops the statement with `CANCELLED`. */
  readonly signal?: AbortSignal;
  /** `MEMORY_LIMIT` beyond it. `UNSUPPORTED` by a server, which has a limit of its own. */
  readonly memoryBytes?: number;
}

/** The options of reading changes. */
export interface ChangesOptions {
  /** `ARGUMENT_ERROR`: one of them says what none can. A change is given when one takes it; without any, all are. */
  readonly selectors?: readonly Parameters[];
  /** How long to wait for the first change where there is none; absent: not at all. */
  readonly waitMs?: number;
  /** Aborting it ends the wait with `CANCELLED`. */
  readonly signal?: AbortSignal;
}

/** A change of one node or relationship: a row of db.cdc.query. `id` is what to read on from; `event` has Neo4j's members. */
export type Change = {
  readonly id: string;
  readonly txId: number;
  readonly seq: number;
  readonly metadata: PlainObject;
  readonly event: PlainObject;
};

/** The options of a transaction. */
export interface BeginOptions {
  readonly mode?: 'read' | 'write';
}

/** The options of a transaction that is tried again. */
export interface TransactionOptions extends BeginOptions {
  /** How often the work is done at most; absent: 5. */
  readonly attempts?: number;
}

/** An object that takes statements: a database, each by itself, and a transaction, all together. */
export interface Statements {
  /** All rows of a statement. */
  query<T extends object = Row>(query: string, params?: ParameterObject | null, options?: QueryOptions): Promise<QueryResult<T>>;
  /** The first row of a statement; undefined where it gives none. */
  first<T extends object = Row>(query: string, params?: ParameterObject | null, options?: QueryOptions): Promise<T | undefined>;
  /** The first column of the first row of a statement; undefined where it gives none. */
  value<V = GraphValue>(query: string, params?: ParameterObject | null, options?: QueryOptions): Promise<V | undefined>;
  /** The rows as they come, never all of them in memory; several may be read at once. Leaving the loop stops the statement. */
  stream<T extends object = Row>(query: string, params?: ParameterObject | null, options?: QueryOptions): AsyncIterable<T>;
}

/** Statements that take effect together. Left without a commit by `await using`, it is rolled back. */
export interface Transaction extends Statements, AsyncDisposable {
  /** Answers when the transaction is durable. */
  commit(): Promise<void>;
  /** Waits for a statement that runs. Does nothing when the transaction has ended. */
  rollback(): Promise<void>;
}

/** Its own statements run in transactions of their own; a write is durable when it is answered. */
export interface Database extends Statements, AsyncDisposable {
  /** The id of the last change: what to read changes from later. `UNSUPPORTED`: none are captured. */
  currentChange(): Promise<string>;
  /**
   * The changes behind an id, in the order of commits, up to the last that there is. `GONE`: they are not kept any
   * more; `UNSUPPORTED`: none are captured.
   */
  changes(from: string, options?: ChangesOptions): AsyncIterable<Change>;
  /** One transaction writes at a time; reads see the snapshot of their start. */
  begin(options?: BeginOptions): Promise<Transaction>;
  /**
   * Does the work in a transaction and commits it; rolls it back where the work fails. A failure that may pass by
   * itself (`retriable`) is met by another attempt, so the work should do nothing outside of the transaction that
   * cannot be done twice.
   */
  transaction<T>(work: (tx: Transaction) => Promise<T> | T, options?: TransactionOptions): Promise<T>;
  /** Writes what is in memory to SSTs now. */
  flush(): Promise<FlushOutcome>;
  /** Merges the SSTs of every table into one run, after a flush, and removes objects that nobody needs any more. */
  compact(): Promise<CompactOutcome>;
  /** The plan of a statement as text. A server tells none with `verbose` (`UNSUPPORTED`). */
  explain(query: string, options?: { verbose?: boolean }): Promise<string>;
  /** Takes back write transactions that have not ended, and waits for statements that run. */
  close(): Promise<void>;
}

/** The part of an engine that databases are made of. */
type DatabaseEngine = Pick<Engine, 'answer' | 'execute' | 'stream' | 'begin' | 'flush' | 'compact' | 'explain' | 'close'> & {
  /** Rows of changes, as `changesBehind` of the engine gives them. */
  changesBehind(wanted: ChangesWanted): AsyncIterable<ResultValue[][]>;
};

const ATTEMPTS = 5;
/** Options of a store that this process opens. */
const OF_STORES = ['readOnly', 'version', 'flushIntervalMs', 'csvDirectory', 'readWorkers', 'changeRetentionMs'] as const;

/**
 * Opens a namespace: for writing, which fences whoever writes to it now, or with `readOnly` for reading. A reader
 * follows the writer: what is answered there shows here within a second. `http://` and `https://` reach a server, with
 * the same calls; what path the URL has names the namespace.
 */
export async function open(uri: string, options: OpenOptions = {}): Promise<Database> {
  const { token, integers = 'auto', ...ofEngine } = options;
  if (!Object.hasOwn(GRAPH_VALUES, integers))
    throw new GraphDBError('ARGUMENT_ERROR', `integers: "${integers}" is none of ${Object.keys(GRAPH_VALUES).join(', ')}`);
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

/** ARGUMENT_ERROR: an option that a server decides itself. STORE_UNAVAILABLE: no server answers. */
async function openServer(url: string, options: OpenOptions): Promise<DatabaseEngine> {
  const foreign = OF_STORES.find((name) => options[name] !== undefined);
  if (foreign !== undefined) throw new GraphDBError('ARGUMENT_ERROR', `${foreign}: a server decides that itself`);
  const { RemoteGraph } = await import('../remote/index.ts');
  const server = new RemoteGraph(url, options.token ?? process.env.GRAPHDB_AUTH_TOKEN);
  await server.check();
  return server;
}

function createDatabase(engine: DatabaseEngine, integers: IntegerForm = 'auto'): Database {
  const begin = async ({ mode = 'write' }: BeginOptions = {}): Promise<Transaction> =>
    createTransaction(await kept(engine.begin({ mode })), integers);
  return {
    ...statementsOf(engine, integers),
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
    close: () => engine.close(),
    [Symbol.asyncDispose]: () => engine.close(),
  };
}

function createTransaction(inner: EngineTransaction, integers: IntegerForm): Transaction {
  const target: StatementTarget = {
    answer: (query, params, options) => inner.execute(query, params, options),
    stream: (query, params, options) => inner.stream(query, params, options),
  };
  return {
    ...statementsOf(target, integers),
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

function statementsOf(target: StatementTarget, integers: IntegerForm): Statements {
  return {
    query: <T extends object>(query: string, params?: ParameterObject | null, options?: QueryOptions) =>
      execute<T>({ target, integers }, query, params, options),
    first: async <T extends object>(query: string, params?: ParameterObject | null, options?: QueryOptions) =>
      (await execute<T>({ target, integers }, query, params, options)).first(),
    value: async <V>(query: string, params?: ParameterObject | null, options?: QueryOptions) =>
      (await execute({ target, integers }, query, params, options)).value<V>(),
    stream: (query, params, options) => streamRows({ target, integers }, query, params, options),
  };
}

interface Answering {
  readonly target: StatementTarget;
  readonly integers: IntegerForm;
}

/** A short read makes one promise, that of its answer. */
function execute<T extends object>(
  { target, integers }: Answering,
  query: string,
  params: ParameterObject | null | undefined,
  options: StatementOptions | undefined,
): Promise<QueryResult<T>> {
  try {
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
  { target, integers }: Answering,
  query: string,
  params: ParameterObject | null | undefined,
  options: StatementOptions | undefined,
): AsyncGenerator<T, void, undefined> {
  try {
    const { columns, batches } = await kept(target.stream(query, fromParameters(params ?? {}), options));
    for await (const batch of batches) {
      const toRow = rowsOf(columns, batch.length, integers);
      for (const row of batch) yield toRow(row) as T; // as: what the caller says they are
    }
  } catch (error) {
    throw withPlace(error, query);
  }
}
