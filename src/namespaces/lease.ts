/**
 * Time limits of what a client holds: a transaction, or a result that is not read to its end. It ends when nothing was asked of it for too
 * long, or when its time is over, whichever comes first; what runs then is stopped, and what comes later is told why.
 */
import { type CancelTimer, GraphDBError, reasonOf, startTimer } from '../base/index.ts';

/** The limits of a lease. */
export interface LeaseLimits {
  /** Longest time between two messages or requests. */
  readonly idleMs: number;
  /** Longest time in all; 0: none. */
  readonly totalMs: number;
}

/** A time limit that starts anew with each use. */
export class Lease {
  readonly #controller = new AbortController();
  readonly #limits: LeaseLimits;
  readonly #onExpired: () => Promise<void>;
  #cancelIdle: CancelTimer | undefined;
  #cancelTotal: CancelTimer | undefined;
  /** How many pieces of work go on now. */
  #working = 0;
  #expired: 'idle' | 'total' | null = null;
  #hasEnded = false;

  /** `onExpired` lets go of what is held; called once, and not while something is at work. */
  constructor(limits: LeaseLimits, onExpired: () => Promise<void>) {
    this.#limits = limits;
    this.#onExpired = onExpired;
    if (limits.totalMs > 0)
      this.#cancelTotal = startTimer(Math.min(limits.totalMs, 2 ** 31 - 1), () => this.#expire('total', timedOut(limits.totalMs)));
  }

  /** Which of its limits has ended it, if one has. */
  get expired(): 'idle' | 'total' | null {
    return this.#expired;
  }

  /** Statements run under it. */
  get signal(): AbortSignal {
    return this.#controller.signal;
  }

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
        // Whoever ends last looks to the rest.
      } else if (this.signal.aborted) await this.#onExpired();
      else if (!this.#hasEnded) this.#cancelIdle = startTimer(this.#limits.idleMs, () => this.#expire('idle', idle(this.#limits.idleMs)));
    }
  }

  /** Stops what runs. */
  stop(reason: GraphDBError): void {
    this.#controller.abort(reason);
  }

  /** Ends it from outside: what runs is stopped, what is held is let go, and what is asked later is told the reason. */
  terminate(reason: GraphDBError): void {
    this.end();
    this.stop(reason);
    if (this.#working === 0) void this.#onExpired();
  }

  /** Nothing is held any more. */
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
