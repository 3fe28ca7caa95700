/** The explicit transactions that may write: begins them, and rolls back at the end those that are still open. */
import { closedError, type GraphDBError } from '../../base/index.ts';
import type { BeginOptions } from '../api.ts';
import { WriteTransaction } from './write-transaction.ts';
import type { Writes } from './writes.ts';

/** The explicit transactions that may write. */
export class WriteTransactions {
  private readonly writes: Writes;
  private readonly open = new Set<WriteTransaction>();
  private isClosed = false;

  constructor(writes: Writes) {
    this.writes = writes;
  }

  /**
   * Begins a transaction once it has the writer's turn.
   *
   * @throws SHUTTING_DOWN if the database is closed meanwhile; the errors of `Writes.takeTurn`.
   */
  async begin({ maxHoldMs = 0, ...options }: BeginOptions): Promise<WriteTransaction> {
    const turn = await this.writes.takeTurn(options);
    if (this.isClosed) {
      turn.rollback();
      throw closedError('the database is closing');
    }
    const onEnd = (ended: WriteTransaction): boolean => this.open.delete(ended);
    const transaction = new WriteTransaction(this.writes, { turn, maxHoldMs, onEnd });
    this.open.add(transaction);
    return transaction;
  }

  /** Ends all open transactions with this error: their statements are stopped, and their changes rolled back. */
  end(error: GraphDBError): void {
    for (const transaction of this.open) transaction.expire(error);
  }

  /**
   * Rolls back open transactions: nobody can end them any more, and closing needs the writer's turn. A transaction that
   * still waits for its turn is refused when the turn comes.
   */
  async close(): Promise<void> {
    this.isClosed = true;
    for (const transaction of this.open) await transaction.rollback();
  }
}
