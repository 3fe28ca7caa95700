/** Statements that write, each in a transaction: alone, in batches of its own, or as one of several in a transaction that somebody began. */
import { abortAfter, GraphDBError } from '../../base/index.ts';
import { COMMIT_BATCH, type Runtime } from '../../exec/index.ts';
import type { GraphTransaction } from '../../graph/index.ts';
import { fenced, type Namespace } from '../../storage/index.ts';
import type { Instant } from '../../value/index.ts';
import type { BeginOptions, StatementOptions, StatementResult } from '../api.ts';
import type { Live } from '../live-graph.ts';
import { isCorruption } from '../outlived.ts';
import { explained } from '../statements/outcome.ts';
import {
  type MarkerHandler,
  now,
  type PreparedRun,
  type RowStream,
  type Sent,
  type StatementRunner,
} from '../statements/statement-runner.ts';
import type { Committer } from './committer.ts';

export interface WritesOptions {
  readonly runner: StatementRunner;
  readonly committer: Committer;
  readonly namespace: Namespace;
  readonly live: () => Live;
  /** Looks for what another writer has written. */
  readonly catchUp: () => Promise<boolean>;
}

type WaitOptions = Omit<BeginOptions, 'mode'>;

/** What a timer can be set to. */
const LONGEST_TIMER_MS = 2 ** 31 - 1;

export class Writes {
  readonly committer: Committer;
  private readonly options: WritesOptions;

  constructor(options: WritesOptions) {
    this.options = options;
    this.committer = options.committer;
  }

  /** A statement in a transaction of its own, or in several of them. */
  async execute(sent: Sent): Promise<StatementResult> {
    const { committer } = this;
    let transaction: GraphTransaction | null = this.beginAtOnce(sent.options) ?? (await this.begin(sent.options));
    let holdsLock = true;
    const commitBatch = async (marker: symbol, runtime: Runtime): Promise<void> => {
      const ended = transaction;
      transaction = null;
      if (marker === COMMIT_BATCH) await committer.commitBatch(ended!);
      // Null: the batch could not be committed, and was taken back with that.
      else ended?.rollback();
      holdsLock = false;
      transaction = await this.nextBatch(sent.options.signal, runtime);
      holdsLock = true;
      runtime.graph.continueWith(transaction);
    };
    let result: StatementResult;
    let run: PreparedRun;
    try {
      run = this.prepare(sent, transaction, now());
      const outcome = this.run(run, transaction, commitBatch);
      result = outcome instanceof Promise ? await outcome : outcome;
    } catch (error) {
      if (transaction !== null) committer.rollback(transaction);
      else if (holdsLock) committer.lock.release();
      throw await this.explain(error);
    }
    await committer.commit(transaction);
    run.stages?.end('commit');
    run.stages?.write();
    return result;
  }

  /** One of the statements of a transaction, which may read or write. */
  async runIn(sent: Sent, transaction: GraphTransaction, since: Instant): Promise<StatementResult> {
    const run = this.prepare(sent, transaction, since);
    const result = await this.run(run, transaction, refuseBatches);
    run.stages?.write();
    return result;
  }

  /** The rows of one of the statements of a transaction; null when it cannot be streamed, because it writes itself or shows its plan. */
  async streamIn(sent: Sent, transaction: GraphTransaction, since: Instant): Promise<RowStream | null> {
    const run = this.prepare(sent, transaction, since);
    const { writes, mode } = run.prepared.plan.plan;
    return writes || mode !== 'run' ? null : this.options.runner.rows(run, () => {});
  }

  /** Waiting for the turn to write is part of the statement's time. */
  begin({ signal, timeoutMs }: WaitOptions): Promise<GraphTransaction> {
    return withinTime({ signal, timeoutMs }, (stop) => this.committer.begin(stop));
  }

  private beginAtOnce({ signal }: WaitOptions): GraphTransaction | null {
    return signal?.aborted === true ? null : this.committer.beginAtOnce();
  }

  /** Who misses files may have been fenced without noticing. */
  async explain(error: unknown): Promise<unknown> {
    const { namespace, catchUp } = this.options;
    if (!isCorruption(error)) return error;
    await catchUp().catch(() => false);
    return namespace.role === 'writer' ? error : fenced({ cause: error });
  }

  private prepare(sent: Sent, transaction: GraphTransaction, since: Instant): PreparedRun {
    const { runner, live } = this.options;
    transaction.refresh();
    return runner.prepare(sent, { live: live(), view: transaction.view, transaction, since });
  }

  private run(run: PreparedRun, transaction: GraphTransaction, onMarker: MarkerHandler): StatementResult | Promise<StatementResult> {
    const { mode, writes } = run.prepared.plan.plan;
    if (mode === 'explain') return explained(run.prepared, run.view);
    if (writes) mayWrite(run.options);
    return this.options.runner.runInWrite(run, transaction, onMarker);
  }

  private nextBatch(signal: AbortSignal | undefined, runtime: Runtime): Promise<GraphTransaction> {
    return withinTime({ signal, timeoutMs: runtime.limits.remainingMs }, (stop) => this.committer.next(stop));
  }
}

async function withinTime(
  { signal, timeoutMs }: WaitOptions,
  begin: (stop: AbortSignal | undefined) => Promise<GraphTransaction>,
): Promise<GraphTransaction> {
  if (!timeoutMs || timeoutMs > LONGEST_TIMER_MS) return begin(signal);
  const limit = abortAfter(Math.ceil(timeoutMs));
  try {
    return await begin(signal === undefined ? limit : AbortSignal.any([signal, limit]));
  } catch (error) {
    if (!limit.aborted || signal?.aborted === true) throw error;
    throw new GraphDBError('QUERY_TIMEOUT', 'the statement waited longer for its turn to write than its time limit allows', {
      cause: error,
    });
  }
}

async function refuseBatches(): Promise<void> {
  throw new GraphDBError('SEMANTIC_ERROR', 'CALL … IN TRANSACTIONS needs a statement of its own, outside a transaction');
}

/** @returns null: it may */
export function mayWrite({ access }: StatementOptions): null {
  if (access !== 'read') return null;
  throw new GraphDBError('READ_ONLY', 'the statement writes, but was sent for reading only');
}
