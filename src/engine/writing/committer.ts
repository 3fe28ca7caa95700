/**
 * Ends transactions: checks their constraints, hands their changes to the log, and keeps memory in step with what is
 * durable. Everything here is called under the lock of the one writer (writer-turn.ts), except what only looks or
 * waits.
 *
 * A transaction ends in memory before it is durable, so that the next one can run while the log is written (group
 * commit). Readers see it only when it is durable (M2), and a statement is answered only then (B4). If the log refuses
 * a commit, that commit and all that build on it are rolled back in memory before anyone writes again.
 */
import { GraphDBError, inSlices, type Logger, monotonicMs, nextTurn, traced } from '../../base/index.ts';
import { type LimitOptions, Limits } from '../../exec/index.ts';
import type { GraphStore, GraphTransaction } from '../../graph/index.ts';
import { fenced, isFenced, type Namespace } from '../../storage/index.ts';
import { type CommitFacts, commitFacts } from './commit-facts.ts';

/** The most steps of constraint checks between two turns of the event loop: some two milliseconds. */
const CHECKED_TOGETHER = 8192;

/** The options of the committer. */
export interface CommitterOptions {
  /** The served graph, which is replaced only while nothing is on its way to the log. */
  readonly graph: () => GraphStore;
  readonly namespace: Namespace;
  readonly readOnly: boolean;
  readonly logger: Logger | undefined;
  /** Returns the time of the wall clock in milliseconds. */
  readonly now: () => number;
  /** Called when a commit of so many bytes is durable. */
  readonly onDurable: (bytes: number) => void;
  readonly onFenced: () => void;
  /** Called when all changes after this commit, durable or not, are taken back, before anyone else writes. */
  readonly onTakenBack: (sequence: number) => void;
}

/** The time limit and the signal of a check of many changes. */
export type CheckTime = Pick<LimitOptions, 'deadline' | 'signal'>;

/** The options of storing a commit. */
export interface StoreOptions {
  /** True if one of the statements may have been answered as a write, whether it changed anything or not. */
  readonly hasWritten: boolean;
  /** True if others wait to write, whose commits may share an object of the log with this one. */
  readonly isFollowed: boolean;
  /** Returns the author and the start of the transaction, for change capture. */
  readonly facts: () => CommitFacts;
}

/** Commits transactions. */
export class Committer {
  private readonly namespace: Namespace;
  private readonly options: CommitterOptions;
  private readonly pending = new Set<Promise<void>>();
  private bytesUnderWay = 0;
  private failed = false;
  private isDropping = false;

  constructor(options: CommitterOptions) {
    this.options = options;
    this.namespace = options.namespace;
  }

  private get graph(): GraphStore {
    return this.options.graph();
  }

  /** The bytes of commits that are not durable yet. */
  get pendingBytes(): number {
    return this.bytesUnderWay;
  }

  /** True if `settle` has something to do before a transaction can begin. */
  get mustSettle(): boolean {
    return this.failed || this.graph.isOverdue || this.graph.canDropDeadRows;
  }

  /**
   * Brings memory into a state in which a transaction can begin; large tables may have to be written anew first.
   *
   * @throws the reason of the signal if it is aborted meanwhile.
   */
  async settle(signal?: AbortSignal): Promise<void> {
    await this.recover();
    if (this.graph.isOverdue) await this.settled();
    if (this.graph.canDropDeadRows) await this.dropDeadRows(signal ?? null);
  }

  private dropDeadRows(signal: AbortSignal | null): Promise<void> {
    return inSlices(() => !this.graph.canDropDeadRows || this.graph.dropSomeDeadRows(), { deadline: Number.POSITIVE_INFINITY, signal });
  }

  /** Writes large tables anew, which a commit has left mostly dead, while nobody writes; a writer that comes meanwhile continues it. */
  private async dropWhileIdle(): Promise<void> {
    if (this.isDropping || !this.graph.canDropDeadRows) return;
    this.isDropping = true;
    try {
      await this.dropDeadRows(null);
    } catch (error) {
      this.options.logger?.error({ error }, 'tables could not be written anew');
    } finally {
      this.isDropping = false;
    }
  }

  /** Makes the graph keep the home rows of relationships until its `releaseHomeRows`. @returns the graph */
  keepHomeRows(): GraphStore {
    const { graph } = this;
    graph.keepHomeRows();
    return graph;
  }

  /** Begins a transaction, which ends with `check` and `store` or is rolled back. @throws READ_ONLY, WRITER_FENCED. */
  begin(): GraphTransaction {
    this.assertWriter();
    return this.graph.begin();
  }

