/** The explicit transactions that may write: begins them, and takes back at the end those that nobody has ended. */
import { GraphDBError } from '../../base/index.ts';
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

  /** Waits for the turn to write. SHUTTING_DOWN when the database is closed meanwhile, and the errors of `Writes.takeTurn`. */
  async begin({ maxHoldMs = 0, ...options }: BeginOptions): Promise<WriteTransaction> {
    const turn = await this.writes.takeTurn(options);
    if (this.isClosed) {
      turn.rollback();
      throw new GraphDBError('SHUTTING_DOWN', 'the database is closing');
    }
    const onEnd = (ended: WriteTransaction): boolean => this.open.delete(ended);
    const transaction = new WriteTransaction(this.writes, { turn, maxHoldMs, onEnd });
    this.open.add(transaction);
    return transaction;
  }

  /**
   * Takes back what is open: nobody can end it any more, and closing needs the turn to write. Who waits for a turn is
   * refused when it comes.
   */
  async close(): Promise<void> {
    this.isClosed = true;
    for (const transaction of this.open) await transaction.rollback();
  }
}
