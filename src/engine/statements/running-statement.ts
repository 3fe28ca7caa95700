/** A statement together with all that it needs to run. */
import type { CompiledPlan, Runtime, RuntimeOptions } from '../../exec/index.ts';
import type { Execution } from '../execution/running-code.ts';
import type { GraphVersion } from './graph-version.ts';
import type { HeapHolder } from './main-heap.ts';
import type { PreparedStatement } from './prepared-statement.ts';
import type { StatementRequest } from './request.ts';
import type { StageTimes } from './stage-times.ts';

/**
 * One request, prepared for one version of the graph. `StatementRunner.prepare` makes it; it ends when its rows have
 * been handed out, or with an error. It holds no resources of its own: those belong to the generator of its rows.
 *
 * A `Runtime` is made from it where it begins to run, once its columns are loaded; a statement that begins again, in
 * parts or as a whole, gets another `Runtime`.
 */
export interface RunningStatement extends GraphVersion, Omit<RuntimeOptions, 'databases' | 'transactions' | 'terminations'> {
  /** The databases, transactions and terminations that the statement lists, filled in before it runs if it asks for them. */
  databases: RuntimeOptions['databases'];
  transactions: RuntimeOptions['transactions'];
  terminations: RuntimeOptions['terminations'];
  readonly request: StatementRequest;
  readonly prepared: PreparedStatement;
  /** The statement as the guard of the main thread's heap knows it. */
  readonly heap: HeapHolder;
  /** Null unless the times of stages are reported. */
  readonly stages: StageTimes | null;
}

/** Returns the execution of the statement, or of a part of it, on the main thread. */
export function executionOf({ view, parameters, deadline, heap }: RunningStatement, plan: CompiledPlan, runtime: Runtime): Execution {
  return { plan, view, parameters, deadline, runtime, heap };
}