  /**
   * Checks the constraints of a transaction. Returns null if few changes were checked at once; otherwise a promise of
   * the check, which gives the event loop turns. The transaction is rolled back if the check fails.
   *
   * @throws CONSTRAINT_VIOLATION; QUERY_TIMEOUT, CANCELLED if its time is over.
   */
  check(transaction: GraphTransaction, time: CheckTime): Promise<void> | null {
    let limits: Limits | null = null;
    const pieces = transaction.checkConstraints();
    const checkSome = (): boolean => {
      for (let steps = 0; steps < CHECKED_TOGETHER; ) {
        const piece = pieces.next();
        if (piece.done === true) return true;
        steps += piece.value;
        if (limits?.worked(piece.value) === true) break;
      }
      return false;
    };
    const guarded = (step: () => boolean): boolean => {
      try {
        return step();
      } catch (error) {
        this.rollback(transaction);
        throw error;
      }
    };
    const goOn = (): boolean => {
      if (limits === null) limits = new Limits(time, monotonicMs());
      else limits.resume();
      return checkSome();
    };
    return guarded(checkSome) ? null : remaining(() => guarded(goOn));
  }

  /**
   * Ends a transaction that was checked. It is over in memory when this returns; the promise resolves when its changes
   * are durable. If storing fails the transaction is rolled back.
   */
  store(transaction: GraphTransaction, { hasWritten, isFollowed, facts }: StoreOptions): Promise<void> {
    try {
      if (this.failed) {
        this.assertWriter();
        throw new GraphDBError('STORE_UNAVAILABLE', 'an earlier write could not be stored; this one was taken back with it');
      }
    } catch (error) {
      this.rollback(transaction);
      throw error;
    }
    if (!transaction.hasChanges) {
      this.rollback(transaction);
      return hasWritten ? this.confirmed() : this.durableSoFar();
    }
    const changes = this.changesOf(transaction, facts);
    const sequence = transaction.commit();
    const stored = traced(
      () => ({ name: 'commit', kind: 'internal', attributes: { 'graphdb.sequence': sequence, 'graphdb.bytes': changes.length } }),
      () => this.namespace.append({ sequence, changes }, { followed: isFollowed }),
    );
    const durable = stored.then(
      () => {
        this.graph.publish(sequence);
        this.options.onDurable(changes.length);
        void this.dropWhileIdle();
      },
      (error: unknown) => {
        this.failed = true;
        this.options.onTakenBack(sequence - 1);
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

  /** Returns the changes of a transaction for the log; it is rolled back if that fails, as when there is no memory for them. */
  private changesOf(transaction: GraphTransaction, facts: StoreOptions['facts']): Uint8Array {
    try {
      return transaction.changes(() => commitFacts(facts(), this.options.now()));
    } catch (error) {
      this.rollback(transaction);
      throw error;
    }
  }

  /** Rolls back an open transaction. If an earlier commit was refused, nothing after the published ones stays either. */
  rollback(transaction: GraphTransaction): void {
    transaction.rollback();
    this.options.onTakenBack(this.failed ? this.graph.publishedSequence : transaction.sequence - 1);
  }

  /** Resolves when all commits on their way to the log have become durable or have failed. */
  async settled(): Promise<void> {
    await Promise.allSettled([...this.pending]);
  }

  /**
   * Confirms that this process is still the writer. The answer to a write that changed nothing must be true of the
   * namespace, not of a memory that another writer has left behind; and the earlier commits that it saw must be
   * durable.
   */
  private async confirmed(): Promise<void> {
    try {
      await this.namespace.confirmWriter();
    } catch (error) {
      if (isFenced(error)) this.options.onFenced();
      throw error;
    }
  }

  /**
   * Resolves when earlier commits are durable: a statement that changed nothing may have answered from what one of them
   * wrote, as a MERGE that found its node (B4).
   */
  private async durableSoFar(): Promise<void> {
    await Promise.all(this.pending);
  }

  /** Rolls back in memory the commits that could not be stored. No transaction may be open. */
  async recover(): Promise<void> {
    if (!this.failed) return;
    await this.settled();
    this.graph.rollbackTo(this.namespace.durableSequence);
    this.failed = false;
    this.options.logger?.warn({ sequence: this.namespace.durableSequence }, 'writes that could not be stored were taken back');
  }

  /** Checks that this engine can write. @throws READ_ONLY, WRITER_FENCED. */
  assertWriter(): void {
    if (this.options.readOnly) throw new GraphDBError('READ_ONLY', 'this database was opened read-only');
    if (this.namespace.role !== 'writer') throw fenced();
  }
}

async function remaining(step: () => boolean): Promise<void> {
  do await nextTurn();
  while (!step());
}
