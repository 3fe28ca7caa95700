/** Transactions of several statements: one that reads sees one snapshot, one that writes holds the writer until it ends. */
import { GraphDBError } from '../../base/index.ts';
import type { GraphTransaction } from '../../graph/index.ts';
import type { Instant, ResultValue } from '../../value/index.ts';
import type { EngineTransaction, StatementOptions, StatementResult, StatementStream } from '../api.ts';
import { streamOf } from '../statements/outcome.ts';
import type { Snapshot, SnapshotReads } from '../statements/snapshot-reads.ts';
import type { Parameters, RowStream, Sent } from '../statements/statement-runner.ts';
import type { Writes } from './writes.ts';

/** Reads on one snapshot. */
export class ReadTransaction implements EngineTransaction {
  private readonly reads: SnapshotReads;
  private snapshot: Snapshot | null;
  private readonly open = new Set<RowStream>();

  constructor(reads: SnapshotReads, snapshot: Snapshot) {
    this.reads = reads;
    this.snapshot = snapshot;
  }

  async execute(query: string, params: Parameters, options: StatementOptions = {}): Promise<StatementResult> {
    if (this.snapshot === null) throw ended();
    return this.reads.execute(this.snapshot, { query, params, options });
  }

  async stream(query: string, params: Parameters, options: StatementOptions = {}): Promise<StatementStream> {
    if (this.snapshot === null) throw ended();
    const onEnd = (): boolean => rows !== null && this.open.delete(rows);
    const rows = await this.reads.stream(this.snapshot, { query, params, options }, onEnd);
    if (rows === null) return streamOf(await this.execute(query, params, options));
    this.open.add(rows);
    return rows;
  }

  async commit(): Promise<void> {
    if (this.snapshot === null) throw ended();
    await this.rollback();
  }

  async rollback(): Promise<void> {
    this.snapshot = null;
    // What was not read of its results ends with it.
    for (const { batches } of this.open) await batches.return();
  }
}

export interface BegunTransaction {
  readonly transaction: GraphTransaction;
  readonly since: Instant;
  /** Called once, when the writer is let go or about to be. */
  readonly onEnd: (transaction: WriteTransaction) => void;
}

/** Holds the writer until it ends. A statement that fails takes the whole transaction back. */
export class WriteTransaction implements EngineTransaction {
  private readonly writes: Writes;
  private readonly since: Instant;
  private transaction: GraphTransaction | null;
  /** Resolves when the statement that runs has ended, well or not. */
  private running: Promise<void> | null = null;
  private readonly open = new Set<HeldRows>();
  private readonly onEnd: (transaction: WriteTransaction) => void;
  private hasWritten = false;

  constructor(writes: Writes, { transaction, since, onEnd }: BegunTransaction) {
    this.writes = writes;
    this.transaction = transaction;
    this.since = since;
    this.onEnd = onEnd;
  }

  async execute(query: string, params: Parameters, options: StatementOptions = {}): Promise<StatementResult> {
    return this.alone(async (transaction) => {
      await this.holdRows();
      return this.runIn({ query, params, options }, transaction);
    });
  }

  async stream(query: string, params: Parameters, options: StatementOptions = {}): Promise<StatementStream> {
    return this.alone(async (transaction) => {
      await this.holdRows();
      const sent = { query, params, options };
      const rows = await this.writes.streamIn(sent, transaction, this.since);
      if (rows === null) return streamOf(await this.runIn(sent, transaction));
      const held = new HeldRows(rows, (step) => this.alone(step));
      this.open.add(held);
      return { columns: rows.columns, batches: held, summary: () => rows.summary() };
    });
  }

  async commit(): Promise<void> {
    if (this.running !== null) throw new GraphDBError('BAD_REQUEST', 'a statement of this transaction is still running');
    const transaction = this.end();
    await this.leaveRows();
    await this.writes.committer.commit(transaction, this.hasWritten);
  }

  private async runIn(sent: Sent, transaction: GraphTransaction): Promise<StatementResult> {
    const result = await this.writes.runIn(sent, transaction, this.since);
    if (result.type !== 'read') this.hasWritten = true;
    return result;
  }

  /** A statement that runs is waited for. */
  async rollback(): Promise<void> {
    while (this.running !== null) await this.running;
    if (this.transaction === null) return;
    const transaction = this.end();
    await this.leaveRows();
    this.writes.committer.rollback(transaction);
  }

  /** One thing at a time; what fails takes everything back. */
  private async alone<T>(work: (transaction: GraphTransaction) => Promise<T>): Promise<T> {
    const { transaction } = this;
    if (transaction === null) throw ended();
    if (this.running !== null) throw new GraphDBError('BAD_REQUEST', 'a transaction runs one statement at a time');
    const { promise, resolve } = Promise.withResolvers<void>();
    this.running = promise;
    try {
      return await work(transaction);
    } catch (error) {
      this.end().rollback();
      this.writes.committer.lock.release();
      throw await this.writes.explain(error);
    } finally {
      this.running = null;
      resolve();
    }
  }

  private async holdRows(): Promise<void> {
    for (const rows of this.open) await rows.hold();
    this.open.clear();
  }

  /** How leaving them ends is nobody's affair: the transaction ends in any case. */
  private async leaveRows(): Promise<void> {
    await Promise.allSettled([...this.open].map((rows) => rows.return()));
    this.open.clear();
  }

  private end(): GraphTransaction {
    const { transaction } = this;
    if (transaction === null) throw ended();
    this.transaction = null;
    this.onEnd(this);
    return transaction;
  }
}

/** Rows that are found as they are read, until something else is to run: then the rest of them is kept. */
class HeldRows implements AsyncIterableIterator<ResultValue[][], void, void> {
  private readonly rows: RowStream;
  private readonly alone: (step: () => Promise<IteratorResult<ResultValue[][], void>>) => Promise<IteratorResult<ResultValue[][], void>>;
  /** Null while they are still found. */
  private kept: ResultValue[][][] | null = null;
  private hasEnded = false;

  constructor(rows: RowStream, alone: HeldRows['alone']) {
    this.rows = rows;
    this.alone = alone;
  }

  async next(): Promise<IteratorResult<ResultValue[][], void>> {
    if (this.kept !== null) {
      const value = this.kept.shift();
      return value === undefined ? { done: true, value: undefined } : { done: false, value };
    }
    if (this.hasEnded) return { done: true, value: undefined };
    const step = await this.alone(() => this.rows.batches.next());
    this.hasEnded = step.done === true;
    return step;
  }

  async hold(): Promise<void> {
    if (this.hasEnded || this.kept !== null) return;
    const kept: ResultValue[][][] = [];
    for await (const batch of this.rows.batches) {
      this.rows.charge(batch);
      kept.push(batch);
    }
    this.kept = kept;
  }

  async return(): Promise<IteratorResult<ResultValue[][], void>> {
    this.kept = [];
    this.hasEnded = true;
    await this.rows.batches.return();
    return { done: true, value: undefined };
  }

  [Symbol.asyncIterator](): this {
    return this;
  }
}

function ended(): GraphDBError {
  return new GraphDBError('BAD_REQUEST', 'the transaction has ended');
}
