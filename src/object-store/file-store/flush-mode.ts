/**
 * Chooses whether a flush blocks the thread (in place) or runs in libuv's thread pool. The way to the pool and back
 * costs about 40 µs and a turn of the event loop: more than half of a flush of a fast disk (80 µs), little beside a
 * flush of a slow disk (1–10 ms), which must not hold up the event loop.
 *
 * A caller that only ever flushes in place would keep the event loop from turning: after 12 flushes in place within one
 * turn the next goes through the pool. The duration of a flush in the pool, beside other work, says little about its
 * duration in place: so every eighth flush is tried in place, unless the disk is slow beyond doubt.
 */

import { onNextTurn } from '../../base/index.ts';

const SLOW_MS = 0.6;
/** The average duration of flushes in the pool from which on the disk is slow beyond doubt. */
const SLOW_BEYOND_DOUBT_MS = 1.5;
const TRY_EVERY = 8;
const WEIGHT = 1 / 8;
const IN_PLACE_PER_TURN = 12;

/** Chooses for each flush whether it runs in place, by the durations of the flushes before. */
export class FlushMode {
  #inPlaceMs: number | null = null;
  #poolMs = SLOW_MS;
  #sinceTried = 0;
  #inPlaceThisTurn = 0;

  /** Called before each flush; true when it should run in place, false when in the thread pool. */
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
