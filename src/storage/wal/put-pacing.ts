/**
 * When a put of the log may begin beside others: as many begin in the time that one takes as may be in flight, one
 * after the other in equal distances. So commits that come close to each other share a put, and none waits for long. A
 * store that answers at once gets one put at a time. Nothing but speed depends on these times.
 */
import { WINDOW } from './wal-object.ts';

/** The window of the log: how many puts may be in flight. */
export interface LogWindow {
  /** Puts in flight at once, 1 to `WINDOW`. */
  readonly puts: number;
  /** False: a put begins as soon as it may be in flight, however close to the one before. */
  readonly isPaced: boolean;
}

/** The window of the log outside of tests. */
export const LOG_WINDOW: LogWindow = { puts: WINDOW, isPaced: true };

const SHORTEST_SPACING_MS = 1;

/** However slow a store is, commits wait no longer for others to share a put. */
const LONGEST_SPACING_MS = 25;
/** The part of a new measurement in the smoothed time, as TCP weighs round trips (RFC 6298). */
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

  /** How long until the next put may begin beside others, in milliseconds. A clock that was set back makes nobody wait. */
  waitMs(nowMs: number): number {
    const { puts, isPaced } = this.#window;
    const passedMs = nowMs - this.#begunAtMs;
    if (!isPaced || passedMs < 0) return 0;
    const wantedMs = Math.min(Math.max((this.#smoothedMs ?? 0) / puts, SHORTEST_SPACING_MS), LONGEST_SPACING_MS);
    return Math.max(wantedMs - passedMs, 0);
  }
}
