/** Ends a request that makes no progress, or whose caller has gone. */

import { type CancelTimer, startTimer } from '../../base/index.ts';

export class TimeLimit {
  readonly #controller = new AbortController();
  readonly #caller: AbortSignal | undefined;
  readonly #onCallerAbort = (): void => this.#controller.abort(this.#caller?.reason);
  #cancelTimer: CancelTimer | undefined;
  expired = false;

  constructor(caller: AbortSignal | undefined, limitMs: number) {
    this.#caller = caller;
    if (caller?.aborted) this.#onCallerAbort();
    caller?.addEventListener('abort', this.#onCallerAbort);
    this.restart(limitMs);
  }

  get signal(): AbortSignal {
    return this.#controller.signal;
  }

  /** There was progress. */
  restart(limitMs: number): void {
    this.#cancelTimer?.();
    this.#cancelTimer = startTimer(limitMs, () => {
      this.expired = true;
      this.#controller.abort(new Error(`no progress for ${limitMs} ms`));
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
    this.#caller?.removeEventListener('abort', this.#onCallerAbort);
  }
}
