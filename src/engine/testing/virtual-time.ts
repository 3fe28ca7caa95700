/** A clock for tests, for storage and for scheduled work: time passes only when the test says so. */

import type { Clock, Schedule } from '../../base/index.ts';

interface Waiting {
  readonly atMs: number;
  readonly work: () => void;
}

/** A clock that only a test moves on. */
export class VirtualTime implements Clock {
  #nowMs = 1_800_000_000_000;
  #waiting: Waiting[] = [];

  now(): number {
    return this.#nowMs;
  }

  /** Moves the clock on and wakes the sleeper at once; throws the signal's reason when it is aborted. */
  async sleep(ms: number, signal?: AbortSignal): Promise<void> {
    await null;
    signal?.throwIfAborted();
    this.#nowMs += Math.ceil(ms);
  }

  readonly schedule: Schedule = (delayMs, work) => {
    const entry = { atMs: this.#nowMs + Math.ceil(delayMs), work };
    this.#waiting.push(entry);
    return () => {
      this.#waiting = this.#waiting.filter((other) => other !== entry);
    };
  };

  get scheduled(): number {
    return this.#waiting.length;
  }

  /** Moves the clock on by `ms` in one step, and starts all work that has become due, once each. */
  leap(ms: number): void {
    this.#nowMs += ms;
    const due = this.#waiting.filter(({ atMs }) => atMs <= this.#nowMs);
    this.#waiting = this.#waiting.filter(({ atMs }) => atMs > this.#nowMs);
    for (const { work } of due.toSorted((a, b) => a.atMs - b.atMs)) work();
  }

  /** Lets `ms` pass: starts work in the order in which it becomes due, and waits for `settle` after each piece. */
  async advance(ms: number, settle: () => Promise<void>): Promise<void> {
    const untilMs = this.#nowMs + ms;
    for (;;) {
      const next = this.#waiting.reduce<Waiting | null>(
        (first, entry) => (first === null || entry.atMs < first.atMs ? entry : first),
        null,
      );
      if (next === null || next.atMs > untilMs) break;
      this.#waiting = this.#waiting.filter((entry) => entry !== next);
      this.#nowMs = Math.max(this.#nowMs, next.atMs);
      next.work();
      await settle();
    }
    this.#nowMs = Math.max(this.#nowMs, untilMs);
  }
}
