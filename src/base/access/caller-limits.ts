/**
 * Limits on the requests of one caller: a rate, in requests per second, with bursts of as many, and a number of
 * requests at a time. Callers are told apart by `Caller.id`.
 */

import { monotonicMs } from '../clock.ts';
import { LRUCache } from '../collections/lru-cache.ts';
import { GraphDBError } from '../errors.ts';
import type { Caller } from './callers.ts';

/** The limits of one caller. */
export interface CallerLimitOptions {
  /** The most statements of a caller that run at a time; 0 for no limit. */
  readonly statementsAtOnce: number;
  /** The most requests of a caller per second; 0 for no limit. */
  readonly requestsPerSecond: number;
}

interface Account {
  /** The number of requests that the caller may send at once; grows with time, up to `requestsPerSecond`. */
  credit: number;
  creditAtMs: number;
  running: number;
}

const KNOWN_CALLERS = 10_000;

/** Admits requests of callers within their limits. */
export class CallerLimits {
  readonly #options: CallerLimitOptions;
  readonly #accounts = new LRUCache<string, Account>(KNOWN_CALLERS);
  readonly #nowMs: () => number;

  constructor(options: CallerLimitOptions, nowMs: () => number = monotonicMs) {
    this.#options = options;
    this.#nowMs = nowMs;
  }

  /** Admits a request. Returns a function that must be called once, when the request has ended. @throws RATE_LIMITED beyond a limit */
  admit({ id }: Caller): () => void {
    const { statementsAtOnce, requestsPerSecond } = this.#options;
    if (statementsAtOnce === 0 && requestsPerSecond === 0) return () => {};
    const account = this.#accountOf(id);
    if (statementsAtOnce > 0 && account.running >= statementsAtOnce)
      throw new GraphDBError('RATE_LIMITED', `this token runs ${statementsAtOnce} statements already, as many as it may at a time`);
    if (requestsPerSecond > 0) {
      if (account.credit < 1) throw new GraphDBError('RATE_LIMITED', `this token may send ${requestsPerSecond} requests each second`);
      account.credit--;
    }
    account.running++;
    return () => {
      account.running--;
    };
  }

  #accountOf(id: string): Account {
    const { requestsPerSecond } = this.#options;
    const nowMs = this.#nowMs();
    let account = this.#accounts.get(id);
    if (account === undefined) {
      account = { credit: requestsPerSecond, creditAtMs: nowMs, running: 0 };
      this.#accounts.set(id, account);
    }
    account.credit = Math.min(requestsPerSecond, account.credit + ((nowMs - account.creditAtMs) * requestsPerSecond) / 1_000);
    account.creditAtMs = nowMs;
    return account;
  }
}
