/**
 * Sends the rows of a statement as they are asked for. Nothing is fetched that nobody waits for, except for the batch
 * that tells whether there is more.
 */
import type { StatementStream } from '../engine/index.ts';
import { isLargeRow, type ResultValue } from '../value/index.ts';
import type { Output } from './wire/output.ts';

/** The open result of a statement. */
export class OpenResult {
  readonly columns: readonly string[];
  readonly #stream: StatementStream;
  readonly #rows: AsyncIterator<ResultValue[][]>;
  #batch: ResultValue[][] = [];
  #at = 0;

  constructor(stream: StatementStream) {
    this.columns = stream.columns;
    this.#stream = stream;
    this.#rows = stream.batches[Symbol.asyncIterator]();
  }

  /** Sends up to `count` rows. Returns whether there are more. */
  async send(count: number, output: Output, signal: AbortSignal): Promise<boolean> {
    for (let left = count; ; ) {
      while (this.#at === this.#batch.length) {
        const step = await this.#rows.next();
        if (step.done === true) return false;
        this.#batch = step.value;
        this.#at = 0;
      }
      if (left === 0) return true;
      const row = this.#batch[this.#at++]!;
      if (isLargeRow(row)) await output.longRecord(row);
      else output.record(row);
      left--;
      if (output.isFull) {
        await output.flush();
        signal.throwIfAborted();
      }
    }
  }

  /** Passes over up to `count` rows. Returns whether there are more. */
  async skip(count: number): Promise<boolean> {
    if (count === Number.POSITIVE_INFINITY) {
      await this.close();
      return false;
    }
    for (let left = count; ; ) {
      const taken = Math.min(left, this.#batch.length - this.#at);
      this.#at += taken;
      left -= taken;
      if (this.#at < this.#batch.length) return true;
      const step = await this.#rows.next();
      if (step.done === true) return false;
      this.#batch = step.value;
      this.#at = 0;
    }
  }

  summary(): ReturnType<StatementStream['summary']> {
    return this.#stream.summary();
  }

  async close(): Promise<void> {
    this.#batch = [];
    this.#at = 0;
    await this.#rows.return?.();
  }
}
