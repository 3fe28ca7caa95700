/**
 * Estimates how soon a store answers requests of one kind, to decide when a request counts as unanswered, and when a
 * read is worth a second request.
 *
 * The estimate is that of TCP's retransmission timeout (RFC 6298): a smoothed time plus four times its mean deviation.
 * A deadline that passes doubles the next one until a request is answered again, so that a store that is slow
 * throughout is given the time that it needs.
 */

/** The deadline before the first measurement: the request may have to fetch credentials and to open a connection. */
const FIRST_DEADLINE_MS = 5_000;
const SHORTEST_DEADLINE_MS = 1_000;
const SHORTEST_HEDGE_MS = 100;
/**
 * Hedges, which are second requests, are at most a tenth of all requests, so that an overloaded store does not get
 * twice the load; up to `MOST_HEDGES` may be sent in a burst.
 */
const HEDGES_PER_REQUEST = 0.1;
const MOST_HEDGES = 10;

/** The answer times of one kind of request. */
export class AnswerTimes {
  readonly #longestMs: number;
  readonly #shortestMs: number;
  #smoothedMs: number | null = null;
  #deviationMs = 0;
  /** How often the deadline has been doubled since a request was answered. */
  #doublings = 0;
  #hedges = MOST_HEDGES;

  /** Deadlines lie between `shortestMs` and `longestMs`; `longestMs` wins when it is less. */
  constructor({ longestMs, shortestMs = SHORTEST_DEADLINE_MS }: { readonly longestMs: number; readonly shortestMs?: number }) {
    this.#longestMs = longestMs;
    this.#shortestMs = shortestMs;
  }

  /** The time within which the answer to a small request must come, or the beginning of a long answer. */
  get deadlineMs(): number {
    const estimate = this.#smoothedMs === null ? FIRST_DEADLINE_MS : Math.max(this.#shortestMs, this.#estimateMs);
    return Math.min(estimate * 2 ** this.#doublings, this.#longestMs);
  }

  /** The time after which an unanswered read is sent a second time. */
  get hedgeMs(): number {
    return this.#smoothedMs === null ? SHORTEST_DEADLINE_MS : Math.max(SHORTEST_HEDGE_MS, this.#estimateMs);
  }

  answered(afterMs: number): void {
    this.#doublings = 0;
    this.#hedges = Math.min(MOST_HEDGES, this.#hedges + HEDGES_PER_REQUEST);
    if (this.#smoothedMs === null) {
      this.#smoothedMs = afterMs;
      this.#deviationMs = afterMs / 2;
      return;
    }
    this.#deviationMs += (Math.abs(this.#smoothedMs - afterMs) - this.#deviationMs) / 4;
    this.#smoothedMs += (afterMs - this.#smoothedMs) / 8;
  }

  /** Notes that a request was not answered within `deadlineMs`. Of several requests with one deadline only the first doubles it. */
  expired(deadlineMs: number): void {
    if (deadlineMs >= this.deadlineMs && deadlineMs < this.#longestMs) this.#doublings++;
  }

  /** Takes one hedge from the budget; false when none is left. */
  takeHedge(): boolean {
    if (this.#hedges < 1) return false;
    this.#hedges--;
    return true;
  }

  get #estimateMs(): number {
    return (this.#smoothedMs ?? 0) + 4 * this.#deviationMs;
  }
}
