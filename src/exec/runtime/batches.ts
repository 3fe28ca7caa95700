/** The batches of CALL … IN TRANSACTIONS: each is a transaction of its own, which the engine ends and begins. */
import { type ErrorCode, GraphDBError } from '../../base/index.ts';
import type { Writes } from './writes.ts';

/**
 * A marker that a statement yields to the engine: the engine commits (`COMMIT_BATCH`) or rolls back (`ROLL_BACK_BATCH`)
 * the transaction, begins the next one, and calls `StatementGraph.continueWith`.
 */
export const COMMIT_BATCH = Symbol('commit batch');
const ROLL_BACK_BATCH = Symbol('roll back batch');

/** Errors that no later batch could avoid: ON ERROR CONTINUE and BREAK do not apply to them. */
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

  /** @param ownsTransaction whether the statement may commit; if false, the transaction belongs to the caller */
  constructor(writes: Writes, ownsTransaction: boolean) {
    this.writes = writes;
    this.ownsTransaction = ownsTransaction;
  }

  /**
   * Ends a batch, and returns once its changes are durable.
   *
   * @param joinsTransaction whether the call does nothing if the transaction belongs to the caller
   */
  *commit(joinsTransaction = false): Generator<never, void, void> {
    if (joinsTransaction && !this.ownsTransaction) return;
    yield* this.writes.finish() as Generator<never, void, void>;
    yield COMMIT_BATCH as unknown as never;
    this.writes.noteCommit();
  }

  /**
   * Rolls a batch back for ON ERROR CONTINUE and BREAK, and returns its error, which becomes the status of the batch.
   *
   * @throws `error` itself if `onError` is 'fail', if the error concerns more than this batch, or if the transaction
   * belongs to the caller and `joinsTransaction` is set
   */
  *rollBack(error: unknown, onError: 'fail' | 'continue' | 'break', joinsTransaction: boolean): Generator<never, GraphDBError, void> {
    if (joinsTransaction && !this.ownsTransaction) throw error;
    if (onError === 'fail' || !(error instanceof GraphDBError) || STOPPING.has(error.code)) throw error;
    yield ROLL_BACK_BATCH as unknown as never;
    this.writes.forgetChanges();
    return error;
  }
}
