/**
 * Where a statement over pages begins again once what it missed has been read (decision 0035).
 *
 * A pipeline goes from a source of rows to one sink. Its code marks each row of the source (`begin`), and asks before a
 * row enters the sink (`skips`, `takes`). From the first page that is missing on nothing enters the sink: the statement
 * runs ahead over some more rows to note what else is missing, gives `WAIT`, and goes on with the row of the source
 * that missed the first page, passing over what that row has put into the sink.
 */
import { assert, GraphDBError } from '../../../base/index.ts';
import type { PageFaults } from '../../../graph/index.ts';
import type { MemoryAccount } from '../rows/memory-account.ts';

/** The value that a statement yields where it waits for pages. */
export const WAIT: unique symbol = Symbol('wait for pages');

/** How many rows of a source a statement may run ahead of the row that misses a page, at most. */
export const ROWS_AHEAD = 1_024;

/** The state of a source whose loop stands around the loop of another one, to be taken up again when that ends. */
interface Around {
  readonly at: number;
  readonly sunk: number;
  readonly skipped: number;
  readonly used: number;
}

/** Errors that tell of the statement, whatever it runs over. */
const TOLD_ALWAYS: ReadonlySet<string> = new Set(['QUERY_TIMEOUT', 'CANCELLED']);

/** The places where a statement over pages begins again. */
export class Restarts {
  readonly WAIT: typeof WAIT = WAIT;
  /** Grows with each row that enters a sink and each row of a source that is begun for the first time. */
  progress = 0;
  readonly #faults: PageFaults;
  readonly #memory: MemoryAccount;
  /** The row of the source. */
  #at = -1;
  /** How many rows that one has put into the sink. */
  #sunk = 0;
  /** How many of them had entered it before the row began again. */
  #skipped = 0;
  /** The rows that the present row had put into the sink that begins again. */
  #again = 0;
  /** The row that begins again; -1: none does. */
  #restarted = -1;
  /** Bytes charged to the statement before the row began, and by what entered the sink since. */
  #used = 0;

  constructor(faults: PageFaults, memory: MemoryAccount) {
    this.#faults = faults;
    this.#memory = memory;
  }

  /** A page is missing: what is found is for nothing. */
  get missed(): boolean {
    return this.#faults.any;
  }

  /** A source begins, or goes on after it has waited. */
  enter(): Around {
    if (this.#faults.any) throw new GraphDBError('INTERNAL', 'a source of rows within a row that misses pages');
    return { at: this.#at, sunk: this.#sunk, skipped: this.#skipped, used: this.#used };
  }

  /** The source has come to a row. */
  begin(row: number): void {
    if (this.#faults.any) {
      this.#faults.runAhead();
      return;
    }
    if (row !== this.#restarted) this.progress++;
    this.#at = row;
    this.#sunk = 0;
    this.#skipped = this.#again;
    this.#again = 0;
    this.#restarted = -1;
    this.#used = this.#memory.used;
    this.#faults.beginRow();
  }

  /** Whether a row has entered the sink before. */
  skips(): boolean {
    if (this.#faults.any) {
      this.#faults.runAhead();
      return false;
    }
    if (this.#sunk >= this.#skipped) return false;
    this.#sunk++;
    return true;
  }

  /** Whether a row may enter the sink. Everything that was read to make it was in memory. */
  takes(): boolean {
    if (this.#faults.any) return false;
    this.#sunk++;
    this.progress++;
    return true;
  }

  /**
   * The row has entered the sink.
   *
   * @param before bytes that were charged to the statement before the row entered
   */
  took(before: number): void {
    assert(!this.#faults.any, 'nothing is read while a row enters a sink');
    this.#used += this.#memory.used - before;
  }

  /**
   * Drops an error of a row that has read a missing page, since such a page reads as zeros: the row is worked on again.
   * Throws any other error, and those that tell of the statement itself.
   */
  caught(error: unknown): void {
    if (!this.#faults.any || (error instanceof GraphDBError && TOLD_ALWAYS.has(error.code))) throw error;
  }

  /** The source ends, or stops to wait. Returns the row with which it goes on; -1: it has ended. */
  leave(around: Around): number {
    const at = this.#at;
    const { any } = this.#faults;
    if (any) {
      this.#again = this.#sunk;
      this.#restarted = at;
      this.#memory.used = this.#used;
    }
    this.#at = around.at;
    this.#sunk = around.sunk;
    this.#skipped = around.skipped;
    this.#used = around.used;
    return any ? at : -1;
  }
}
