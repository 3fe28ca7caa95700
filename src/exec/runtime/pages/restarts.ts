/**
 * Restarts a statement that reads by page at the row that missed a page, once the page has been read (decision 0035).
 *
 * A pipeline leads from a source of rows to one sink. Its code marks each row of the source (`begin`), and asks before
 * a row enters the sink (`skips`, `takes`). From the first missing page on, no row enters the sink: the statement runs
 * ahead over further rows to note which other pages are missing, and yields `WAIT`. It then resumes at the source row
 * that missed the first page, and skips the rows that this source row has already put into the sink.
 */
import { assert, GraphDBError } from '../../../base/index.ts';
import type { PageFaults } from '../../../graph/index.ts';
import type { MemoryAccount } from '../rows/memory-account.ts';

/** The value that a statement yields while it waits for pages. */
export const WAIT: unique symbol = Symbol('wait for pages');

/** The most rows of a source that a statement runs ahead of the row that missed a page. */
export const ROWS_AHEAD = 1_024;

/** The saved state of an outer source while the loop of an inner source runs. */
interface Around {
  readonly at: number;
  readonly sunk: number;
  readonly skipped: number;
  readonly used: number;
  readonly tries: number;
}

/** Errors that end the statement even if a page is missing. */
const TOLD_ALWAYS: ReadonlySet<string> = new Set(['QUERY_TIMEOUT', 'CANCELLED']);

/** Tracks where a statement that reads by page resumes. */
export class Restarts {
  readonly WAIT: typeof WAIT = WAIT;
  /**
   * How often in succession the source row that will be restarted has missed a page without a new row for the sink. Rows
   * of sources inside it do not count: they are all begun anew when it is restarted.
   */
  tries = 0;
  readonly #faults: PageFaults;
  readonly #memory: MemoryAccount;
  /** The current row of the source. */
  #at = -1;
  /** How many rows the current source row has put into the sink. */
  #sunk = 0;
  /** How many rows the current source row had put into the sink before it was restarted. */
  #skipped = 0;
  /** How many rows the source row that will be restarted has put into the sink. */
  #again = 0;
  /** The source row that will be restarted; -1 for none. */
  #restarted = -1;
  /** `tries` of the current source row when it began. */
  #tries = 0;
  /** Bytes charged to the statement before the current source row began, and by the rows that have entered the sink since. */
  #used = 0;

  constructor(faults: PageFaults, memory: MemoryAccount) {
    this.#faults = faults;
    this.#memory = memory;
  }

  /** Whether a page is missing; results found from then on are discarded. */
  get missed(): boolean {
    return this.#faults.any;
  }

  /** Enters the loop of a source, at its beginning or after a wait. Returns the state of the outer source, for `leave`. */
  enter(): Around {
    if (this.#faults.any) throw new GraphDBError('INTERNAL', 'a source of rows within a row that misses pages');
    return { at: this.#at, sunk: this.#sunk, skipped: this.#skipped, used: this.#used, tries: this.#tries };
  }

  /** Begins a row of the source. */
  begin(row: number): void {
    if (this.#faults.any) {
      this.#faults.runAhead();
      return;
    }
    this.#tries = row === this.#restarted ? this.tries : 0;
    this.#at = row;
    this.#sunk = 0;
    this.#skipped = this.#again;
    this.#again = 0;
    this.#restarted = -1;
    this.#used = this.#memory.used;
    this.#faults.beginRow();
  }

  /** Tells whether the next row for the sink has entered it already, before the source row was restarted. */
  skips(): boolean {
    if (this.#faults.any) {
      this.#faults.runAhead();
      return false;
    }
    if (this.#sunk >= this.#skipped) return false;
    this.#sunk++;
    return true;
  }

  /** Tells whether the next row may enter the sink, that is, whether no page that it was made from is missing. */
  takes(): boolean {
    if (this.#faults.any) return false;
    this.#sunk++;
    return true;
  }

  /**
   * Records that a row has entered the sink.
   *
   * @param before bytes that were charged to the statement before the row entered
   */
  took(before: number): void {
    assert(!this.#faults.any, 'nothing is read while a row enters a sink');
    this.#used += this.#memory.used - before;
  }

  /**
   * Drops an error that occurred while a page was missing: such a page reads as zeros, and the row is processed again.
   *
   * @throws `error` itself when no page is missing, or when it is QUERY_TIMEOUT or CANCELLED
   */
  caught(error: unknown): void {
    if (!this.#faults.any || (error instanceof GraphDBError && TOLD_ALWAYS.has(error.code))) throw error;
  }

  /** Leaves the loop of a source. Returns the row at which it resumes after the wait; -1 when it has ended. */
  leave(around: Around): number {
    const at = this.#at;
    const { any } = this.#faults;
    if (any) {
      this.tries = this.#sunk > this.#skipped ? 0 : this.#tries + 1;
      // Pages that the row had read may have left memory in the meantime: then it has not come to all the rows that it skips.
      this.#again = Math.max(this.#sunk, this.#skipped);
      this.#restarted = at;
      this.#memory.used = this.#used;
    }
    this.#at = around.at;
    this.#sunk = around.sunk;
    this.#skipped = around.skipped;
    this.#used = around.used;
    this.#tries = around.tries;
    return any ? at : -1;
  }
}
