/**
 * The code of a statement as it runs. One that meets its memory limit is run again from its beginning, with operators that write to files what they hold, where nobody can tell: it has changed nothing, and it
 * has given no rows by then, or gives the same ones again, which are passed over. The code that statements within their memory run knows nothing of files.
 */
import { fromForeignError } from '../../base/index.ts';
import type { CompiledPlan, CompiledStatement, Runtime } from '../../exec/index.ts';
import type { GraphView } from '../../graph/index.ts';
import type { Value } from '../../value/index.ts';

export type Step = Value[][] | null | symbol;

/** Batches of rows; null where it offers to be interrupted, a symbol where it has ended a batch of its work. */
export interface StatementGenerator {
  next(): IteratorResult<Step, void>;
  throw(error: unknown): IteratorResult<Step, void>;
  /** It ends here. Any number of times. */
  return(): void;
}

export interface Execution {
  readonly plan: CompiledPlan;
  readonly view: GraphView;
  readonly parameters: ReadonlyMap<string, Value>;
  /** Milliseconds of `monotonicMs()`; Infinity: none. */
  readonly deadline: number;
  readonly runtime: Runtime;
  /** Called before it begins again. */
  readonly onBeginAgain?: () => void;
}

export class RunningCode implements StatementGenerator {
  private readonly execution: Execution;
  private spills: boolean;
  private code: Generator<Step, void, void>;
  /** Rows that it has given. */
  private given = 0;
  /** Of those, the ones that it is to give once more. */
  private passedOver = 0;

  constructor(execution: Execution) {
    const { plan, runtime } = execution;
    this.execution = execution;
    this.spills = runtime.maySpill !== 'no' && plan.canSpill && (plan.hasSpilled || runtime.maySpill === 'always');
    this.code = this.begin();
  }

  next(): IteratorResult<Step, void> {
    return this.advance(() => this.code.next());
  }

  throw(error: unknown): IteratorResult<Step, void> {
    return this.advance(() => this.code.throw(error));
  }

  return(): void {
    this.code.return();
    this.execution.runtime.end();
  }

  private begin(): Generator<Step, void, void> {
    const { plan, view, parameters, deadline, runtime } = this.execution;
    const { run, constants }: CompiledStatement = plan.for(view, parameters, deadline, this.spills);
    return run(runtime, constants);
  }

  private advance(go: () => IteratorResult<Step, void>): IteratorResult<Step, void> {
    try {
      let step = go();
      while (step.done !== true && Array.isArray(step.value) && !this.isNew(step.value)) step = this.code.next();
      if (step.done === true) this.end();
      return step;
    } catch (error) {
      if (!this.mayBeginAgain(error)) {
        this.execution.runtime.end();
        throw error;
      }
    }
    this.beginAgain();
    return this.next();
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
    return !runtime.hasChanged && (this.given === 0 || plan.repeatsRows);
  }

  private beginAgain(): void {
    const { plan, runtime, onBeginAgain } = this.execution;
    onBeginAgain?.();
    runtime.beginAgain();
    this.passedOver = this.given;
    this.spills = true;
    plan.hasSpilled = true;
    this.code = this.begin();
  }

  private end(): void {
    const { plan, runtime } = this.execution;
    if (this.spills) plan.hasSpilled = runtime.hasSpilled;
    runtime.end();
  }
}
