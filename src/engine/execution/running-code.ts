/**
 * The code of a statement as it runs. One that meets its memory limit is run again from its beginning, with operators
 * that write to files what they hold, where nobody can tell: it has changed nothing, and it has given no rows by then,
 * or gives the same ones again, which are passed over. The code that statements within their memory run knows nothing
 * of files.
 */
import { collectGarbage, fromForeignError } from '../../base/index.ts';
import { type CompiledPlan, type CompiledStatement, type Runtime, WAIT } from '../../exec/index.ts';
import type { GraphView } from '../../graph/index.ts';
import type { Value } from '../../value/index.ts';

/** A step of a statement: a batch of rows, a turn for others, or a wait for pages. */
export type Step = Value[][] | null | symbol;

/** Batches of rows; null where it offers to be interrupted, a symbol where it has ended a batch of its work. */
export interface StatementGenerator {
  next(): IteratorResult<Step, void>;
  throw(error: unknown): IteratorResult<Step, void>;
  /** It ends here. Any number of times. */
  return(): void;
}

/** The execution of a statement. */
export interface Execution {
  readonly plan: CompiledPlan;
  readonly view: GraphView;
  readonly parameters: ReadonlyMap<string, Value>;
  /** Milliseconds of `monotonicMs()`; Infinity: none. */
  readonly deadline: number;
  readonly runtime: Runtime;
  /** It reads pages, and gives `WAIT` where it waits for some; absent: it does not. */
  readonly byPage?: boolean;
  /** Its share of the heap of the main thread; absent: it runs elsewhere. */
  readonly heap?: { mustEnd: boolean };
}

/** Runs the code of a statement, again with files where its memory does not suffice. */
export class RunningCode implements StatementGenerator {
  private readonly execution: Execution;
  private spills: boolean;
  private code: Generator<Step, void, void>;
  /** It has ended a batch of its work, which is not to be done again. */
  private hasEndedBatch = false;
  /** Rows that it has given. */
  private given = 0;
  /** The number of those batches that are to be given once more. */
  private passedOver = 0;
  /**
   * The memory of the first attempt is garbage, which V8 would let stand beside that of the second one; it cannot be
   * collected in the call in which the first one failed.
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

  /** Takes out of the rows those that have left before. */
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
