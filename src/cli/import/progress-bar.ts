/** The progress of an import as one line of a terminal that is written over; nothing where the output is no terminal. */
import type { Writable } from 'node:stream';
import type { ImportProgress } from '../../import/index.ts';
import { formatCount } from './summary.ts';

const SHORTEST_INTERVAL_MS = 100;
const WIDTH = 24;
const ERASE_LINE = '\r\u001b[K';

export class ProgressBar {
  readonly #terminal: Writable | null;
  readonly #startedAt = performance.now();
  #shownAt = Number.NEGATIVE_INFINITY;
  #visible = false;

  constructor(output: Writable) {
    this.#terminal = 'isTTY' in output && output.isTTY === true ? output : null;
  }

  show(progress: ImportProgress): void {
    if (this.#terminal === null) return;
    const now = performance.now();
    if (now - this.#shownAt < SHORTEST_INTERVAL_MS && progress.phase !== 'writing') return;
    this.#shownAt = now;
    this.#visible = true;
    this.#terminal.write(ERASE_LINE + formatProgress(progress, (now - this.#startedAt) / 1000));
  }

  end(): void {
    if (this.#visible) this.#terminal?.write(ERASE_LINE);
    this.#visible = false;
  }
}

export function formatProgress({ phase, nodes, relationships, badRows, bytesRead, bytesTotal }: ImportProgress, seconds: number): string {
  const share = bytesTotal === 0 ? 1 : Math.min(1, bytesRead / bytesTotal);
  const full = Math.round(share * WIDTH);
  const bar = `[${'#'.repeat(full)}${'.'.repeat(WIDTH - full)}] ${String(Math.floor(100 * share)).padStart(3)} %`;
  const rows = nodes + relationships;
  const rate = seconds > 0 ? `, ${formatCount(rows / seconds)} rows/s` : '';
  const left = share > 0 && share < 1 ? `, ${Math.ceil((seconds * (1 - share)) / share)} s left` : '';
  const bad = badRows > 0 ? `, ${formatCount(badRows)} bad` : '';
  return `${bar} ${phase}: ${formatCount(rows)} rows${bad}${rate}${left}`;
}
