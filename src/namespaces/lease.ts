/**
 * Time limits of what a client holds: a transaction, or a result that is not read to its end. A lease ends when it was
 * not used for too long, or when its total time is over, whichever comes first. Running work is then stopped, and later
 * use fails with the reason.
 */
import { type CancelTimer, GraphDBError, reasonOf, startTimer } from '../base/index.ts';

/** The limits of a lease. */
export interface LeaseLimits {
  /** Longest time between the end of one use and the next use, in milliseconds. */
  readonly idleMs: number;
  /** Longest time in total, in milliseconds; 0: no limit. */
  readonly totalMs: number;
}

/** Enforces the time limits of one thing that a client holds. */
export class Lease {
  readonly #controller = new AbortController();
  readonly #limits: LeaseLimits;
  readonly #onExpired: () => Promise<void>;
  #cancelIdle: CancelTimer | undefined;
  #cancelTotal: CancelTimer | undefined;
  /** Number of pieces of work in progress. */
  #working = 0;
  #expired: 'idle' | 'total' | null = null;
  #hasEnded = false;

  /** `onExpired` releases what the client holds. It is called once the lease was stopped or is over, never while work goes on. */
  constructor(limits: LeaseLimits, onExpired: () => Promise<void>) {
    this.#limits = limits;
    this.#onExpired = onExpired;
    if (limits.totalMs > 0)
      this.#cancelTotal = startTimer(Math.min(limits.totalMs, 2 ** 31 - 1), () => this.#expire('total', timedOut(limits.totalMs)));
  }

  /** The limit that has ended the lease; null if none has. */
  get expired(): 'idle' | 'total' | null {
    return this.#expired;
  }

  /** True while any work goes on under the lease. */
  get isWorking(): boolean {
    return this.#working > 0;
  }

  /** Aborted when the lease is stopped; statements run under this signal. */
  get signal(): AbortSignal {
    return this.#controller.signal;
  }

  /** Does work under the lease. The idle time starts anew when all work has ended. @throws the reason, once the lease has been stopped. */
  async during<T>(work: () => Promise<T>): Promise<T> {
    this.signal.throwIfAborted();
    this.#cancelIdle?.();
    this.#working++;
    try {
      return await work();
    } catch (error) {
      throw reasonOf(error, this.signal);
    } finally {
      this.#working--;
      if (this.#working > 0) {
        // The work that ends last does the rest.
      } else if (this.signal.aborted) await this.#onExpired();
      else if (!this.#hasEnded) this.#cancelIdle = startTimer(this.#limits.idleMs, () => this.#expire('idle', idle(this.#limits.idleMs)));
    }
  }

  /** Stops running work with this reason. */
  stop(reason: GraphDBError): void {
    this.#controller.abort(reason);
  }

  /**
   * Ends the lease from outside: running work is stopped, what the client holds is released, and later use fails with
   * the reason. Does nothing once the lease has ended.
   */
  terminate(reason: GraphDBError): void {
    if (this.#hasEnded) return;
    this.end();
    this.stop(reason);
    if (this.#working === 0) void this.#onExpired();
  }

  /** Cancels the time limits, since the client holds nothing any more. */
  end(): void {
    this.#hasEnded = true;
    this.#cancelIdle?.();
    this.#cancelTotal?.();
  }

  #expire(limit: 'idle' | 'total', reason: GraphDBError): void {
    this.#expired = limit;
    this.end();
    this.stop(reason);
    if (this.#working === 0) void this.#onExpired();
  }
}

function timedOut(limitMs: number): GraphDBError {
  return new GraphDBError('QUERY_TIMEOUT', `the transaction took longer than its time limit of ${limitMs} ms, and was rolled back`);
}

function idle(limitMs: number): GraphDBError {
  return new GraphDBError('QUERY_TIMEOUT', `nothing was asked for ${limitMs} ms: the transaction was rolled back`);
}
