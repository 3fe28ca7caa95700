/**
 * What the protocols, the command line and the library see of the engine: the interface that everything above `src/engine` is written
 * against. Implemented in this folder; nothing above it knows more than what stands here.
 *
 * Values that go in are canonical (`Value`); values that come out are materialised (`ResultValue`): a node, relationship or path comes
 * with its labels and properties, never as a reference into the graph.
 *
 * Every failure is a `GraphDBError`. A statement is all or nothing: one that fails, times out or is aborted leaves no trace.
 */
import type { Logger } from '../base/index.ts';
import type { ObjectStore } from '../object-store/index.ts';
import type { ResultValue, Value } from '../value/index.ts';

/** What a statement changed, counted as Neo4j counts: a property given in CREATE or MERGE, set or removed is one. */
export interface WriteOutcome {
  readonly nodesCreated: number;
  readonly edgesCreated: number;
  readonly nodesDeleted: number;
  readonly edgesDeleted: number;
  readonly propertiesSet: number;
  readonly labelsAdded: number;
  readonly labelsRemoved: number;
}

export interface StatementOptions {
  /** Longest run in milliseconds; `QUERY_TIMEOUT` beyond it. Absent or 0: none. */
  readonly timeoutMs?: number;
  /** Aborting it stops the statement with `CANCELLED`. */
  readonly signal?: AbortSignal;
  /** Intermediate and result memory in bytes; `MEMORY_LIMIT` beyond it. Absent: the engine's own limit. */
  readonly memoryBytes?: number;
}

export interface StatementResult {
  /** In the order of RETURN; empty for a statement without one. */
  readonly columns: readonly string[];
  /** One array per row, as long as `columns`. */
  readonly rows: ResultValue[][];
  /** Present on every statement that can write, even when it changed nothing. */
  readonly writeOutcome?: WriteOutcome;
  /** The plan as text, of EXPLAIN and PROFILE (with the rows of each operator). */
  readonly plan?: string;
}

export interface StatementStream {
  readonly columns: readonly string[];
  /** To be read once; leaving the loop early stops the statement. */
  readonly batches: AsyncIterable<ResultValue[][]>;
  /** Complete once `batches` has ended. */
  summary(): { rows: number; writeOutcome?: WriteOutcome };
}

export interface EngineTransaction {
  execute(query: string, params: ReadonlyMap<string, Value>, options?: StatementOptions): Promise<StatementResult>;
  /** Answers when the transaction is durable. */
  commit(): Promise<void>;
  rollback(): Promise<void>;
}

export interface EngineStatus {
  /** `ok`, or in a word why reads cannot be served. */
  readonly status: 'ok' | (string & {});
  readonly namespace: string;
  readonly manifestVersion: number;
  readonly epoch: number;
  readonly role: 'writer' | 'reader';
}

export interface FlushOutcome {
  readonly sstsWritten: number;
  readonly manifestVersion: number;
}

export interface Engine {
  /** Runs one statement in a transaction of its own; a write is durable when this answers. */
  execute(query: string, params: ReadonlyMap<string, Value>, options?: StatementOptions): Promise<StatementResult>;
  stream(query: string, params: ReadonlyMap<string, Value>, options?: StatementOptions): Promise<StatementStream>;
  begin(options: { mode: 'read' | 'write' }): Promise<EngineTransaction>;
  /** The plan as text, without running anything. */
  explain(query: string, options?: { verbose?: boolean }): Promise<string>;
  /** Writes the memtable to SSTs now. */
  flush(): Promise<FlushOutcome>;
  status(): EngineStatus;
  /** Ends background work and leaves the store clean; a second call does nothing. */
  close(): Promise<void>;
}

/**
 * A procedure that answers from a table: CALL yields the outputs of the rows whose inputs equal the arguments, in table order. It is how
 * the openCypher TCK declares the procedures that its scenarios call.
 */
export interface ProcedureDefinition {
  /** With its namespace: `test.my.proc`. */
  readonly name: string;
  readonly inputs: readonly ProcedureField[];
  /** Empty for a procedure that yields nothing. */
  readonly outputs: readonly ProcedureField[];
  /** Each row holds one value per input, then one per output. */
  readonly rows: readonly (readonly Value[])[];
}

export interface ProcedureField {
  readonly name: string;
  /** As declared: `STRING?`, `INTEGER?`, `FLOAT?`, `NUMBER?`, `BOOLEAN?`, `ANY?`; the question mark admits null. */
  readonly type: string;
}

export interface EngineOptions {
  /** Serve reads only, never claim an epoch. */
  readonly readOnly?: boolean;
  /** Memtable to L0 flush; 0: only when asked. */
  readonly flushIntervalMs?: number;
  readonly logger?: Logger;
  /** Procedures known to this engine beside the built-in ones. */
  readonly testProcedures?: readonly ProcedureDefinition[];
  /** Stands between the engine and its object store: metrics, faults. */
  readonly decorateStore?: (store: ObjectStore) => ObjectStore;
}
