/**
 * The engine as the protocols, the command line and the library see it: the interface that everything above `src/engine` is written
 * against. Implemented in this folder; nothing above it knows more than what stands here.
 *
 * Values that go in are canonical (`Value`); values that come out are materialised (`ResultValue`): a node, relationship or path comes
 * with its labels and properties, never as a reference into the graph.
 *
 * Every failure is a `GraphDBError`. A statement is all or nothing: one that fails, times out or is aborted leaves no trace.
 */
import type { Caller } from '../base/index.ts';
import type { PlanDescription } from '../plan/index.ts';
import type { ResultValue, Value, ValueMap } from '../value/index.ts';

/** Changes made by a statement, counted as Neo4j counts: a property given in CREATE or MERGE, set or removed is one. */
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
  /** Longest run in milliseconds; `QUERY_TIMEOUT` beyond it. Absent or 0: none. */
  readonly timeoutMs?: number | undefined;
  /** Aborting it stops the statement with `CANCELLED`. */
  readonly signal?: AbortSignal | undefined;
  /** Intermediate and result memory in bytes; `MEMORY_LIMIT` beyond it. Absent: the engine's own limit. */
  readonly memoryBytes?: number;
  /** `read`: a statement that writes is refused with READ_ONLY. */
  readonly access?: 'read' | 'write';
  /** Whoever sends it: what the plan does must be within the rights of its role, else FORBIDDEN. Absent: somebody who may do everything. */
  readonly caller?: Caller;
  /** Who sends it, for those who read its changes. Absent: a program that has opened the engine itself. */
  readonly author?: StatementAuthor;
}

/** Who has sent a statement, for those who read its changes. */
export interface StatementAuthor {
  readonly user: string;
  /** `http`, `bolt` */
  readonly connectionType: string;
  readonly clientAddress: string | null;
  /** The request that it came with, as logs name it. */
  readonly requestId: string;
  /** The client's metadata of its transaction; empty where it says nothing. */
  readonly metadata: ValueMap;
}

