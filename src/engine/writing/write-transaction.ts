/** A transaction of several statements that may write: it has the writer's turn until it ends. */
import { GraphDBError, reasonOf } from '../../base/index.ts';
import type { ResultValue } from '../../value/index.ts';
import type { EngineTransaction, StatementOptions, StatementResult, StatementStream } from '../api.ts';
import { OpenRows, transactionEnded } from '../reading/open-rows.ts';
import { streamOf } from '../statements/outcome.ts';
import { type Parameters, requestOf, type StatementRequest } from '../statements/request.ts';
import type { RowStream } from '../statements/statement-runner.ts';
import type { WriterTurn } from './writer-turn.ts';
import type { Writes } from './writes.ts';

/** The options of a transaction that may write. */
export interface WriteTransactionOptions {
  /** The writer's turn, which belongs to the transaction from now on. */
  readonly turn: WriterTurn;
  /** See `BeginOptions.maxHoldMs`; 0: no limit. */
  readonly maxHoldMs: number;
  /** Called once, when the turn is over or about to be. */
  readonly onEnd: (transaction: WriteTransaction) => void;
}

/** A transaction that may write; a statement that fails rolls back all of it. */
export class WriteTransaction implements EngineTransaction {
  private readonly writes: Writes;
  /** Null once the transaction has ended. */
  private turn: WriterTurn | null;
  /** Resolves when the running statement has ended, whether it succeeds or fails; null if none runs. */
  private running: Promise<void> | null = null;
  /** Whether what runs looks for the next rows of an open result. */
  private isReading = false;
  private readonly streams = new Set<HeldRows>();
  private readonly onEnd: (transaction: WriteTransaction) => void;
  private hasWritten = false;
  /** Aborted when the transaction has kept others waiting for too long, or cannot be committed any more; with the error that says so. */
  private readonly expiry = new AbortController();

  constructor(writes: Writes, { turn, maxHoldMs, onEnd }: WriteTransactionOptions) {
    this.writes = writes;
    this.turn = turn;
    this.onEnd = onEnd;
    if (maxHoldMs > 0) turn.limitHold(maxHoldMs, () => this.expire(heldTooLong(maxHoldMs)));
  }

  async execute(query: string, params: Parameters, options: StatementOptions = {}): Promise<StatementResult> {
    return this.alone(async (turn) => {
      await this.holdRows();
      return this.runIn(turn, requestOf(query, params, this.stoppable(options)));
    });
  }

  async stream(query: string, params: Parameters, options: StatementOptions = {}): Promise<StatementStream> {
    return this.alone(async (turn) => {
      await this.holdRows();
      const request = requestOf(query, params, this.stoppable(options));
      const rows = await this.writes.streamIn(turn, request);
      if (rows === null) return streamOf(await this.runIn(turn, request));
      const held = new HeldRows(rows, { read: (step) => this.read(step), running: () => this.running, expiry: this.expiry.signal });
      this.streams.add(held);
      return { columns: rows.columns, batches: held, summary: () => rows.summary() };
    });
  }

  async commit(): Promise<void> {
    while (this.isReading) await this.running;
    if (this.running !== null) throw new GraphDBError('BAD_REQUEST', 'a statement of this transaction is still running');
    const turn = this.end();
    await this.leaveRows({ looksForRest: true });
    await turn.commit(this.hasWritten);
  }

  private async runIn(turn: WriterTurn, request: StatementRequest): Promise<StatementResult> {
    const result = await this.writes.runIn(turn, request);
    if (result.type !== 'read') this.hasWritten = true;
    return result;
  }

  /** Rolls back the transaction after waiting for a running statement. */
  async rollback(): Promise<void> {
    while (this.running !== null) await this.running;
    if (this.turn === null) return;
    await this.leave();
  }

  /** Ends the transaction for this reason, which later calls report: stops its running statement and rolls it back. */
  expire(reason: GraphDBError): void {
    this.expiry.abort(reason);
    void this.rollback();
  }

