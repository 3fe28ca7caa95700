/** The batches of CALL … IN TRANSACTIONS: each is a transaction of its own, which the engine ends and begins. */
import { type ErrorCode, GraphDBError } from '../../base/index.ts';
import type { Writes } from './writes.ts';

/**
 * Markers that a statement yields to the engine: commit (or roll back) its transaction, begin the next, and call
 * `StatementGraph.continueWith`.
 */
export const COMMIT_BATCH = Symbol('commit batch');
const ROLL_BACK_BATCH = Symbol('roll back batch');

/** Errors that are not about a batch: the next one would meet them too. */
const STOPPING: ReadonlySet<ErrorCode> = new Set([
  'CANCELLED',
  'QUERY_TIMEOUT',
  'MEMORY_LIMIT',
  'STORE_UNAVAILABLE',
  'WRITER_FENCED',
  'READ_ONLY',
  'OVERLOADED',
  'SHUTTING_DOWN',
  'CORRUPTION',
  'INTERNAL',
]);

/** Commits the batches of CALL … IN TRANSACTIONS. */
export class Batches {
  private readonly writes: Writes;
  private readonly ownsTransaction: boolean;

  /** @param ownsTransaction the statement may commit; otherwise the transaction is that of its caller */
  constructor(writes: Writes, ownsTransaction: boolean) {
    this.writes = writes;
    this.ownsTransaction = ownsTransaction;
  }

  /**
   * Ends a batch, and waits until it is durable.
   *
   * @param joinsTransaction in a transaction of the caller nothing happens
   */
  *commit(joinsTransaction = false): Generator<never, void, void> {
    if (joinsTransaction && !this.ownsTransaction) return;
    yield* this.writes.finish() as Generator<never, void, void>;
    yield COMMIT_BATCH as unknown as never;
    this.writes.noteCommit();
  }

  /**
   * ON ERROR CONTINUE and BREAK: the batch leaves no trace, and its error becomes its status. A statement that is to
   * stop, or cannot be stored, stops.
   */
  *rollBack(error: unknown, onError: 'fail' | 'continue' | 'break', joinsTransaction: boolean): Generator<never, GraphDBError, void> {
    if (joinsTransaction && !this.ownsTransaction) throw error;
    if (onError === 'fail' || !(error instanceof GraphDBError) || STOPPING.has(error.code)) throw error;
    yield ROLL_BACK_BATCH as unknown as never;
    this.writes.forgetChanges();
    return error;
  }
}
