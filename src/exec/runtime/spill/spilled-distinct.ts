/**
 * DISTINCT for more rows than fit into memory. As long as the keys fit, the first row of each key is reported at once.
 * From then on, rows with unknown keys are written, partitioned by their keys, and the first row of each key is
 * reported after all rows have arrived, in the order of arrival. A partition whose keys do not fit into memory takes
 * several passes.
 */
import type { HashKey } from '../../../value/index.ts';
import { BYTES_PER_SEEN, KeySet } from '../rows/groups.ts';
import { Partitions } from './partitions.ts';
import type { Row } from './row-codec.ts';
import { SortedRuns } from './sorted-runs.ts';
import type { SpillSpace } from './spill-space.ts';
import type { SpilledRows } from './spilled-rows.ts';

/** Finds the first row of each key, and writes rows to temporary files if the keys do not fit into memory. */
export class SpilledDistinct {
  readonly #space: SpillSpace;
  readonly #found: SortedRuns;
  #seen = new KeySet();
  #bytes = 0;
  /** The written rows; null as long as the keys fit into memory. */
  #partitions: Partitions | null = null;
  #arrivals = 0;

  constructor(space: SpillSpace) {
    this.#space = space;
    this.#found = new SortedRuns(space, null);
  }

  /** Returns true if the row is the first with its key; false if it is not, or if that is only known in `deferred`. */
  add(key: HashKey, row: Row): boolean {
    if (this.#partitions === null) return this.#learn(key) && this.#look();
    if (!this.#seen.has(key)) this.#partitions.append(key, [...row, key, this.#arrivals++]);
    return false;
  }

  #learn(key: HashKey): boolean {
    if (!this.#seen.add(key)) return false;
    const bytes = BYTES_PER_SEEN + this.#seen.addedBytes;
    this.#space.memory.chargeBytes(bytes);
    this.#bytes += bytes;
    return true;
  }

  #look(): true {
    if (this.#isFull) this.#partitions = new Partitions(this.#space);
    return true;
  }

  get #isFull(): boolean {
    return this.#space.isFull(this.#seen.size, this.#bytes);
  }

  /**
   * Yields, once, the first rows of the keys that `add` did not report, with the number of their arrival appended; null
   * where other statements should run.
   *
   * @param isOrdered whether rows come in the order of arrival
   */
  *deferred(isOrdered = true): Generator<unknown[] | null, void, void> {
    try {
      this.#forget();
      if (this.#partitions === null) return;
      yield* this.#partitions.end();
      for (const part of this.#partitions.parts) {
        let rows = part;
        while (rows.count > 0) rows = yield* this.#pass(rows, this.#partitions.another(), isOrdered);
      }
      this.#partitions.close();
      yield* this.#found.rows();
    } finally {
      this.close();
    }
  }

  close(): void {
    this.#forget();
    this.#partitions?.close();
    this.#found.close();
  }

  /** Finds first rows until their keys no longer fit; writes or yields them. @returns the rows whose keys did not fit */
  *#pass(rows: SpilledRows, left: SpilledRows, isWritten: boolean): Generator<unknown[] | null, SpilledRows, void> {
    const { limits } = this.#space;
    const found = isWritten ? this.#found.begin() : null;
    const reader = rows.reader();
    for (let row = reader.advance(); row !== null; row = reader.advance()) {
      if (limits.worked(1)) yield null;
      const key = row[row.length - 2] as HashKey;
      if (this.#isFull) {
        if (!this.#seen.has(key)) left.append(row);
      } else if (this.#learn(key)) {
        row.splice(-2, 1);
        if (found === null) yield row;
        else found.append(row);
      }
    }
    found?.end();
    left.end();
    this.#forget();
    return left;
  }

  #forget(): void {
    this.#seen = new KeySet();
    this.#space.releaseWritten(this.#bytes);
    this.#bytes = 0;
  }
}
