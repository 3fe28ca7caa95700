/**
 * The interface of the engine: everything above `src/engine` (the protocols, the command line, the library) is written
 * against these types. This folder implements them.
 *
 * Arguments are canonical values (`Value`). Results are materialised (`ResultValue`): a node, relationship or path
 * carries its labels and properties, never a reference into the graph.
 *
 * Every failure is a `GraphDBError`. A statement is all or nothing: one that fails, times out or is aborted leaves no
 * trace, except for the batches that CALL … IN TRANSACTIONS has committed.
 */
import type { Caller } from '../base/index.ts';
import type { PlanDescription } from '../plan/index.ts';
import type { ResultValue, Value, ValueMap } from '../value/index.ts';

/**
 * Changes made by a statement, counted as Neo4j counts them: each property that CREATE or MERGE gives, or that is set
 * or removed, is one.
 */
export interface WriteOutcome {
  readonly nodesCreated: number;
  readonly edgesCreated: number;
  readonly nodesDeleted: number;
  readonly edgesDeleted: number;
  readonly propertiesSet: number;
  readonly labelsAdded: number;
  readonly labelsRemoved: number;
}

/** The options of a statement. */
export interface StatementOptions {
  /** The longest run of the statement in milliseconds, after which it fails with QUERY_TIMEOUT. Absent or 0: no limit. */
  readonly timeoutMs?: number | undefined;
  /** Aborting this signal stops the statement with CANCELLED. */
  readonly signal?: AbortSignal | undefined;
  /**
   * The bytes of memory for intermediate rows and the result; beyond them the statement spills or fails with
   * MEMORY_LIMIT. Absent: 2 GiB.
   */
  readonly memoryBytes?: number;
  /** With `read`, a statement that writes is refused with READ_ONLY. */
  readonly access?: 'read' | 'write';
  /**
   * The caller that sends the statement. Its role must have the rights that the plan needs, else the statement fails
   * with FORBIDDEN. Absent: a caller with every right.
   */
  readonly caller?: Caller;
  /** The sender, as change capture and the log of statements name it. Absent: a program that has opened the engine itself. */
  readonly author?: StatementAuthor;
}

/** The sender of a statement, as change capture and the log of statements name it. */
export interface StatementAuthor {
  readonly user: string;
  /** The protocol: `http` or `bolt`. */
  readonly connectionType: string;
  readonly clientAddress: string | null;
  /** The id of the request that carried the statement, as logs name it. */
  readonly requestId: string;
  /** The metadata that the client gave its transaction; empty if it gave none. */
  readonly metadata: ValueMap;
}

/** A warning about a statement that runs nevertheless. */
export interface StatementNotification {
  /** The code that Neo4j gives this warning, such as `Neo.ClientNotification.Statement.UnknownLabelWarning`. */
  readonly code: string;
  readonly title: string;
  readonly description: string;
  readonly severity: 'WARNING' | 'INFORMATION';
  /** The position in the statement's text in UTF-16 units, from 0; `line` and `column` count from 1. */
  readonly offset: number;
  readonly line: number;
  readonly column: number;
}

/** Changes made by a schema command. */
export interface SchemaOutcome {
  readonly indexesAdded: number;
  readonly indexesRemoved: number;
  readonly constraintsAdded: number;
  readonly constraintsRemoved: number;
}

/** The type of a statement. A `write` statement updates and returns no columns; a `read-write` one updates and returns columns. */
export type StatementType = 'read' | 'read-write' | 'write' | 'schema';

/** The outcome of a statement, beside its rows. */
export interface StatementOutcome {
  readonly type: StatementType;
  /** Present on every statement that can write, even when it changed nothing. */
  readonly writeOutcome?: WriteOutcome;
  /** Present on schema commands. */
  readonly schemaOutcome?: SchemaOutcome;
  /** The plan as text, present on EXPLAIN and PROFILE; PROFILE adds the rows of each operator and the time spent in its code. */
  readonly plan?: string;
  /** The plan as a tree, present on EXPLAIN and PROFILE. */
  readonly planTree?: PlanDescription;
  /** The warnings about the statement; absent if there are none. */
  readonly notifications?: readonly StatementNotification[];
}

/** The result of a statement, with all of its rows. */
export interface StatementResult extends StatementOutcome {
  /** The names of the columns in the order of RETURN; empty for a statement without RETURN. */
  readonly columns: readonly string[];
  /** The rows, each an array as long as `columns`. */
  readonly rows: ResultValue[][];
}

/** The summary of a statement whose rows were streamed. */
export interface StatementSummary extends StatementOutcome {
  /** The number of rows that were streamed. */
  readonly rows: number;
}

/** A statement whose rows come in batches. */
export interface StatementStream {
  readonly columns: readonly string[];
  /** The batches of rows, to be iterated once; leaving the loop early stops the statement. */
  readonly batches: AsyncIterable<ResultValue[][]>;
  /** Returns the summary, which is complete once `batches` has ended. */
  summary(): StatementSummary;
}

/** A transaction of the engine. */
export interface EngineTransaction {
  execute(query: string, params: ReadonlyMap<string, Value>, options?: StatementOptions): Promise<StatementResult>;
  /**
   * Runs a statement and streams its rows as they are found. Several results may be open at a time. In a write
   * transaction the remaining rows of an open result are fetched into memory before the next statement begins, so that
   * they show none of its changes. Rows that are not read when the transaction ends are lost: reading on fails with
   * BAD_REQUEST.
   */
  stream(query: string, params: ReadonlyMap<string, Value>, options?: StatementOptions): Promise<StatementStream>;
  /** Commits the transaction; resolves when its changes are durable. */
  commit(): Promise<void>;
  /** Rolls back the transaction after waiting for a running statement. Does nothing if the transaction has ended. */
  rollback(): Promise<void>;
}

