/** Progress as one line of a terminal that is written over; nothing where the output is no terminal. */

import type { Writable } from 'node:stream';
import { monotonicMs } from '../base/index.ts';

const SHORTEST_INTERVAL_MS = 100;
const ERASE_LINE = '\r\u001b[K';

/** A line of progress on a terminal. */
export class ProgressLine {
  readonly #terminal: Writable | null;
  readonly #startedAt = monotonicMs();
  #shownAt = Number.NEGATIVE_INFINITY;
  #visible = false;

  constructor(output: Writable) {
    this.#terminal = 'isTTY' in output && output.isTTY === true ? output : null;
  }

  /** `text` gets the seconds since the beginning. What is not `urgent` is shown only so often. */
  show(text: (seconds: number) => string, urgent = false): void {
    if (this.#terminal === null) return;
    const now = monotonicMs();
    if (now - this.#shownAt < SHORTEST_INTERVAL_MS && !urgent) return;
    this.#shownAt = now;
    this.#visible = true;
    this.#terminal.write(ERASE_LINE + text((now - this.#startedAt) / 1000));
  }

  end(): void {
    if (this.#visible) this.#terminal?.write(ERASE_LINE);
    this.#visible = false;
  }
}

const WIDTH = 24;

/** `[######..................]  25 %` */
export function bar(share: number): string {
  const full = Math.round(share * WIDTH);
  return `[${'#'.repeat(full)}${'.'.repeat(WIDTH - full)}] ${String(Math.floor(100 * share)).padStart(3)} %`;
}

/** `, 12 s left`, or nothing where that cannot be said. */
export function timeLeft(share: number, seconds: number): string {
  return share > 0 && share < 1 ? `, ${Math.ceil((seconds * (1 - share)) / share)} s left` : '';
}