  private stoppable(options: StatementOptions): StatementOptions {
    const { signal } = this.expiry;
    return { ...options, signal: options.signal === undefined ? signal : AbortSignal.any([options.signal, signal]) };
  }

  /**
   * Runs one piece of work at a time, after the rows that the reader of an open result has asked for; a failure rolls back
   * the transaction. @throws BAD_REQUEST while a statement runs
   */
  private async alone<T>(work: (turn: WriterTurn) => Promise<T>): Promise<T> {
    while (this.isReading) await this.running;
    const { turn } = this;
    if (turn === null) throw this.ended();
    if (this.running !== null) throw new GraphDBError('BAD_REQUEST', 'a transaction runs one statement at a time');
    const { promise, resolve } = Promise.withResolvers<void>();
    this.running = promise;
    try {
      return await work(turn);
    } catch (error) {
      await this.leave();
      throw await this.writes.explain(reasonOf(error, this.expiry.signal));
    } finally {
      this.running = null;
      this.isReading = false;
      resolve();
    }
  }

  /** Looks for the next rows of an open result, while nothing else runs. */
  private read(step: () => Promise<Step>): Promise<Step> {
    const found = this.alone(step);
    this.isReading = this.running !== null;
    return found;
  }

  private async holdRows(): Promise<void> {
    for (const rows of this.streams) await rows.hold();
    this.streams.clear();
  }

  /** Ends the transaction, and rolls it back. */
  private async leave(): Promise<void> {
    const turn = this.end();
    await this.leaveRows({ looksForRest: false });
    turn.rollback();
  }

  /** Abandons open results. Their errors are ignored, since the transaction ends in any case. */
  private async leaveRows(options: { readonly looksForRest: boolean }): Promise<void> {
    await Promise.allSettled([...this.streams].map((rows) => rows.abandon(options)));
    this.streams.clear();
  }

  /** Marks the transaction as ended, and returns its turn, which the caller has to end. */
  private end(): WriterTurn {
    const { turn } = this;
    if (turn === null) throw this.ended();
    this.turn = null;
    this.onEnd(this);
    return turn;
  }

  /** Returns the error that says why the transaction has ended. */
  private ended(): unknown {
    const { signal } = this.expiry;
    return signal.aborted ? signal.reason : transactionEnded();
  }
}

function heldTooLong(limitMs: number): GraphDBError {
  return new GraphDBError(
    'QUERY_TIMEOUT',
    `the transaction kept others from writing beyond its time limit of ${limitMs} ms, and was rolled back`,
  );
}

type Step = IteratorResult<ResultValue[][], void>;

/** The part of a transaction that its open results need. */
interface RowsPlace {
  /** Runs a step by itself. */
  readonly read: (step: () => Promise<Step>) => Promise<Step>;
  /** Returns what runs in the transaction, or null. */
  readonly running: () => Promise<void> | null;
  /** Aborted when the transaction has ended against its will: its rows do not count any more. */
  readonly expiry: AbortSignal;
}

/** Rows that are found as they are read; before another statement runs, the rest of them is kept in memory. */
class HeldRows extends OpenRows {
  private readonly place: RowsPlace;
  /** The remaining batches in memory; null while rows are still found as they are read. */
  private kept: ResultValue[][][] | null = null;

  constructor(rows: RowStream, place: RowsPlace) {
    super(rows);
    this.place = place;
  }

  override async next(): Promise<Step> {
    // A statement that runs meanwhile has these rows kept first.
    for (let running = this.place.running(); running !== null && this.kept === null; running = this.place.running()) await running;
    this.place.expiry.throwIfAborted();
    if (this.kept !== null) {
      const value = this.kept.shift();
      return value === undefined ? { done: true, value: undefined } : { done: false, value };
    }
    return this.hasEnded ? { done: true, value: undefined } : this.place.read(() => super.next());
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

  override async return(): Promise<Step> {
    this.kept = [];
    return super.return();
  }
}