/** A warning about a statement that runs nevertheless. */
export interface StatementNotification {
  /** Neo4j's name of it: `Neo.ClientNotification.Statement.UnknownLabelWarning`. */
  readonly code: string;
  readonly title: string;
  readonly description: string;
  readonly severity: 'WARNING' | 'INFORMATION';
  /** Its place in the text of the statement, in UTF-16 units from 0; line and column count from 1. */
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

/** `write`: it only updates, and answers no rows. */
export type StatementType = 'read' | 'read-write' | 'write' | 'schema';

/** The outcome of a statement, beside its rows. */
export interface StatementOutcome {
  readonly type: StatementType;
  /** Present on every statement that can write, even when it changed nothing. */
  readonly writeOutcome?: WriteOutcome;
  /** Present on schema commands. */
  readonly schemaOutcome?: SchemaOutcome;
  /** The plan as text, of EXPLAIN and PROFILE (with the rows of each operator and the time in its code). */
  readonly plan?: string;
  /** The plan as a tree. */
  readonly planTree?: PlanDescription;
  /** Absent when there is nothing to tell. */
  readonly notifications?: readonly StatementNotification[];
}

/** The result of a statement, with all of its rows. */
export interface StatementResult extends StatementOutcome {
  /** Their names, in the order of RETURN; empty for a statement without one. */
  readonly columns: readonly string[];
  /** One array per row, as long as `columns`. */
  readonly rows: ResultValue[][];
}

/** The summary of a statement whose rows were streamed. */
export interface StatementSummary extends StatementOutcome {
  /** How many there were. */
  readonly rows: number;
}

/** A statement whose rows come in batches. */
export interface StatementStream {
  readonly columns: readonly string[];
  /** To be read once; leaving the loop early stops the statement. */
  readonly batches: AsyncIterable<ResultValue[][]>;
  /** Complete once `batches` has ended. */
  summary(): StatementSummary;
}

/** A transaction of the engine. */
export interface EngineTransaction {
  execute(query: string, params: ReadonlyMap<string, Value>, options?: StatementOptions): Promise<StatementResult>;
  /**
   * Rows as they are found. Several results may be open; in a transaction that writes, what is left of one is fetched
   * into memory before the next statement begins, so that it shows nothing of what that changes.
   */
  stream(query: string, params: ReadonlyMap<string, Value>, options?: StatementOptions): Promise<StatementStream>;
  /** Answers when the transaction is durable. */
  commit(): Promise<void>;
  /** Waits for a statement that runs. Does nothing when the transaction has ended. */
  rollback(): Promise<void>;
}

/** The state of the engine, as health and metrics show it. */
export interface EngineStatus {
  /** `ok`, or in a word why reads cannot be served. */
  readonly status: 'ok' | (string & {});
  readonly namespace: string;
  readonly manifestVersion: number;
  readonly epoch: number;
  readonly role: 'writer' | 'reader';
  /** The last durable commit that reads see. */
  readonly sequence: number;
}

/** The options of a transaction. */
export interface BeginOptions {
  readonly mode: 'read' | 'write';
  /** Gives up waiting for the turn to write. */
  readonly signal?: AbortSignal | undefined;
  /** Longest wait for the turn to write; `QUERY_TIMEOUT` beyond it. Absent or 0: none. */
  readonly timeoutMs?: number | undefined;
  /**
   * Longest time that others wait for the writer because of this transaction, however its statements spend it: then it
   * is rolled back, and what is asked of it fails with `QUERY_TIMEOUT` (S5). While nobody waits there is no limit.
   * Absent or 0: none.
   */
  readonly maxHoldMs?: number | undefined;
}

/** Counts of the work that an engine has done since it was opened, and of the work that waits. */
export interface EngineStatistics {
  /** Statements that found their plan and its code made already, and those that did not. */
  readonly planCacheHits: number;
  readonly planCacheMisses: number;
  /** Statements that were answered by reading the pages that they touch, with tables and columns not in memory. */
  readonly readsByPage: number;
  /** Bytes of memory that tables and columns take. */
  readonly graphBytes: number;
  /**
   * Bytes of memory that pages take of tables and columns that are not in memory as a whole, and how many have left for
   * others since the graph was opened.
   */
  readonly pageBytes: number;
  readonly pageEvictions: number;
  /** How often what was in memory of the graph was given back. */
  readonly unloads: number;
  /** Indexes that nobody declared: how many there are, and their memory. */
  readonly automaticIndexes: number;
  readonly automaticIndexBytes: number;
  readonly automaticIndexesMade: number;
  readonly automaticIndexesDropped: number;
  /** Statements that asked one. */
  readonly automaticIndexSeeks: number;
  /** Statements that threads for reading ran. */
  readonly workerReads: number;
  /** Threads for reading that were ended because they did not answer or had no memory left. */
  readonly workersEnded: number;
  /** Writers that wait for their turn: the one whose turn it is does not count. */
  readonly waitingWriters: number;
  /** Bytes of commits that are in the write-ahead log and in no SST. */
  readonly unflushedBytes: number;
  readonly unflushedCommits: number;
  /** Objects of the log, from its floor on. */
  readonly walObjects: number;
  readonly flushes: number;
  readonly flushedSsts: number;
  readonly mergedTables: number;
  readonly mergedRows: number;
  /** Flushes, merges and collections under way. */
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
  /** SSTs written by the flush that goes before. */
  readonly sstsWritten: number;
  readonly tablesMerged: number;
  readonly sstsRemoved: number;
  readonly sstsAdded: number;
  readonly rowsWritten: number;
  /** Objects removed that nobody needed any more, past their grace time. */
  readonly objectsRemoved: number;
  readonly bytesRemoved: number;
  readonly manifestVersion: number;
}

/** The engine: runs statements and keeps a namespace. */
export interface Engine {
  /**
   * Does what `execute` does, but the answer of a short read of what is in memory is there at once, without a promise;
   * so is what it throws.
   */
  answer(query: string, params: ReadonlyMap<string, Value>, options?: StatementOptions): StatementResult | Promise<StatementResult>;
  /** Runs one statement in a transaction of its own; a write is durable when this answers. */
  execute(query: string, params: ReadonlyMap<string, Value>, options?: StatementOptions): Promise<StatementResult>;
  stream(query: string, params: ReadonlyMap<string, Value>, options?: StatementOptions): Promise<StatementStream>;
  begin(options: BeginOptions): Promise<EngineTransaction>;
  /**
   * Resolves when reads see this commit (`EngineStatus.sequence`), which another process may have made: a reader asks the store for news.
   * BOOKMARK_TIMEOUT when they do not within the time.
   */
  reach(sequence: number, options: { timeoutMs: number; signal?: AbortSignal }): Promise<void>;
  /** The plan as text, without running anything. */
  explain(query: string, options?: { verbose?: boolean }): Promise<string>;
  /** Writes the memtable to SSTs now. */
  flush(): Promise<FlushOutcome>;
  /** Flushes, merges the SSTs of every table into one run, and removes objects that nobody needs any more. */
  compact(): Promise<CompactOutcome>;
  status(): EngineStatus;
  /**
   * The status as a read would find it: after a look at the bucket, where the last one is older than three seconds, so
   * that a writer that was taken over while idle says so. Never rejects; waits a second at most for a store that does
   * not answer.
   */
  freshStatus(): Promise<EngineStatus>;
  statistics(): EngineStatistics;
  /** Takes back write transactions that have not ended, ends background work and leaves the store clean; a second call does nothing. */
  close(): Promise<void>;
}
