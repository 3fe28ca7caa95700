/**
 * Paces the puts of the log: puts begin at equal distances, so that in the time that one put takes as many begin as may
 * be in flight. So commits that come close to each other share a put, and none waits for long. A store that answers at
 * once gets one put at a time. Only speed depends on these times.
 */
import { WINDOW } from './wal-object.ts';

/** The window of the log: how many puts may be in flight. */
export interface LogWindow {
  /** The most puts in flight at once, 1 to `WINDOW`. */
  readonly puts: number;
  /** Whether puts are spaced in time; when false, a put begins as soon as it may be in flight. */
  readonly isPaced: boolean;
}

/** The window of the log outside of tests. */
export const LOG_WINDOW: LogWindow = { puts: WINDOW, isPaced: true };

const SHORTEST_SPACING_MS = 1;

/** The longest time between the beginnings of two puts, however slow the store is. */
const LONGEST_SPACING_MS = 25;
/** The weight of a new measurement in the smoothed time, as in TCP's estimate of round trips (RFC 6298). */
const GAIN = 1 / 8;

/** The pace of puts. */
export class PutPacing {
  readonly #window: LogWindow;
  #smoothedMs: number | null = null;
  #begunAtMs = Number.NEGATIVE_INFINITY;

  constructor(window: LogWindow) {
    this.#window = window;
  }

  begun(nowMs: number): void {
    this.#begunAtMs = nowMs;
  }

  answered(afterMs: number): void {
    const ms = Math.max(afterMs, 0);
    this.#smoothedMs = this.#smoothedMs === null ? ms : this.#smoothedMs + (ms - this.#smoothedMs) * GAIN;
  }

  /** Returns the milliseconds until the next put may begin beside others; 0 when the clock was set back. */
  waitMs(nowMs: number): number {
    const { puts, isPaced } = this.#window;
    const passedMs = nowMs - this.#begunAtMs;
    if (!isPaced || passedMs < 0) return 0;
    const wantedMs = Math.min(Math.max((this.#smoothedMs ?? 0) / puts, SHORTEST_SPACING_MS), LONGEST_SPACING_MS);
    return Math.max(wantedMs - passedMs, 0);
  }
}
