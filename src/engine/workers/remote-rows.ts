/** The rows of a statement that runs in a worker, as they come: each batch that is taken lets the worker send another. */
import type { SliceLimits } from '../../base/index.ts';
import type { ResultValue } from '../../value/index.ts';
import { type PackedRows, unpackRows } from './packed-rows.ts';
import { ReceivedValues } from './repeated-values.ts';

interface Remote {
  more(): void;
  /** Tells the worker to stop: nothing that comes from now on is wanted. */
  stop(): void;
}

const NOT_BOUND: Remote = { more: () => {}, stop: () => {} };

type Step = IteratorResult<ResultValue[][], void>;

const DONE: Step = { done: true, value: undefined };

/** The rows of a statement that runs in a worker. */
export class RemoteRows implements AsyncGenerator<ResultValue[][], void, void> {
  /** The work of the statement, once all rows have been taken: see `Limits`. */
  ticks = 0;
  private remote = NOT_BOUND;
  private handedOut = false;
  private runs = 0;
  private readonly limits: SliceLimits;
  private readonly onAbort = (): void => this.remote.stop();
  private readonly batches: PackedRows[] = [];
  private received = new ReceivedValues();
  private outcome: 'running' | 'done' | { readonly error: Error } = 'running';
  private waiting: (() => void) | null = null;

  /** @param limits the limits of the statement, within which its rows are unpacked */
  constructor(limits: SliceLimits) {
    this.limits = limits;
    limits.signal?.addEventListener('abort', this.onAbort, { once: true });
  }

  /** True if the statement may begin again in another thread: once only, and while none of its rows was handed out. */
  get mayBeginAgain(): boolean {
    return this.runs < 2 && !this.handedOut && this.outcome === 'running';
  }

  /** Takes the rows from a worker that begins the statement; rows of a former worker are discarded. */
  begin(remote: Remote): void {
    this.runs++;
    this.batches.length = 0;
    this.received = new ReceivedValues();
    this.remote = remote;
    if (this.limits.signal?.aborted === true) this.onAbort();
  }

  push(batch: PackedRows): void {
    this.batches.push(batch);
    this.wake();
  }

  finish(ticks: number): void {
    this.ticks = ticks;
    this.settle('done');
  }

  fail(error: Error): void {
    this.settle({ error });
  }

  private settle(outcome: 'done' | { readonly error: Error }): void {
    if (this.outcome !== 'running') return;
    this.outcome = outcome;
    this.limits.signal?.removeEventListener('abort', this.onAbort);
    this.wake();
  }

  private wake(): void {
    this.waiting?.();
    this.waiting = null;
  }

  async next(): Promise<Step> {
    for (;;) {
      const batch = this.batches.shift();
      if (batch !== undefined) {
        this.handedOut = true;
        if (this.outcome === 'running') this.remote.more();
        return { done: false, value: await this.unpacked(batch) };
      }
      const { outcome } = this;
      if (outcome === 'done') return DONE;
      if (outcome !== 'running') throw outcome.error;
      await new Promise<void>((resolve) => {
        this.waiting = resolve;
      });
    }
  }

  private async unpacked(batch: PackedRows): Promise<ResultValue[][]> {
    try {
      const rows = unpackRows(batch, this.limits, this.received);
      return rows instanceof Promise ? await rows : rows;
    } catch (error) {
      await this.return();
      throw error;
    }
  }

  async return(): Promise<Step> {
    this.batches.length = 0;
    if (this.outcome === 'running') this.remote.stop();
    this.settle('done');
    return DONE;
  }

  async throw(error: unknown): Promise<Step> {
    await this.return();
    throw error;
  }

  [Symbol.asyncIterator](): this {
    return this;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.return();
  }
}
