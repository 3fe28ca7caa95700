/**
 * Rows of a transaction that are found as they are read. The end of the transaction ends them, and they tell apart how
 * they ended: all were read; whoever reads them left; or the transaction ended before, when reading on fails, since a
 * result must not look complete that is not.
 */
import { GraphDBError } from '../../base/index.ts';
import { BATCH_ROWS } from '../../exec/index.ts';
import type { ResultValue } from '../../value/index.ts';
import type { RowStream } from '../statements/statement-runner.ts';

type Step = IteratorResult<ResultValue[][], void>;

const DONE: Step = { done: true, value: undefined };

/** The rows of one statement of a transaction. */
export class OpenRows implements AsyncIterableIterator<ResultValue[][], void, void> {
  protected readonly rows: RowStream;
  /** True once all rows were read, or whoever reads them left. */
  protected hasEnded = false;
  private isAbandoned = false;
  /** The number of rows in the last batch; null before the first. */
  private lastRows: number | null = null;

  constructor(rows: RowStream) {
    this.rows = rows;
  }

  /** Returns the next batch. @throws BAD_REQUEST if the transaction has ended before all rows were read. */
  async next(): Promise<Step> {
    if (this.hasEnded) return DONE;
    if (this.isAbandoned) throw transactionEnded();
    // Batches that are asked for before the transaction ends come before their end.
    const step = await this.rows.batches.next();
    if (step.done === true) this.hasEnded = true;
    else this.lastRows = step.value.length;
    return step;
  }

  /** Called by whoever reads the rows, to leave the rest. */
  async return(): Promise<Step> {
    this.hasEnded = true;
    await this.rows.batches.return();
    return DONE;
  }

  /**
   * Ends the rows with their transaction.
   *
   * @param looksForRest whether to look first if any rows are left: whoever has taken the last batch need not have asked
   * for another one. A full batch is never taken for the last one, since looking behind it may take long.
   */
  async abandon({ looksForRest }: { readonly looksForRest: boolean }): Promise<void> {
    if (this.hasEnded) return;
    this.isAbandoned = true;
    const { batches } = this.rows;
    if (looksForRest && this.lastRows !== null && this.lastRows < BATCH_ROWS) {
      const step = await batches.next();
      this.hasEnded = step.done === true;
    }
    await batches.return();
  }

  [Symbol.asyncIterator](): this {
    return this;
  }
}

/** Makes the BAD_REQUEST error of a call on a transaction that has ended. */
export function transactionEnded(): GraphDBError {
  return new GraphDBError('BAD_REQUEST', 'the transaction has ended');
}
