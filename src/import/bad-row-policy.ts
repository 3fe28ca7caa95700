/** What a bad row does to the import: it ends it, or is counted. */
import { GraphDBError } from '../base/index.ts';
import type { BadRow } from './api.ts';

export const MOST_SAMPLES = 10;

export class BadRowPolicy {
  count = 0;
  readonly samples: BadRow[] = [];
  readonly #skip: boolean;

  constructor(skip: boolean) {
    this.#skip = skip;
  }

  /** ARGUMENT_ERROR with file, line and reason, unless bad rows are skipped. */
  report(file: string, line: number, reason: string): void {
    if (!this.#skip)
      throw new GraphDBError('ARGUMENT_ERROR', `${file}:${line}: ${reason}; nothing was imported (--skip-bad-rows leaves such rows out)`);
    this.count++;
    if (this.samples.length < MOST_SAMPLES) this.samples.push({ file, line, reason });
  }

  /** More of them, whose reasons were not kept. */
  countMore(count: number): void {
    this.count += count;
  }
}
