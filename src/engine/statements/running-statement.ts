/** A statement with all that it runs with. */
import type { CompiledPlan, Runtime, RuntimeOptions } from '../../exec/index.ts';
import type { Execution } from '../execution/running-code.ts';
import type { GraphVersion } from './graph-version.ts';
import type { HeapHolder } from './main-heap.ts';
import type { PreparedStatement } from './prepared-statement.ts';
import type { StatementRequest } from './request.ts';
import type { StageTimes } from './stage-times.ts';

/**
 * One request, prepared for one version of the graph. Made by `StatementRunner.prepare`; it ends when its rows have
 * been handed out, or with the error of whoever runs it. It holds no resource of its own: what must be let go belongs
 * to the generator of its rows.
 *
 * The executor makes a `Runtime` of it where it begins to run, once its columns are loaded; one that begins again, in
 * parts or as a whole, gets another.
 */
export interface RunningStatement extends GraphVersion, Omit<RuntimeOptions, 'databases' | 'transactions' | 'terminations'> {
  /** Filled in before it runs, where it asks for them. */
  databases: RuntimeOptions['databases'];
  transactions: RuntimeOptions['transactions'];
  terminations: RuntimeOptions['terminations'];
  readonly request: StatementRequest;
  readonly prepared: PreparedStatement;
  /** Its share of the heap of the main thread. */
  readonly heap: HeapHolder;
  /** null: nobody wants to know them. */
  readonly stages: StageTimes | null;
}

/** The statement, or a part of it, as it is run on the main thread. */
export function executionOf({ view, parameters, deadline, heap }: RunningStatement, plan: CompiledPlan, runtime: Runtime): Execution {
  return { plan, view, parameters, deadline, runtime, heap };
}
