/** Sorts more rows than fit into memory for ORDER BY, stably: sorted runs are written to a file, then merged. */
import { sortRows } from '../rows/sort-rows.ts';
import { bytesOfRow } from './row-bytes.ts';
import type { Row } from './row-codec.ts';
import { SortedRuns } from './sorted-runs.ts';
import type { SpillSpace } from './spill-space.ts';

type Compare = (a: Row, b: Row) => number;

/** Sorts rows stably, and writes them to temporary files if they do not fit into memory. */
export class ExternalSort {
  readonly #space: SpillSpace;
  readonly #compare: Compare;
  readonly #runs: SortedRuns;
  #rows: Row[] = [];
  #bytes = 0;

  constructor(space: SpillSpace, compare: Compare) {
    this.#space = space;
    this.#compare = compare;
    this.#runs = new SortedRuns(space, compare);
  }

  /** Adds a row. Returns true when the rows in memory must be written with `flush`. */
  add(row: Row): boolean {
    const bytes = bytesOfRow(row, this.#space.limits);
    this.#space.memory.chargeBytes(bytes);
    this.#bytes += bytes;
    this.#rows.push(row);
    return this.#space.isFull(this.#rows.length, this.#bytes);
  }

  *flush(): Generator<null, void, void> {
    yield* this.#sort();
    const run = this.#runs.begin();
    for (const row of this.#rows) {
      if (this.#space.limits.worked(1)) yield null;
      run.append(row);
    }
    run.end();
    this.#forget();
  }

  /** Yields the rows in order, once; null where other statements should run. */
  *rows(): Generator<Row | null, void, void> {
    try {
      if (this.#runs.isEmpty) {
        yield* this.#sort();
        for (const row of this.#rows) {
          if (this.#space.limits.worked(1)) yield null;
          yield row;
        }
      } else {
        if (this.#rows.length > 0) yield* this.flush();
        yield* this.#runs.rows();
      }
    } finally {
      this.#forget();
      this.#runs.close();
    }
  }

  *#sort(): Generator<null, void, void> {
    yield* sortRows(this.#rows, this.#compare, { limits: this.#space.limits, bytes: this.#bytes });
  }

  #forget(): void {
    this.#rows = [];
    this.#space.releaseWritten(this.#bytes);
    this.#bytes = 0;
  }
}