/** The state of the engine, as health and metrics show it. */
export interface EngineStatus {
  /** `ok`, or one word that says why reads cannot be served, such as `closing`. */
  readonly status: 'ok' | (string & {});
  readonly namespace: string;
  readonly manifestVersion: number;
  readonly epoch: number;
  readonly role: 'writer' | 'reader';
  /** The sequence of the last durable commit that reads see. */
  readonly sequence: number;
}

/** The options of a transaction. */
export interface BeginOptions {
  readonly mode: 'read' | 'write';
  /** Aborting this signal gives up the wait for the writer's turn. */
  readonly signal?: AbortSignal | undefined;
  /** The longest wait for the writer's turn in milliseconds, after which `begin` fails with QUERY_TIMEOUT. Absent or 0: no limit. */
  readonly timeoutMs?: number | undefined;
  /**
   * The longest time in milliseconds that other writers wait because of this transaction (S5). Beyond it the
   * transaction is rolled back, and further calls on it fail with QUERY_TIMEOUT. While no other writer waits there is
   * no limit. Absent or 0: no limit.
   */
  readonly maxHoldMs?: number | undefined;
}

/** Counts of the work that an engine has done since it was opened, and of the work that waits. */
export interface EngineStatistics {
  /** Statements that found a cached plan, and statements that had to be planned. */
  readonly planCacheHits: number;
  readonly planCacheMisses: number;
  /** Statements that were answered by reading the pages that they touch, because tables or columns were not in memory. */
  readonly readsByPage: number;
  /** Bytes of memory that loaded tables and columns take. */
  readonly graphBytes: number;
  /**
   * Bytes of memory held by pages of tables and columns that are not loaded whole, and the number of pages evicted
   * since the graph was opened.
   */
  readonly pageBytes: number;
  readonly pageEvictions: number;
  /** How often the served graph was unloaded to make room. */
  readonly unloads: number;
  /** Automatic indexes: their present number and their memory in bytes. */
  readonly automaticIndexes: number;
  readonly automaticIndexBytes: number;
  readonly automaticIndexesMade: number;
  readonly automaticIndexesDropped: number;
  /** Statements that looked up values in an automatic index. */
  readonly automaticIndexSeeks: number;
  /** Statements that read workers ran. */
  readonly workerReads: number;
  /** Read workers that died and were replaced: they did not answer, had no memory left or failed. */
  readonly workersEnded: number;
  /** Writers that wait for their turn, without the one that holds it. */
  readonly waitingWriters: number;
  /** Bytes of commits that are in the write-ahead log and in no SST yet. */
  readonly unflushedBytes: number;
  readonly unflushedCommits: number;
  /** Objects of the write-ahead log from its floor on. */
  readonly walObjects: number;
  readonly flushes: number;
  readonly flushedSsts: number;
  readonly mergedTables: number;
  readonly mergedRows: number;
  /** Flushes, merges and garbage collections under way. */
  readonly backgroundTasks: number;
  /** Objects removed by garbage collection. */
  readonly collectedObjects: number;
  readonly collectedBytes: number;
}

/** The outcome of a flush. */
export interface FlushOutcome {
  readonly sstsWritten: number;
  readonly manifestVersion: number;
}

/** The outcome of a compaction. */
export interface CompactOutcome {
  /** SSTs written by the flush that precedes the merge. */
  readonly sstsWritten: number;
  readonly tablesMerged: number;
  readonly sstsRemoved: number;
  readonly sstsAdded: number;
  readonly rowsWritten: number;
  /** Objects removed by garbage collection, because they are no longer needed and their grace time is over. */
  readonly objectsRemoved: number;
  readonly bytesRemoved: number;
  readonly manifestVersion: number;
}

/** The engine: runs statements and keeps a namespace. */
export interface Engine {
  /**
   * Does what `execute` does, but returns the result of a short read of loaded data directly, without a promise, and
   * throws its errors directly.
   */
  answer(query: string, params: ReadonlyMap<string, Value>, options?: StatementOptions): StatementResult | Promise<StatementResult>;
  /** Runs one statement in a transaction of its own; a write is durable when the promise resolves. */
  execute(query: string, params: ReadonlyMap<string, Value>, options?: StatementOptions): Promise<StatementResult>;
  stream(query: string, params: ReadonlyMap<string, Value>, options?: StatementOptions): Promise<StatementStream>;
  begin(options: BeginOptions): Promise<EngineTransaction>;
  /**
   * Resolves when reads see the commit of this sequence (`EngineStatus.sequence`), which another process may have made:
   * a reader polls the store for it.
   *
   * @throws BOOKMARK_TIMEOUT if reads do not see the commit within `timeoutMs` milliseconds.
   */
  reach(sequence: number, options: { timeoutMs: number; signal?: AbortSignal }): Promise<void>;
  /** Returns the plan as text without running the statement; `verbose` adds all details and the generated code. */
  explain(query: string, options?: { verbose?: boolean }): Promise<string>;
  /** Writes the memtable to SSTs now. */
  flush(): Promise<FlushOutcome>;
  /** Flushes, merges the SSTs of every table into one run, and removes objects that are no longer needed. */
  compact(): Promise<CompactOutcome>;
  status(): EngineStatus;
  /**
   * Returns the status as a read would find it. If the last check of the bucket is three seconds old or older, the
   * bucket is checked first, so that an idle writer that was fenced says so. Never rejects, and waits at most one
   * second for a store that does not answer.
   */
  freshStatus(): Promise<EngineStatus>;
  statistics(): EngineStatistics;
  /** Rolls back open write transactions, ends background work and leaves the store clean. A second call returns the same promise. */
  close(): Promise<void>;
}
