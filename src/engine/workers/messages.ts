/** The messages between the main thread and a worker. */
import { type ErrorCode, GraphDBError, type TckClassification } from '../../base/index.ts';
import type { CsvSources, SpillOptions } from '../../exec/index.ts';
import type { SharedGraph } from '../../graph/index.ts';
import type { Instant } from '../../value/index.ts';
import type { PlanInputs } from '../execution/plan-inputs.ts';
import type { PackedParameters, PackedRows } from './packed-rows.ts';
import type { RemoteLookup } from './remote-lookups.ts';

/** The data with which a worker is started. */
export interface ThreadData {
  readonly heapMiB: number;
  /** One shared number, which the worker writes: the read whose code runs, or ran last; 0 if none has run yet. */
  readonly running: Int32Array;
}

/** Asks a worker to run a read statement. */
export interface ReadMessage {
  readonly kind: 'read';
  /** The number by which later messages name this read. */
  readonly read: number;
  /** The number of the graph, among those that the worker follows. */
  readonly graph: number;
  /** Changes of the snapshot that the worker does not have yet; null if it has all of them. */
  readonly shared: SharedGraph | null;
  readonly statement: number;
  /** Null if the worker has the statement already. */
  readonly planInputs: Pick<PlanInputs, 'text' | 'answers' | 'flags' | 'made'> | null;
  readonly parameters: PackedParameters;
  /**
   * The rows of each table that threads have taken so far, shared by those that run this part of the statement (see
   * `splitPlan`); null if the worker runs the whole statement.
   */
  readonly morsels: Int32Array | null;
  /** Milliseconds that are left to the statement; Infinity: no limit. */
  readonly timeoutMs: number;
  readonly memoryBytes: number;
  /** True if all rows are kept until the last one has come, so that they count as the statement's memory. */
  readonly keepsRows: boolean;
  readonly statementTime: Instant;
  readonly transactionTime: Instant;
  readonly databaseRole: 'writer' | 'reader';
  /** The number of the engine whose statement it is. */
  readonly engine: number;
  /** The sources that LOAD CSV may read. */
  readonly csvSources: CsvSources | undefined;
  readonly spill?: SpillOptions | undefined;
  readonly nodeCache?: boolean | undefined;
}

/** A message to a worker. */
export type ToWorker =
  | ReadMessage
  /** Allows the worker to send one more batch. */
  | { readonly kind: 'more'; readonly read: number }
  | { readonly kind: 'stop'; readonly read: number }
  /** The graph is not asked for any more; `bytes` is the size of its shared memory. */
  | { readonly kind: 'forgetGraph'; readonly graph: number; readonly bytes: number }
  | { readonly kind: 'forgetStatement'; readonly statement: number };

/** A message of a worker. */
export type FromWorker =
  /** The worker has started and takes messages. */
  | { readonly kind: 'ready' }
  | ({ readonly kind: 'rows'; readonly read: number } & PackedRows)
  /** The read has ended; `ticks` is its work, see `Limits`. */
  | { readonly kind: 'end'; readonly read: number; readonly ticks: number; readonly lookups: readonly RemoteLookup[] }
  | { readonly kind: 'fault'; readonly read: number; readonly fault: Fault };

/** The most batches that a worker may send ahead of a receiver that takes them slowly. */
export const BATCHES_AHEAD = 4;

/** An error on its way to another thread. */
export interface Fault {
  /** Null for an error that is no `GraphDBError`, that is, a fault of the engine. */
  readonly code: ErrorCode | null;
  readonly message: string;
  readonly line: number | undefined;
  readonly column: number | undefined;
  readonly tck: TckClassification | undefined;
  readonly stack: string | undefined;
}

/** Returns an error in a form that can be sent to another thread. */
export function faultOf(error: unknown): Fault {
  if (error instanceof GraphDBError) {
    const { code, message, line, column, tck, stack } = error;
    return { code, message, line, column, tck, stack };
  }
  const { message, stack } = error instanceof Error ? error : new Error(String(error));
  return { code: null, message, line: undefined, column: undefined, tck: undefined, stack };
}

/** Returns the error that was sent as this fault. */
export function errorOf({ code, message, line, column, tck, stack }: Fault): Error {
  const error = code === null ? new Error(message) : new GraphDBError(code, message, { line, column, tck });
  if (stack !== undefined) error.stack = stack;
  return error;
}
