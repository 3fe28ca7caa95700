/**
 * How much one caller may ask: so many requests each second, in bursts of as many, and so many at a time. Callers are
 * told apart by `Caller.id`.
 */

import { monotonicMs } from '../clock.ts';
import { LRUCache } from '../collections/lru-cache.ts';
import { GraphDBError } from '../errors.ts';
import type { Caller } from './callers.ts';

/** The limits of one caller. */
export interface CallerLimitOptions {
  /** 0: any number. */
  readonly statementsAtOnce: number;
  /** 0: any number. */
  readonly requestsPerSecond: number;
}

interface Account {
  /** Requests that may come at once. */
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

  /** A request begins; what comes back is to be called once, when it has ended. RATE_LIMITED: it may not begin now. */
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
