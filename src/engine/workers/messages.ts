/** The messages between the main thread and a worker. */
import { type ErrorCode, GraphDBError, type TckClassification } from '../../base/index.ts';
import type { CsvSources, SpillOptions } from '../../exec/index.ts';
import type { SharedGraph } from '../../graph/index.ts';
import type { Instant } from '../../value/index.ts';
import type { PlanInputs } from '../execution/plan-inputs.ts';
import type { PackedParameters, PackedRows } from './packed-rows.ts';
import type { RemoteLookup } from './remote-lookups.ts';

/** The data that a worker is begun with. */
export interface ThreadData {
  readonly heapMiB: number;
  /** One shared number, which the worker writes: the read whose code runs, or ran last; 0: none has yet. */
  readonly running: Int32Array;
}

/** Runs a statement that reads. */
export interface ReadMessage {
  readonly kind: 'read';
  /** The number by which later messages name this read. */
  readonly read: number;
  /** Which of the graphs that the worker follows. */
  readonly graph: number;
  /** Changes that the worker lacks of the snapshot to be read; null: none. */
  readonly shared: SharedGraph | null;
  readonly statement: number;
  /** null: the worker has it. */
  readonly planInputs: Pick<PlanInputs, 'text' | 'answers' | 'flags' | 'made'> | null;
  readonly parameters: PackedParameters;
  /** Only a part of the statement, over a share of its scan (see `splitPlan`); null: all of it. */
  readonly morsels: Int32Array | null;
  /** Infinity: none. */
  readonly timeoutMs: number;
  readonly memoryBytes: number;
  /** All rows are kept until the last one is there, and count as the statement's memory. */
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
  /** One more batch may be sent. */
  | { readonly kind: 'more'; readonly read: number }
  | { readonly kind: 'stop'; readonly read: number }
  /** Not asked for any more. `bytes`: of its shared memory. */
  | { readonly kind: 'forgetGraph'; readonly graph: number; readonly bytes: number }
  | { readonly kind: 'forgetStatement'; readonly statement: number };

/** A message of a worker. */
export type FromWorker =
  /** It has begun, and takes messages. */
  | { readonly kind: 'ready' }
  | ({ readonly kind: 'rows'; readonly read: number } & PackedRows)
  /** `ticks`: see `Limits`. */
  | { readonly kind: 'end'; readonly read: number; readonly ticks: number; readonly lookups: readonly RemoteLookup[] }
  | { readonly kind: 'fault'; readonly read: number; readonly fault: Fault };

/** Batches that may be under way to a reader that takes them slowly. */
export const BATCHES_AHEAD = 4;

/** An error on its way to another thread. */
export interface Fault {
  /** null: no `GraphDBError`, but a fault of ours. */
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

/** Returns the error that was sent in this form. */
export function errorOf({ code, message, line, column, tck, stack }: Fault): Error {
  const error = code === null ? new Error(message) : new GraphDBError(code, message, { line, column, tck });
  if (stack !== undefined) error.stack = stack;
  return error;
}
