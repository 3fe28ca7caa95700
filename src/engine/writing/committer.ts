/**
 * The one writer: begins transactions one at a time, hands their changes to the log, and keeps memory in step with what is durable.
 *
 * A transaction ends in memory before it is durable, so that the next one can run while the log is written (group commit). Readers see it only when it is
 * durable (M2), and a statement is answered only then (B4). When the log refuses a commit, that one and all that stand on it are taken back in memory before
 * anyone writes again.
 */
import { GraphDBError, type Logger, Mutex, nextTurn } from '../../base/index.ts';
import type { GraphStore, GraphTransaction } from '../../graph/index.ts';
import { fenced, isFenced, type Namespace } from '../../storage/index.ts';
import type { WriteGate } from './write-gate.ts';

/** More would wait longer than clients do. */
const MAX_WAITING_WRITERS = 1_000;

export interface CommitterOptions {
  readonly graph: GraphStore;
  readonly namespace: Namespace;
  readonly readOnly: boolean;
  readonly logger: Logger | undefined;
  readonly gate: WriteGate;
  /** A commit of so many bytes is durable. */
  readonly onDurable: (bytes: number) => void;
  readonly onFenced: () => void;
}

export class Committer {
  readonly lock = new Mutex('the statement was cancelled while it waited for its turn to write');
  private readonly graph: GraphStore;
  private readonly namespace: Namespace;
  private readonly options: CommitterOptions;
  private readonly pending = new Set<Promise<void>>();
  private bytesUnderWay = 0;
  private failed = false;
  private waiting = 0;

  constructor(options: CommitterOptions) {
    this.options = options;
    this.graph = options.graph;
    this.namespace = options.namespace;
  }

  /** Writers that wait for their turn: the one whose turn it is does not count. */
  get waitingWriters(): number {
    return this.waiting;
  }

  /** `begin` where nobody has to be waited for; null where somebody has. Most writers need not wait, and a promise costs more than what they would wait for. */
  beginAtOnce(): GraphTransaction | null {
    const mustWait = this.failed || this.graph.isOverdue || this.options.gate.isClosed;
    return mustWait || !this.lock.tryAcquire() ? null : this.beginHolding();
  }

  private beginHolding(): GraphTransaction {
    try {
      this.refuse();
      return this.graph.begin();
    } catch (error) {
      this.lock.release();
      throw error;
    }
  }

  /** Of commits that are not durable yet. */
  get pendingBytes(): number {
    return this.bytesUnderWay;
  }

  /** Takes the lock, which is held until `commit` or `rollback`. OVERLOADED when too many wait for it already. */
  async begin(signal?: AbortSignal): Promise<GraphTransaction> {
    this.refuse();
    if (this.waiting >= MAX_WAITING_WRITERS) {
      throw new GraphDBError('OVERLOADED', `${this.waiting} writers wait for their turn already; try again in a moment`);
    }
    this.waiting++;
    try {
      await this.takeTurn(signal);
    } finally {
      this.waiting--;
    }
    return this.beginUnderLock();
  }

  private async takeTurn(signal: AbortSignal | undefined): Promise<void> {
    const { gate } = this.options;
    await this.lock.acquire(signal);
    // Nobody holds the lock while he waits: a flush needs it.
    while (gate.isClosed) {
      this.lock.release();
      await gate.admit(signal);
      await this.lock.acquire(signal);
    }
  }

  /** Another transaction under the same hold of the lock, which is let go only where writers must wait. Nothing is held when it fails. */
  async next(signal?: AbortSignal): Promise<GraphTransaction> {
    const { gate } = this.options;
    if (gate.isClosed) {
      this.lock.release();
      await gate.admit(signal);
      await this.takeTurn(signal);
    }
    return this.beginUnderLock();
  }

  private async beginUnderLock(): Promise<GraphTransaction> {
    try {
      await this.recover();
      if (this.graph.isOverdue) await this.settled();
    } catch (error) {
      this.lock.release();
      throw error;
    }
    return this.beginHolding();
  }

