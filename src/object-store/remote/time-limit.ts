/**
 * Aborts a request that makes no progress, or whose caller has aborted it.
 *
 * The limit is waited for in four parts, one timer after the other: when the event loop was busy, answers are noticed
 * late, and such a delay counts as one part at most, not as silence of the store.
 */

import { type CancelTimer, monotonicMs, startTimer } from '../../base/index.ts';
import type { AnswerTimes } from './answer-times.ts';

const PARTS = 4;

/** A time limit that progress extends. */
export class TimeLimit {
  readonly #controller = new AbortController();
  readonly caller: AbortSignal | undefined;
  readonly #onCallerAbort = (): void => this.#controller.abort(this.caller?.reason);
  #cancelTimer: CancelTimer | undefined;
  #limitMs = 0;
  expired = false;

  /** The first answer must come within the deadline of `times` plus `extraMs`. */
  constructor(caller: AbortSignal | undefined, times: AnswerTimes, extraMs = 0) {
    this.caller = caller;
    if (caller?.aborted) this.#onCallerAbort();
    caller?.addEventListener('abort', this.#onCallerAbort);
    this.allow(times, extraMs);
  }

  get signal(): AbortSignal {
    return this.#controller.signal;
  }

  /** The limit in force, in milliseconds. */
  get limitMs(): number {
    return this.#limitMs;
  }

  /** Starts a new limit after progress: the deadline of `times` plus `extraMs`. */
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

  /** Waits for `work` until the time is over, even if it ignores the signal, as libraries that fetch credentials do. */
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

/** Waits for an answer, and tells `times` how long it took beyond `extraMs`. Failures are not measured: refusals are fast. */
export async function measured<T>(times: AnswerTimes, answer: Promise<T>, extraMs = 0): Promise<T> {
  const sentAtMs = monotonicMs();
  const result = await answer;
  times.answered(Math.max(0, monotonicMs() - sentAtMs - extraMs));
  return result;
}
