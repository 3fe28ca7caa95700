/**
 * The turns of writers, one at a time. A turn covers one transaction, or several, one after the other. This file alone
 * takes and releases the lock behind the turns.
 *
 * - A `WriterTurn` comes from `WriterTurns`, with a transaction open. It belongs to one statement that writes
 *   (`Writes.execute`) or to one explicit transaction (`WriteTransaction`).
 * - `commit` and `rollback` end it, whether they succeed or not; so does a `next` that fails. Then the next writer
 *   begins. `rollback` of a turn that is over does nothing, so it can be called after any error, however far the turn
 *   has come.
 * - Writers that have to wait for a flush or a merge (write-gate.ts) wait without the lock, which a flush needs.
 * - Background work that looks at what writers change borrows the lock for the length of a function (`during`,
 *   `whileIdle`).
 */
import { assert, GraphDBError, Mutex } from '../../base/index.ts';
import type { GraphStore, GraphTransaction } from '../../graph/index.ts';
import type { StatementAuthor } from '../api.ts';
import { currentInstant } from '../statements/graph-version.ts';
import type { CommitFacts } from './commit-facts.ts';
import type { CheckTime, Committer } from './committer.ts';
import type { WriteGate } from './write-gate.ts';
import { WriterHold } from './writer-hold.ts';

const ANY_TIME: CheckTime = { deadline: Number.POSITIVE_INFINITY, signal: null };

/** The most writers that wait, beyond which a writer fails with OVERLOADED; more would wait longer than clients do. */
const MAX_WAITING_WRITERS = 1_000;

/** The lock of the one writer, and what has to hold before a transaction begins under it. */
class WriterLock {
  readonly committer: Committer;
  readonly mutex = new Mutex('the statement was cancelled while it waited for its turn to write');
  private readonly gate: WriteGate;
  waiting = 0;
  /** The limit on how long the present turn may keep others waiting; null if there is none. */
  private hold: WriterHold | null = null;

  constructor(committer: Committer, gate: WriteGate) {
    this.committer = committer;
    this.gate = gate;
  }

  /** Begins a transaction under the lock if nothing has to be waited for; otherwise returns null and holds nothing. */
  beginAtOnce(): GraphTransaction | null {
    const mustWait = this.committer.mustSettle || this.gate.isClosed;
    return mustWait || !this.mutex.tryAcquire() ? null : this.beginHolding();
  }

  /** Waits for the lock and begins a transaction under it. */
  async begin(signal: AbortSignal | undefined): Promise<GraphTransaction> {
    this.committer.assertWriter();
    if (this.waiting >= MAX_WAITING_WRITERS) {
      throw new GraphDBError('OVERLOADED', `${this.waiting} writers wait for their turn already; try again in a moment`);
    }
    this.waiting++;
    this.hold?.setContended(true);
    try {
      await this.acquire(signal);
    } finally {
      this.waiting--;
      if (this.waiting === 0) this.hold?.setContended(false);
    }
    return this.beginSettled(signal);
  }

  /** Begins another transaction under the lock, which is released meanwhile only if writers must wait. */
  async next(signal: AbortSignal | undefined): Promise<GraphTransaction> {
    if (this.gate.isClosed) {
      this.mutex.release();
      await this.gate.admit(signal);
      await this.acquire(signal);
    }
    return this.beginSettled(signal);
  }

  limitHold(limitMs: number, onExpired: () => void): void {
    this.hold = new WriterHold(limitMs, onExpired);
    this.hold.setContended(this.waiting > 0);
  }

  endHold(): void {
    this.hold?.end();
    this.hold = null;
  }

  private async acquire(signal: AbortSignal | undefined): Promise<void> {
    await this.mutex.acquire(signal);
    while (this.gate.isClosed) {
      this.mutex.release();
      await this.gate.admit(signal);
      await this.mutex.acquire(signal);
    }
  }

  private async beginSettled(signal: AbortSignal | undefined): Promise<GraphTransaction> {
    try {
      await this.committer.settle(signal);
    } catch (error) {
      this.mutex.release();
      throw error;
    }
    return this.beginHolding();
  }

  private beginHolding(): GraphTransaction {
    try {
      return this.committer.begin();
    } catch (error) {
      this.mutex.release();
      throw error;
    }
  }
}

/** The turns of writers. */
export class WriterTurns {
  private readonly lock: WriterLock;

  constructor(committer: Committer, gate: WriteGate) {
    this.lock = new WriterLock(committer, gate);
  }

  /** The number of writers that wait for their turn, without the one that holds it. */
  get waitingWriters(): number {
    return this.lock.waiting;
  }

  /**
   * Returns a turn if nothing has to be waited for, else null. Most writers need not wait, and a promise costs more
   * than what they would wait for.
   *
   * @throws READ_ONLY, WRITER_FENCED.
   */
  beginAtOnce(): WriterTurn | null {
    const transaction = this.lock.beginAtOnce();
    return transaction === null ? null : new WriterTurn(this.lock, transaction);
  }

