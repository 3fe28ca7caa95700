/**
 * The library: a database opened in this process.
 *
 * ```ts
 * await using db = await open('file:///var/lib/graph?ns=prod');
 * const { rows } = await db.query('MATCH (p:Person) WHERE p.age >= $min RETURN p.name AS name', { min: 18 });
 * ```
 *
 * Every failure is a `GraphDBError` with a stable `code`.
 */
import { createEnvironmentLogger, parseThreadCount } from '../base/index.ts';
import {
  CHANGE_COLUMNS,
  type CompactOutcome,
  changeId,
  changesBehind,
  type Engine,
  type EngineTransaction,
  type FlushOutcome,
  openEngine,
  type StatementOptions,
  type StatementResult,
  type WriteOutcome,
} from '../engine/index.ts';
import type { ValueMap } from '../value/index.ts';
import { rowsOf } from './rows.ts';
import { fromParameters, type GraphValue, type Parameters, type PlainObject } from './values.ts';

export interface OpenOptions {
  /** Reads only; never becomes the writer of the namespace. */
  readonly readOnly?: boolean;
  /** Opens this retained manifest version, for reading: what was in SSTs then. `NOT_FOUND` when it is not retained (any more). */
  readonly version?: number;
  /** How often the memtable is written to SSTs; 0: only when asked. */
  readonly flushIntervalMs?: number;
  /** How long changes stay readable (`Database.changes`); 0: they are not captured. Absent: as the namespace was told before, at first not at all. */
  readonly changeRetentionMs?: number;
  /** The folder that LOAD CSV may read files of; absent: LOAD CSV is refused. */
  readonly csvDirectory?: string;
  /**
   * Threads that execute reads which take long, so that others need not wait; 0: all run on this thread, giving way to each other. Absent: what
   * `GRAPHDB_READ_WORKERS` says, else 0.
   */
  readonly readWorkers?: number;
}

export interface QueryOptions {
  /** `QUERY_TIMEOUT` beyond it. */
  readonly timeoutMs?: number;
  /** Aborting it stops the statement with `CANCELLED`. */
  readonly signal?: AbortSignal;
  /** `MEMORY_LIMIT` beyond it. */
  readonly memoryBytes?: number;
}

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

/** Every column is a key. */
export type Row = { [column: string]: GraphValue };

/**
 * The shape of the rows that a program expects, as a type of its own: `db.query<{ name: string; age: number | null }>(…)`. It is the program's word to the compiler; nothing
 * is checked when the statement runs. A column may be anything that `GraphValue` is.
 */
export type RowShape<T> = { [K in keyof T]: GraphValue };

export interface QueryResult<T = Row> {
  /** In the order of RETURN. */
  readonly columns: readonly string[];
  readonly rows: T[];
  /** Present on every statement that can write, even when it changed nothing. */
  readonly writeOutcome?: WriteOutcome;
}

/** Statements that take effect together. Left without a commit by `await using`, it is rolled back. */
export interface Transaction extends AsyncDisposable {
  query<T extends RowShape<T> = Row>(query: string, params?: Parameters | null, options?: QueryOptions): Promise<QueryResult<T>>;
  /** The rows as they come; several may be read at once. Leaving the loop stops the statement. */
  stream<T extends RowShape<T> = Row>(query: string, params?: Parameters | null, options?: QueryOptions): AsyncIterable<T>;
  /** Answers when the transaction is durable. */
  commit(): Promise<void>;
  /** Waits for a statement that runs. Does nothing when the transaction has ended. */
  rollback(): Promise<void>;
}

