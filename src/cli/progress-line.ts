/** Shows progress as one line of a terminal that is overwritten. Where the output is not a terminal, nothing is shown. */

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

  /** Shows a line, at most every 100 ms unless it is urgent. @param text returns the line, given the seconds since the beginning */
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

/** Formats a share from 0 to 1 as `[######..................]  25 %`. */
export function bar(share: number): string {
  const full = Math.round(share * WIDTH);
  return `[${'#'.repeat(full)}${'.'.repeat(WIDTH - full)}] ${String(Math.floor(100 * share)).padStart(3)} %`;
}

/** Formats the estimated time left as `, 12 s left`; empty where it cannot be estimated. */
export function timeLeft(share: number, seconds: number): string {
  return share > 0 && share < 1 ? `, ${Math.ceil((seconds * (1 - share)) / share)} s left` : '';
}
