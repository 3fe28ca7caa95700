/**
 * Runs the code of a statement. A statement that reaches its memory limit is run again from its beginning, with
 * operators that spill to files, if nobody can notice: it has changed nothing, and it has either returned no rows yet
 * or returns the same ones again, which are skipped. The code for statements that stay within their memory does not
 * deal with files.
 */
import { collectGarbage, fromForeignError } from '../../base/index.ts';
import { type CompiledPlan, type CompiledStatement, type Runtime, WAIT } from '../../exec/index.ts';
import type { GraphView } from '../../graph/index.ts';
import type { Value } from '../../value/index.ts';

/** A step of a statement: a batch of rows, null for a turn of others, or a symbol for the end of a batch of work or a wait for pages. */
export type Step = Value[][] | null | symbol;

/**
 * The generator of a running statement: yields batches of rows, null where it may be interrupted, and a symbol after a
 * batch of its work.
 */
export interface StatementGenerator {
  next(): IteratorResult<Step, void>;
  throw(error: unknown): IteratorResult<Step, void>;
  /** Ends the statement; may be called any number of times. */
  return(): void;
}

/** The execution of a statement. */
export interface Execution {
  readonly plan: CompiledPlan;
  readonly view: GraphView;
  readonly parameters: ReadonlyMap<string, Value>;
  /** The end of the statement's time in milliseconds of `monotonicMs()`; Infinity: no limit. */
  readonly deadline: number;
  readonly runtime: Runtime;
  /** True if the statement reads pages and yields `WAIT` when some are missing. */
  readonly byPage?: boolean;
  /** The statement as the guard of the main thread's heap knows it; absent in other threads. */
  readonly heap?: { mustEnd: boolean };
}

/** Runs the code of a statement, and again with spilling if its memory does not suffice. */
export class RunningCode implements StatementGenerator {
  private readonly execution: Execution;
  private spills: boolean;
  private code: Generator<Step, void, void>;
  /** True if a batch of work has ended, which must not be done again. */
  private hasEndedBatch = false;
  /** The number of rows returned so far; rows that a repeated run skips are not counted again. */
  private given = 0;
  /** The number of rows, returned before the restart, that the repeated run still has to skip. */
  private passedOver = 0;
  /**
   * True if garbage of the first run must be collected: V8 would keep it beside the memory of the second run, and it
   * cannot be collected in the call in which the first run failed.
   */
  private leftGarbage = false;

  constructor(execution: Execution) {
    const { plan, runtime } = execution;
    this.execution = execution;
    this.spills = plan.canSpill && (plan.hasSpilled ? runtime.maySpill !== 'no' : runtime.maySpill === 'always');
    this.code = this.begin();
  }

  next(): IteratorResult<Step, void> {
    if (this.leftGarbage) this.collect();
    try {
      return this.took(this.code.next());
    } catch (error) {
      return this.failed(error);
    }
  }

  throw(error: unknown): IteratorResult<Step, void> {
    try {
      return this.took(this.code.throw(error));
    } catch (failure) {
      return this.failed(failure);
    }
  }

  return(): void {
    this.code.return();
    this.execution.runtime.end();
  }

  private begin(): Generator<Step, void, void> {
    const { plan, view, parameters, deadline, runtime, byPage = false } = this.execution;
    const { run, constants }: CompiledStatement = byPage
      ? plan.byPage(view, parameters, deadline, this.spills)
      : plan.for(view, parameters, deadline, this.spills);
    return run(runtime, constants);
  }

  private took(first: IteratorResult<Step, void>): IteratorResult<Step, void> {
    let step = first;
    while (step.done !== true) {
      if (Array.isArray(step.value)) {
        if (this.isNew(step.value)) return step;
        step = this.code.next();
      } else {
        if (step.value !== null && step.value !== WAIT) this.hasEndedBatch = true;
        return step;
      }
    }
    this.end();
    return step;
  }

  private failed(error: unknown): IteratorResult<Step, void> {
    if (this.mayBeginAgain(error)) {
      this.beginAgain();
      return { done: false, value: null };
    }
    this.execution.runtime.end();
    throw error;
  }

  /** Removes rows that were returned before the restart. Returns whether any are left. */
  private isNew(rows: Value[][]): boolean {
    if (this.passedOver > 0) {
      const again = Math.min(this.passedOver, rows.length);
      this.passedOver -= again;
      rows.splice(0, again);
    }
    this.given += rows.length;
    return rows.length > 0;
  }

  private mayBeginAgain(error: unknown): boolean {
    const { plan, runtime } = this.execution;
    if (this.spills || runtime.maySpill === 'no' || !plan.canSpill || fromForeignError(error).code !== 'MEMORY_LIMIT') return false;
    return !runtime.hasChanged && !this.hasEndedBatch && (this.given === 0 || plan.repeatsRows);
  }

  private beginAgain(): void {
    const { plan, runtime, heap } = this.execution;
    if (heap !== undefined) heap.mustEnd = false;
    runtime.beginAgain();
    this.passedOver = this.given;
    this.spills = true;
    plan.hasSpilled = true;
    this.code = this.begin();
    this.leftGarbage = true;
  }

  private collect(): void {
    this.leftGarbage = false;
    collectGarbage();
  }

  private end(): void {
    const { plan, runtime } = this.execution;
    if (this.spills) plan.hasSpilled = runtime.hasSpilled;
    runtime.end();
  }
}