export interface Database extends AsyncDisposable {
  /** One statement in a transaction of its own; a write is durable when this answers. */
  query<T extends RowShape<T> = Row>(query: string, params?: Parameters | null, options?: QueryOptions): Promise<QueryResult<T>>;
  /** The rows as they come, never all of them in memory; leaving the loop stops the statement. */
  stream<T extends RowShape<T> = Row>(query: string, params?: Parameters | null, options?: QueryOptions): AsyncIterable<T>;
  /** The id of the last change: what to read changes from later. `UNSUPPORTED`: none are captured. */
  currentChange(): Promise<string>;
  /** The changes behind an id, in the order of commits, up to the last that there is. `GONE`: they are not kept any more; `UNSUPPORTED`: none are captured. */
  changes(from: string, options?: ChangesOptions): AsyncIterable<Change>;
  /** One transaction writes at a time; reads see the snapshot of their start. */
  begin(options?: { mode?: 'read' | 'write' }): Promise<Transaction>;
  /** Writes what is in memory to SSTs now. */
  flush(): Promise<FlushOutcome>;
  /** Merges the SSTs of every table into one run, after a flush, and removes objects that nobody needs any more. */
  compact(): Promise<CompactOutcome>;
  /** The plan of a statement as text. */
  explain(query: string, options?: { verbose?: boolean }): Promise<string>;
  /** Takes back write transactions that have not ended, and waits for statements that run. */
  close(): Promise<void>;
}

/**
 * Opens a namespace: for writing, which fences whoever writes to it now, or with `readOnly` for reading. A reader follows the writer: what is answered there shows
 * here within a second.
 */
export async function open(uri: string, options: OpenOptions = {}): Promise<Database> {
  const { readWorkers = parseThreadCount(process.env.GRAPHDB_READ_WORKERS || '0') } = options;
  return createDatabase(await openEngine(uri, { ...options, readWorkers }, { logger: await createEnvironmentLogger() }));
}

export function createDatabase(engine: Engine): Database {
  return {
    query: (query, params, options) => execute(engine, query, params, options),
    stream: (query, params, options) => streamRows(engine, query, params, options),
    currentChange: () => changeId(engine, 'current'),
    changes: (from, options) => changeRows(engine, from, options),
    begin: async ({ mode = 'write' } = {}) => createTransaction(await engine.begin({ mode })),
    flush: () => engine.flush(),
    compact: () => engine.compact(),
    explain: (query, options) => engine.explain(query, options),
    close: () => engine.close(),
    [Symbol.asyncDispose]: () => engine.close(),
  };
}

function createTransaction(inner: EngineTransaction): Transaction {
  const target: Pick<Engine, 'answer'> = { answer: (query, params, options) => inner.execute(query, params, options) };
  return {
    query: (query, params, options) => execute(target, query, params, options),
    stream: (query, params, options) => streamRows(inner, query, params, options),
    commit: () => inner.commit(),
    rollback: () => inner.rollback(),
    [Symbol.asyncDispose]: () => inner.rollback(),
  };
}

async function* changeRows(engine: Engine, from: string, options: ChangesOptions = {}): AsyncGenerator<Change, void, undefined> {
  const { selectors = [], waitMs = 0, signal } = options;
  const wanted = { from, selectors: selectors.map((selector) => fromParameters(selector) as ValueMap), waitMs, signal };
  for await (const batch of changesBehind(engine, wanted)) {
    const toRow = rowsOf(CHANGE_COLUMNS, batch.length);
    for (const row of batch) yield toRow(row) as Change; // as: the columns of db.cdc.query
  }
}

/** A short read makes one promise, that of its answer. */
function execute<T>(
  target: Pick<Engine, 'answer'>,
  query: string,
  params: Parameters | null | undefined,
  options: StatementOptions | undefined,
): Promise<QueryResult<T>> {
  try {
    const answer = target.answer(query, fromParameters(params ?? {}), options);
    return answer instanceof Promise ? answer.then(resultOf<T>) : Promise.resolve(resultOf<T>(answer));
  } catch (error) {
    return Promise.reject(error);
  }
}

function resultOf<T>({ columns, rows: found, writeOutcome }: StatementResult): QueryResult<T> {
  const toRow = rowsOf(columns, found.length);
  const rows = new Array<T>(found.length);
  for (let i = 0; i < found.length; i++) rows[i] = toRow(found[i]!) as T; // What the caller says they are.
  return writeOutcome === undefined ? { columns, rows } : { columns, rows, writeOutcome };
}

async function* streamRows<T>(
  target: Pick<Engine, 'stream'>,
  query: string,
  params: Parameters | null | undefined,
  options: StatementOptions | undefined,
): AsyncGenerator<T, void, undefined> {
  const { columns, batches } = await target.stream(query, fromParameters(params ?? {}), options);
  for await (const batch of batches) {
    const toRow = rowsOf(columns, batch.length);
    for (const row of batch) yield toRow(row) as T; // What the caller says they are.
  }
}
