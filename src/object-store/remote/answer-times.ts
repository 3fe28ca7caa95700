/**
 * How soon a store answers requests of one kind, and what follows from it: when a request counts as unanswered, and
 * when a read is worth a second request.
 *
 * The estimate is that of TCP's retransmission timeout (RFC 6298): a smoothed time plus four times its mean deviation.
 * A deadline that passes doubles the next one until a request is answered again, so that a store that is slow
 * throughout is given the time that it needs.
 */

/** A request that nobody has measured yet may have to fetch credentials and to open a connection. */
const FIRST_DEADLINE_MS = 5_000;
const SHORTEST_DEADLINE_MS = 1_000;
const SHORTEST_HEDGE_MS = 100;
/** Second requests are at most a tenth of all, so that a store that is overloaded is not loaded twice; so many may come at once. */
const HEDGES_PER_REQUEST = 0.1;
const MOST_HEDGES = 10;

/** The times of answers of one kind of request. */
export class AnswerTimes {
  readonly #longestMs: number;
  readonly #shortestMs: number;
  #smoothedMs: number | null = null;
  #deviationMs = 0;
  /** How often the deadline has been doubled since a request was answered. */
  #doublings = 0;
  #hedges = MOST_HEDGES;

  /** No deadline is longer, and none shorter, unless the longest one is. */
  constructor({ longestMs, shortestMs = SHORTEST_DEADLINE_MS }: { readonly longestMs: number; readonly shortestMs?: number }) {
    this.#longestMs = longestMs;
    this.#shortestMs = shortestMs;
  }

  /** Within this time the answer to a small request must come, or the beginning of a long one. */
  get deadlineMs(): number {
    const estimate = this.#smoothedMs === null ? FIRST_DEADLINE_MS : Math.max(this.#shortestMs, this.#estimateMs);
    return Math.min(estimate * 2 ** this.#doublings, this.#longestMs);
  }

  /** A read that has not been answered after this time is asked again. */
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

  /** A request was not answered within `deadlineMs`. Of several that were sent with one deadline the first doubles it. */
  expired(deadlineMs: number): void {
    if (deadlineMs >= this.deadlineMs && deadlineMs < this.#longestMs) this.#doublings++;
  }

  /** Takes one second request from the budget; false: there is none left. */
  takeHedge(): boolean {
    if (this.#hedges < 1) return false;
    this.#hedges--;
    return true;
  }

  get #estimateMs(): number {
    return (this.#smoothedMs ?? 0) + 4 * this.#deviationMs;
  }
}
