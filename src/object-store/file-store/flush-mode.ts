/**
 * Whether a flush is waited for in place or in libuv's thread pool. The way to the pool and back costs about 40 µs and
 * the turn of everybody in between: more than half of a flush of a fast disk (80 µs), nothing beside one of a slow disk
 * (1–10 ms), which must not hold up the event loop.
 *
 * A caller that only ever waits for flushes in place would keep the event loop from turning: after a few of them one
 * goes through the pool. What a flush takes by way of the pool, beside other work, says little of what it takes in
 * place: so that is tried now and then, unless the disk is slow beyond doubt.
 */

import { onNextTurn } from '../../base/index.ts';

const SLOW_MS = 0.6;
/** The duration from which on a flush by way of the pool is slow beyond doubt. */
const SLOW_BEYOND_DOUBT_MS = 1.5;
const TRY_EVERY = 8;
const WEIGHT = 1 / 8;
const IN_PLACE_PER_TURN = 12;

/** Chooses the way in which flushes are waited for. */
export class FlushMode {
  #inPlaceMs: number | null = null;
  #poolMs = SLOW_MS;
  #sinceTried = 0;
  #inPlaceThisTurn = 0;

  /** Asked before each flush. */
  chooseInPlace(): boolean {
    if (this.#inPlaceThisTurn >= IN_PLACE_PER_TURN || !(this.#isFast() || this.#isTimeToTry())) return false;
    if (this.#inPlaceThisTurn++ === 0) onNextTurn(() => (this.#inPlaceThisTurn = 0));
    return true;
  }

  note(durationMs: number, { inPlace }: { readonly inPlace: boolean }): void {
    if (inPlace) this.#inPlaceMs = this.#inPlaceMs === null ? durationMs : averageOf(this.#inPlaceMs, durationMs);
    else this.#poolMs = averageOf(this.#poolMs, durationMs);
  }

  #isFast(): boolean {
    return this.#inPlaceMs !== null && this.#inPlaceMs < SLOW_MS;
  }

  #isTimeToTry(): boolean {
    this.#sinceTried = (this.#sinceTried + 1) % TRY_EVERY;
    return this.#sinceTried === 0 && this.#poolMs < SLOW_BEYOND_DOUBT_MS;
  }
}

function averageOf(averageMs: number, durationMs: number): number {
  return averageMs + (durationMs - averageMs) * WEIGHT;
}
