/** Runs the code of a statement over pages: a page that the statement finds missing is noted, and read between two of its steps. */
import { assert, GraphDBError } from '../../base/index.ts';
import { type Runtime, WAIT } from '../../exec/index.ts';
import type { PageFaults } from '../../graph/index.ts';
import type { Execution, StatementGenerator, Step } from './running-code.ts';
import { RunningCode } from './running-code.ts';

/** How often a statement may yield while it runs ahead of missing pages, before it is stopped to have them read. */
const MOST_AHEAD = 2;
/** The most rounds of reading pages for one row of a source; a row that takes more needs more pages at once than there is room for. */
const MOST_ROUNDS = 256;

/** The execution of a statement that reads pages. */
export interface PagedExecution extends Execution {
  readonly faults: PageFaults;
}

/** Runs the code of a statement over pages, and reports which pages are missing. */
export class PagedCode implements StatementGenerator {
  readonly #code: RunningCode;
  readonly #runtime: Runtime;
  readonly #faults: PageFaults;
  #ahead = 0;

  constructor(execution: PagedExecution) {
    this.#faults = execution.faults;
    this.#runtime = execution.runtime;
    this.#code = this.#faults.watch(() => new RunningCode({ ...execution, byPage: true }));
  }

  /** Runs to the next step. After the step `WAIT`, `readMissing` must be called before the next call. */
  next(): IteratorResult<Step, void> {
    return this.#checked(this.#faults.watch(() => this.#code.next()));
  }

  throw(error: unknown): IteratorResult<Step, void> {
    return this.#checked(this.#faults.watch(() => this.#code.throw(error)));
  }

  return(): void {
    this.#code.return();
  }

  #checked(step: IteratorResult<Step, void>): IteratorResult<Step, void> {
    if (!this.#faults.any) return step;
    // A result that was found with pages missing is no answer.
    if (step.done === true) throw new GraphDBError('INTERNAL', 'a statement read a page where it cannot begin again');
    if (step.value === null && ++this.#ahead >= MOST_AHEAD) this.#faults.stop();
    return step;
  }

  /** Reads the missing pages. @throws MEMORY_LIMIT if one row needs more pages than there is room for; the errors of reading. */
  async readMissing(): Promise<void> {
    assert(this.#faults.any, 'a statement waits for something');
    this.#ahead = 0;
    if (this.#runtime.restarts.tries > MOST_ROUNDS) {
      // The error is thrown into the statement, which may begin again with files.
      this.#faults.forget();
      throw new GraphDBError(
        'MEMORY_LIMIT',
        'what one row of the statement leads to does not fit into the memory for pages; give the process more memory',
      );
    }
    await this.#faults.load();
  }
}

/**
 * Returns the marker handler of a paged read, which reads the missing pages; a read statement has no other markers.
 *
 * @param within waits for them within the time of the statement
 */
export function pageHandler(within: (missing: Promise<void>) => Promise<void>, code: PagedCode): (marker: symbol) => Promise<void> {
  return async (marker) => {
    assert(marker === WAIT, 'a statement that reads waits for pages alone');
    await within(code.readMissing());
  };
}
