/** Statements that write, each in a transaction: alone, in batches of its own, or as one of several in an explicit transaction. */
import { abortAfter, GraphDBError, LONGEST_TIMER_MS, monotonicMs } from '../../base/index.ts';
import { COMMIT_BATCH } from '../../exec/index.ts';
import { type GraphTransaction, NoRoomError } from '../../graph/index.ts';
import { fenced, type Namespace } from '../../storage/index.ts';
import type { BeginOptions, StatementResult } from '../api.ts';
import type { MarkerHandler } from '../execution/drive.ts';
import { isCorruption } from '../reading/expired-snapshot.ts';
import { makeRoomBehind, type RoomMaker, withRoom } from '../statements/making-room.ts';
import { explained } from '../statements/outcome.ts';
import { assertMayWrite, type StatementRequest } from '../statements/request.ts';
import type { RunningStatement } from '../statements/running-statement.ts';
import type { RowStream, StatementRunner } from '../statements/statement-runner.ts';
import type { WriterTurn, WriterTurns } from './writer-turn.ts';

/** The options of writes. */
export interface WritesOptions extends RoomMaker {
  readonly runner: StatementRunner;
  readonly turns: WriterTurns;
  readonly namespace: Namespace;
  /** Looks for what another writer has written. */
  readonly catchUp: () => Promise<boolean>;
}

/** The options of waiting for a turn. */
export type WaitOptions = Omit<BeginOptions, 'mode'>;

/** Runs statements that write. */
export class Writes {
  private readonly options: WritesOptions;

  constructor(options: WritesOptions) {
    this.options = options;
  }

  /** Runs a statement in a transaction of its own, or in several of them; its changes are durable when this resolves. */
  async execute(request: StatementRequest): Promise<StatementResult> {
    return withRoom(this.options, request, this.executeOnce);
  }

  private readonly executeOnce = async (request: StatementRequest): Promise<StatementResult> => {
    const { signal } = request.options;
    const turn = this.beginAtOnce(request.options) ?? (await this.takeTurn({ signal, timeoutMs: remainingMs(request) }));
    let result: StatementResult;
    let statement: RunningStatement;
    const batches = { committed: 0 };
    try {
      const prepared = this.prepare(turn, request, true);
      statement = prepared instanceof Promise ? await prepared : prepared;
      const answer = this.run(statement, turn.transaction, endBatchOf(turn, request.options.signal, batches));
      result = answer instanceof Promise ? await answer : answer;
    } catch (error) {
      turn.rollback();
      throw await this.explain(batches.committed > 0 ? onceOnly(error) : error);
    }
    await turn.commit(true, statement);
    statement.stages?.end('commit');
    statement.stages?.write();
    return result;
  };

  /** Runs one statement of an explicit transaction, which may read or write, in the turn of the transaction. */
  async runIn(turn: WriterTurn, request: StatementRequest): Promise<StatementResult> {
    const statement = await this.prepare(turn, request);
    const result = await this.behind(() => this.run(statement, turn.transaction, refuseBatches));
    statement.stages?.write();
    return result;
  }

  /** Streams the rows of one statement of an explicit transaction; null if it cannot be streamed because it writes or shows its plan. */
  async streamIn(turn: WriterTurn, request: StatementRequest): Promise<RowStream | null> {
    const statement = await this.prepare(turn, request);
    const { writes, mode } = statement.prepared;
    return writes || mode !== 'run'
      ? null
      : this.behind(() =>
          this.options.runner.rows(
            statement,
            () => {},
            async (error) => error,
          ),
        );
  }

  /** Runs a statement of an explicit transaction; if there is no room for what it reads, some is made for later transactions. */
  private async behind<T>(run: () => T | Promise<T>): Promise<T> {
    const { graph } = this.options.served();
    try {
      return await run();
    } catch (error) {
      makeRoomBehind(this.options, graph, error);
      throw error;
    }
  }

  private beginAtOnce({ signal }: WaitOptions): WriterTurn | null {
    return signal?.aborted === true ? null : this.options.turns.beginAtOnce();
  }