  /** Resolves when the changes are durable; the lock is free before that. `hasWritten`: one of its statements may have answered as a write, whether it changed anything or not. */
  async commit(transaction: GraphTransaction, hasWritten = true): Promise<void> {
    let durable: Promise<void>;
    try {
      const checking = this.check(transaction);
      if (checking !== null) await checking;
      durable = this.store(transaction, hasWritten);
    } finally {
      this.lock.release();
    }
    await durable;
  }

  /** As `commit`, keeping the lock. */
  async commitBatch(transaction: GraphTransaction): Promise<void> {
    await this.check(transaction);
    await this.store(transaction, true);
  }

  rollback(transaction: GraphTransaction): void {
    transaction.rollback();
    this.lock.release();
  }

  /** Are constraints satisfied? At once for few changes; the event loop gets its turns between those of many. The transaction is taken back when they are not. */
  private check(transaction: GraphTransaction): Promise<void> | null {
    const steps = transaction.checkConstraints()[Symbol.iterator]();
    const step = (): boolean => {
      try {
        return steps.next().done === true;
      } catch (error) {
        transaction.rollback();
        throw error;
      }
    };
    return step() ? null : remaining(step);
  }

  private store(transaction: GraphTransaction, hasWritten: boolean): Promise<void> {
    try {
      if (this.failed) {
        this.refuse();
        throw new GraphDBError('STORE_UNAVAILABLE', 'an earlier write could not be stored; this one was taken back with it');
      }
    } catch (error) {
      transaction.rollback();
      throw error;
    }
    if (!transaction.hasChanges) {
      transaction.rollback();
      return hasWritten ? this.confirmed() : this.durableSoFar();
    }
    const changes = transaction.changes();
    const sequence = transaction.commit();
    const durable = this.namespace.append({ sequence, changes }, { followed: this.waiting > 0 }).then(
      () => {
        this.graph.publish(sequence);
        this.options.onDurable(changes.length);
      },
      (error: unknown) => {
        this.failed = true;
        if (isFenced(error)) this.options.onFenced();
        throw error;
      },
    );
    this.pending.add(durable);
    this.bytesUnderWay += changes.length;
    const settled = (): void => {
      this.pending.delete(durable);
      this.bytesUnderWay -= changes.length;
    };
    durable.then(settled, settled);
    return durable;
  }

  /** What is under way has become durable, or has failed. */
  async settled(): Promise<void> {
    await Promise.allSettled([...this.pending]);
  }

  /** An answer to a write that changed nothing must be true of the namespace, not of a memory that another writer has left behind; and what it saw of earlier commits must be durable. */
  private async confirmed(): Promise<void> {
    try {
      await this.namespace.confirmWriter();
    } catch (error) {
      if (isFenced(error)) this.options.onFenced();
      throw error;
    }
  }

  /** A statement that changed nothing may have answered from what an earlier one wrote (a MERGE that found its node): that must be durable too (B4). */
  private async durableSoFar(): Promise<void> {
    await Promise.all(this.pending);
  }

  /** Memory goes back to what is durable. Under the lock, with no transaction open. */
  private async recover(): Promise<void> {
    if (!this.failed) return;
    await this.settled();
    this.graph.rollbackTo(this.namespace.durableSequence);
    this.failed = false;
    this.options.logger?.warn({ sequence: this.namespace.durableSequence }, 'writes that could not be stored were taken back');
  }

  private refuse(): void {
    if (this.options.readOnly) throw new GraphDBError('READ_ONLY', 'this database was opened read-only');
    if (this.namespace.role !== 'writer') throw fenced();
  }

  /** With nothing under way, and memory in step with what is durable. */
  async whileIdle<T>(work: () => Promise<T>): Promise<T> {
    return this.lock.with(async () => {
      await this.settled();
      await this.recover();
      return work();
    });
  }

  async drain(): Promise<void> {
    await this.lock.with(() => this.settled());
  }
}

async function remaining(step: () => boolean): Promise<void> {
  do await nextTurn();
  while (!step());
}