  /**
   * Waits for a turn.
   *
   * @throws READ_ONLY, WRITER_FENCED; CANCELLED if the signal is aborted first; OVERLOADED if too many writers wait
   * already, or if a flush that they wait for fails.
   */
  async begin(signal: AbortSignal | undefined): Promise<WriterTurn> {
    return new WriterTurn(this.lock, await this.lock.begin(signal));
  }

  /** Runs the work between two turns; resolves or rejects as the work does. Commits may still be on their way to the log. */
  during<T>(work: () => T | Promise<T>): Promise<T> {
    return this.lock.mutex.with(work);
  }

  /** Resolves when the present turn is over and nothing is on its way to the log. */
  drain(): Promise<void> {
    return this.during(() => this.lock.committer.settled());
  }

  /** Runs the work as `during` does, with nothing on its way to the log, and memory in step with what is durable. */
  whileIdle<T>(work: () => Promise<T>): Promise<T> {
    const { committer } = this.lock;
    return this.during(async () => {
      await committer.settled();
      await committer.recover();
      return work();
    });
  }
}

/** The turn of a writer. */
export class WriterTurn {
  /** The start of the turn; statements of all its transactions see this time. */
  readonly transactionTime = currentInstant();
  /** The author of the first statement of the turn; null if unknown. */
  author: StatementAuthor | null = null;
  private readonly lock: WriterLock;
  /** The open transaction; null between two transactions and once the turn is over. */
  private open: GraphTransaction | null;
  private isOver = false;
  /** The graph that keeps home rows for the batches of this turn; null before the first batch has ended. */
  private keeping: GraphStore | null = null;

  constructor(lock: WriterLock, transaction: GraphTransaction) {
    this.lock = lock;
    this.open = transaction;
  }

  /** The transaction that is open. */
  get transaction(): GraphTransaction {
    assert(this.open !== null, 'the turn has no transaction open');
    return this.open;
  }

  /** Limits how long others wait for the turn to end (S5): then `onExpired` is called, once, and must end the turn soon. */
  limitHold(limitMs: number, onExpired: () => void): void {
    this.lock.limitHold(limitMs, onExpired);
  }

  /**
   * Ends the turn as soon as the changes are on their way to the log, and resolves when they are durable. `hasWritten`:
   * one of its statements may have been answered as a write, whether it changed anything or not. A failure rolls back
   * the transaction.
   *
   * @throws CONSTRAINT_VIOLATION, WRITER_FENCED, STORE_UNAVAILABLE; QUERY_TIMEOUT, CANCELLED while its constraints are
   * checked.
   */
  async commit(hasWritten: boolean, time: CheckTime = ANY_TIME): Promise<void> {
    const transaction = this.take();
    this.isOver = true;
    this.lock.endHold();
    let durable: Promise<void>;
    try {
      const checking = this.lock.committer.check(transaction, time);
      if (checking !== null) await checking;
      durable = this.store(transaction, hasWritten);
    } finally {
      this.endBatches();
      this.lock.mutex.release();
    }
    await durable;
  }

  /** Rolls back the open transaction, if there is one, and ends the turn. Does nothing if the turn is over. */
  rollback(): void {
    if (this.isOver) return;
    this.isOver = true;
    this.lock.endHold();
    try {
      this.rollbackOpen();
    } finally {
      this.endBatches();
      this.lock.mutex.release();
    }
  }

  /** Commits as `commit` does, but keeps the turn: `next` begins the next transaction. */
  async commitBatch(time: CheckTime = ANY_TIME): Promise<void> {
    const transaction = this.take();
    this.keepHomeRows();
    await this.lock.committer.check(transaction, time);
    await this.store(transaction, true);
  }

  /**
   * Rolls back the open transaction and keeps the turn. Does nothing if none is open: a batch whose commit failed was
   * rolled back with that.
   */
  rollbackBatch(): void {
    this.keepHomeRows();
    this.rollbackOpen();
  }

  /** Begins the next transaction. The turn is over if this fails. */
  async next(signal: AbortSignal | undefined): Promise<void> {
    assert(this.open === null && !this.isOver, 'a turn has one transaction at a time');
    try {
      this.open = await this.lock.next(signal);
    } catch (error) {
      this.isOver = true;
      this.lock.endHold();
      this.endBatches();
      throw error;
    }
  }

  /** The statement goes on behind the batch with the relationships that it holds by their home rows. */
  private keepHomeRows(): void {
    this.keeping ??= this.lock.committer.keepHomeRows();
  }

  private endBatches(): void {
    this.keeping?.releaseHomeRows();
    this.keeping = null;
  }

  private rollbackOpen(): void {
    const { open } = this;
    this.open = null;
    if (open !== null) this.lock.committer.rollback(open);
  }

  private take(): GraphTransaction {
    const { transaction } = this;
    this.open = null;
    return transaction;
  }

  private store(transaction: GraphTransaction, hasWritten: boolean): Promise<void> {
    const facts = (): CommitFacts => ({ startedAt: this.transactionTime, author: this.author });
    return this.lock.committer.store(transaction, { hasWritten, isFollowed: this.lock.waiting > 0, facts });
  }
}
