/**
 * Whether a flush is waited for in place or in libuv's thread pool. The way to the pool and back costs about 40 µs and the turn of everybody in
 * between: more than half of a flush of a fast disk (80 µs), nothing beside one of a slow disk (1–10 ms), which must not hold up the event loop.
 *
 * A caller that only ever waits for flushes in place would keep the event loop from turning: after a few of them one goes through the pool.
 */

const SLOW_MS = 0.6;
/** In the pool, a flush and the way to it. */
const FAST_MS = 0.4;
const WEIGHT = 1 / 16;
const IN_PLACE_PER_TURN = 16;

export class FlushMode {
  #averageMs = SLOW_MS;
  #fast = false;
  #inPlaceThisTurn = 0;

  /** Asked before each flush. */
  chooseInPlace(): boolean {
    if (!this.#fast || this.#inPlaceThisTurn >= IN_PLACE_PER_TURN) return false;
    if (this.#inPlaceThisTurn++ === 0) setImmediate(() => (this.#inPlaceThisTurn = 0)).unref();
    return true;
  }

  note(durationMs: number): void {
    this.#averageMs += (durationMs - this.#averageMs) * WEIGHT;
    if (this.#averageMs > SLOW_MS) this.#fast = false;
    else if (this.#averageMs < FAST_MS) this.#fast = true;
  }
}