  /** Waits for a turn, which is part of the statement's time. @throws QUERY_TIMEOUT, CANCELLED, and the errors of `WriterTurns.begin`. */
  takeTurn({ signal, timeoutMs }: WaitOptions): Promise<WriterTurn> {
    return withinTime({ signal, timeoutMs }, (stop) => this.options.turns.begin(stop));
  }

  /**
   * Returns the error to report: WRITER_FENCED for a writer that misses files because it was fenced without noticing,
   * otherwise the given one.
   */
  async explain(error: unknown): Promise<unknown> {
    const { namespace, catchUp } = this.options;
    if (!isCorruption(error)) return error;
    await catchUp().catch(() => false);
    return namespace.role === 'writer' ? error : fenced({ cause: error });
  }

  /** Prepares a statement in a turn. @param ownsTransaction true if the statement may commit in batches */
  private prepare(turn: WriterTurn, request: StatementRequest, ownsTransaction = false): RunningStatement | Promise<RunningStatement> {
    const { runner, served } = this.options;
    const { transaction, transactionTime } = turn;
    turn.author ??= request.options.author ?? null;
    transaction.refresh();
    return runner.prepare(request, { served: served(), view: transaction.view, transaction, transactionTime, ownsTransaction });
  }

  private run(
    statement: RunningStatement,
    transaction: GraphTransaction,
    onMarker: MarkerHandler,
  ): StatementResult | Promise<StatementResult> {
    const { mode, writes } = statement.prepared;
    if (mode === 'explain') return explained(statement);
    if (writes) assertMayWrite(statement.request.options);
    return this.options.runner.runInWrite(statement, transaction, onMarker);
  }
}

/** Returns the milliseconds that are left to the request, at least 1; undefined if its time is not limited. */
function remainingMs({ deadline }: StatementRequest): number | undefined {
  return deadline === Number.POSITIVE_INFINITY ? undefined : Math.max(1, deadline - monotonicMs());
}

/** Returns an error after which the statement is not run again: batches that it has committed would be done twice. */
function onceOnly(error: unknown): unknown {
  return error instanceof NoRoomError ? new GraphDBError('MEMORY_LIMIT', error.message, { cause: error }) : error;
}

/**
 * Returns the marker handler of a statement that works in batches: each is committed or rolled back, and the next one
 * begins in the same turn.
 */
function endBatchOf(turn: WriterTurn, signal: AbortSignal | undefined, batches: { committed: number }): MarkerHandler {
  return async (marker, runtime) => {
    if (marker === COMMIT_BATCH) {
      batches.committed++;
      await turn.commitBatch({ deadline: monotonicMs() + runtime.limits.remainingMs, signal: signal ?? null });
    } else turn.rollbackBatch();
    await withinTime({ signal, timeoutMs: runtime.limits.remainingMs }, (stop) => turn.next(stop));
    runtime.graph.continueWith(turn.transaction);
  };
}

/** Runs a wait within its time. @throws QUERY_TIMEOUT if it lasts longer; CANCELLED by the signal. */
async function withinTime<T>({ signal, timeoutMs }: WaitOptions, wait: (stop: AbortSignal | undefined) => Promise<T>): Promise<T> {
  if (!timeoutMs || timeoutMs > LONGEST_TIMER_MS) return wait(signal);
  const limit = abortAfter(Math.ceil(timeoutMs));
  try {
    return await wait(signal === undefined ? limit : AbortSignal.any([signal, limit]));
  } catch (error) {
    if (!limit.aborted || signal?.aborted === true) throw error;
    throw new GraphDBError('QUERY_TIMEOUT', 'the statement waited longer for its turn to write than its time limit allows', {
      cause: error,
    });
  }
}

async function refuseBatches(): Promise<void> {
  throw new GraphDBError(
    'SEMANTIC_ERROR',
    "A query with 'CALL { ... } IN TRANSACTIONS' can only be executed in an implicit transaction, but tried to execute in an " +
      'explicit transaction.',
    { neo4jCode: 'Neo.DatabaseError.Transaction.TransactionStartFailed' },
  );
}
