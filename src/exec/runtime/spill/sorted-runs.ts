/**
 * Sorted runs of rows in one file, merged when they are read. If there are more than can be merged together, groups of
 * neighbouring runs are merged first.
 */
import { mergeRows, type RowOrder } from './merge-rows.ts';
import type { SpillFile } from './spill-file.ts';
import type { SpillSpace } from './spill-space.ts';
import { SpilledRows } from './spilled-rows.ts';

/** The most runs that are merged together. */
const MOST_RUNS = 64;

/** Sorted runs of rows in one file. */
export class SortedRuns {
  readonly #space: SpillSpace;
  readonly #order: RowOrder;
  #file: SpillFile | null = null;
  #runs: SpilledRows[] = [];

  constructor(space: SpillSpace, order: RowOrder) {
    this.#space = space;
    this.#order = order;
  }

  get isEmpty(): boolean {
    return this.#runs.length === 0;
  }

  /** Returns a new run, to which rows must be appended in order. */
  begin(): SpilledRows {
    this.#file ??= this.#space.open();
    const run = new SpilledRows(this.#space, this.#file);
    this.#runs.push(run);
    return run;
  }

  /** Yields all rows in order, once, and rows that compare equal in the order of their runs; null where other statements should run. */
  *rows(): Generator<unknown[] | null, void, void> {
    try {
      for (const run of this.#runs) run.end();
      while (this.#runs.length > MOST_RUNS) yield* this.#mergeNeighbours();
      yield* mergeRows(this.#runs, this.#order);
    } finally {
      this.close();
    }
  }

  close(): void {
    this.#runs = [];
    if (this.#file !== null) this.#space.giveBack(this.#file);
    this.#file = null;
  }

  *#mergeNeighbours(): Generator<null, void, void> {
    const file = this.#space.open();
    const merged: SpilledRows[] = [];
    for (let start = 0; start < this.#runs.length; start += MOST_RUNS) {
      const run = new SpilledRows(this.#space, file);
      for (const row of mergeRows(this.#runs.slice(start, start + MOST_RUNS), this.#order)) {
        if (row === null) yield null;
        else run.append(row);
      }
      run.end();
      merged.push(run);
    }
    this.#space.giveBack(this.#file!);
    this.#file = file;
    this.#runs = merged;
  }
}
