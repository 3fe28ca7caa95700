/** Decides what a bad row does to an import: it ends the import, alone or together with all other bad rows, or is only counted. */
import { GraphDBError } from '../base/index.ts';
import type { BadRow } from './api.ts';

/** How many bad rows are kept with their reasons; further ones are only counted. */
export const MOST_SAMPLES = 100;

const NOTHING_IMPORTED = 'nothing was imported (--skip-bad-rows leaves such rows out)';

/** Decides about bad rows, and counts them. */
export class BadRowPolicy {
  count = 0;
  readonly samples: BadRow[] = [];
  readonly #mode: 'end' | 'count' | 'gather';

  /** @param mode `end`: the first bad row ends the import; `count`: bad rows are left out; `gather`: all of them end it together */
  constructor(mode: 'end' | 'count' | 'gather') {
    this.#mode = mode;
  }

  /** Whether rows after a bad one are read too. */
  get goesOn(): boolean {
    return this.#mode !== 'end';
  }

  /** To be called once everything has been read. @throws ARGUMENT_ERROR with all bad rows that were gathered */
  complete(): void {
    if (this.#mode !== 'gather' || this.count === 0) return;
    const files = [...new Set(this.samples.map(({ file }) => file))];
    const inOrder = this.samples.toSorted((a, b) => files.indexOf(a.file) - files.indexOf(b.file) || a.line - b.line);
    const rows = inOrder.map(({ file, line, reason }) => `${file}:${line}: ${reason}`);
    if (this.count === 1) throw new GraphDBError('ARGUMENT_ERROR', `${rows[0]}; ${NOTHING_IMPORTED}`);
    const more = this.count > rows.length ? `\n  … and ${this.count - rows.length} more` : '';
    const list = rows.map((row) => `\n  ${row}`).join('');
    throw new GraphDBError('ARGUMENT_ERROR', `${this.count} rows cannot be loaded; ${NOTHING_IMPORTED}:${list}${more}`);
  }

  /** Reports a bad row. @throws ARGUMENT_ERROR with file, line and reason where the first bad row ends the import */
  report(file: string, line: number, reason: string): void {
    if (this.#mode === 'end') throw new GraphDBError('ARGUMENT_ERROR', `${file}:${line}: ${reason}; ${NOTHING_IMPORTED}`);
    this.count++;
    if (this.samples.length < MOST_SAMPLES) this.samples.push({ file, line, reason });
  }

  /** Counts bad rows whose reasons were not kept. */
  countMore(count: number): void {
    this.count += count;
  }
}
