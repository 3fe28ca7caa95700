/**
 * Ends a request that makes no progress, or whose caller has gone.
 *
 * The time is counted in quarters: an event loop that was busy hears of answers late, and its own time counts as one of
 * them, not as the store's silence.
 */

import { type CancelTimer, monotonicMs, startTimer } from '../../base/index.ts';
import type { AnswerTimes } from './answer-times.ts';

const PARTS = 4;

/** A limit of time that is extended by progress. */
export class TimeLimit {
  readonly #controller = new AbortController();
  readonly caller: AbortSignal | undefined;
  readonly #onCallerAbort = (): void => this.#controller.abort(this.caller?.reason);
  #cancelTimer: CancelTimer | undefined;
  #limitMs = 0;
  expired = false;

  /** The first answer must come within what `times` allow, and `extraMs`. */
  constructor(caller: AbortSignal | undefined, times: AnswerTimes, extraMs = 0) {
    this.caller = caller;
    if (caller?.aborted) this.#onCallerAbort();
    caller?.addEventListener('abort', this.#onCallerAbort);
    this.allow(times, extraMs);
  }

  get signal(): AbortSignal {
    return this.#controller.signal;
  }

  /** The time that was allowed last. */
  get limitMs(): number {
    return this.#limitMs;
  }

  /** There was progress, and what comes next has a time of its own. */
  allow(times: AnswerTimes, extraMs = 0): void {
    this.#cancelTimer?.();
    const { deadlineMs } = times;
    this.#limitMs = deadlineMs + extraMs;
    this.#wait(PARTS, () => times.expired(deadlineMs));
  }

  #wait(parts: number, onExpired: () => void): void {
    this.#cancelTimer = startTimer(this.#limitMs / PARTS, () => {
      if (parts > 1) {
        this.#wait(parts - 1, onExpired);
        return;
      }
      this.expired = true;
      onExpired();
      this.#controller.abort(new Error(`no progress for ${Math.round(this.#limitMs)} ms`));
    });
  }

  /** Ends the waiting when the time is over, for work that does not heed the signal: libraries that fetch credentials do not. */
  async within<T>(work: Promise<T>): Promise<T> {
    const { promise: ended, reject } = Promise.withResolvers<never>();
    const giveUp = (): void => reject(this.signal.reason);
    if (this.signal.aborted) giveUp();
    this.signal.addEventListener('abort', giveUp);
    try {
      return await Promise.race([work, ended]);
    } finally {
      this.signal.removeEventListener('abort', giveUp);
    }
  }

  [Symbol.dispose](): void {
    this.#cancelTimer?.();
    this.caller?.removeEventListener('abort', this.#onCallerAbort);
  }
}

/** Tells `times` how long an answer took beyond `extraMs`. Only what succeeds tells it: refusals come at once. */
export async function measured<T>(times: AnswerTimes, answer: Promise<T>, extraMs = 0): Promise<T> {
  const sentAtMs = monotonicMs();
  const result = await answer;
  times.answered(Math.max(0, monotonicMs() - sentAtMs - extraMs));
  return result;
}
