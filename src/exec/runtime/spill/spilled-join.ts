/**
 * A hash join whose right side need not fit into memory. As long as it fits, rows of the left side are joined as they
 * arrive. Otherwise both sides are written, partitioned by their keys, and joined partition by partition. If the right
 * side of a partition does not fit either, as many of its rows as fit are joined at a time, reading the left side again
 * for each.
 */
import type { HashKey, Value } from '../../../value/index.ts';
import { joinable } from '../rows/groups.ts';
import type { KeyValues } from '../rows/key-values.ts';
import { Partitions } from './partitions.ts';
import { bytesOfRow } from './row-bytes.ts';
import type { Row } from './row-codec.ts';
import type { SpillSpace } from './spill-space.ts';
import type { RowReader } from './spilled-rows.ts';

const NO_ROWS: readonly Row[] = [];
/** Bytes for a key in a map, with its list of rows. */
const BYTES_PER_KEY = 96;
/** The most rows kept in memory at a time; V8 limits a Map to 2^24 entries. */
const MOST_ROWS = 1 << 23;

interface Sides {
  readonly left: Partitions;
  readonly right: Partitions;
}

/** Joins rows by equal keys, and writes them to temporary files if the right side does not fit into memory. */
export class SpilledJoin {
  readonly #space: SpillSpace;
  readonly #values: KeyValues;
  #table = new Map<HashKey, Row[]>();
  #rows = 0;
  #bytes = 0;
  /** The written rows of both sides; null as long as the right side fits. */
  #sides: Sides | null = null;

  constructor(space: SpillSpace, values: KeyValues) {
    this.#space = space;
    this.#values = values;
  }

  /** Whether the right side is written to files, so that rows of the left side must be given to `defer`. */
  get isSpilled(): boolean {
    return this.#sides !== null;
  }

  /** Adds a row of the right side. Returns true when the rows in memory must be written with `flush`. */
  insert(keys: readonly Value[], row: Row): boolean {
    if (!joinable(keys)) return false;
    const key = this.#keyOf(keys);
    if (this.#sides !== null) {
      this.#sides.right.append(key, [...row, key]);
      return false;
    }
    this.#put(key, row);
    return this.#isFull;
  }

  /** Returns the rows of the right side that match keys of the left side. */
  find(keys: readonly Value[]): readonly Row[] {
    return joinable(keys) ? (this.#table.get(this.#keyOf(keys)) ?? NO_ROWS) : NO_ROWS;
  }

  /** Adds a row of the left side, to be joined in `deferred`. Only if `isSpilled`. */
  defer(keys: readonly Value[], row: Row): void {
    if (!joinable(keys)) return;
    const key = this.#keyOf(keys);
    this.#sides!.left.append(key, [...row, key]);
  }

  /** Yields the pairs of the deferred rows and their matches, the left row first; null where other statements should run. */
  *deferred(): Generator<readonly [Row, Row] | null, void, void> {
    try {
      if (this.#sides === null) return;
      const { left, right } = this.#sides;
      yield* left.end();
      yield* right.end();
      for (let at = 0; at < left.parts.length; at++) {
        if (left.parts[at]!.count === 0) continue;
        const rows = right.parts[at]!.reader();
        while (yield* this.#load(rows)) {
          yield* this.#probe(left.parts[at]!.reader());
          this.#forget();
        }
      }
    } finally {
      this.#forget();
      this.#sides?.left.close();
      this.#sides?.right.close();
    }
  }

  /** Reads rows into memory until they fill it, or end. @returns whether there were any */
  *#load(rows: RowReader): Generator<null, boolean, void> {
    while (!this.#isFull) {
      const row = rows.advance();
      if (row === null) break;
      if (this.#space.limits.worked(1)) yield null;
      this.#put(row.at(-1) as HashKey, row);
    }
    return this.#rows > 0;
  }

  *#probe(rows: RowReader): Generator<readonly [Row, Row] | null, void, void> {
    const { limits } = this.#space;
    try {
      for (let row = rows.advance(); row !== null; row = rows.advance()) {
        if (limits.worked(1)) yield null;
        for (const other of this.#table.get(row.at(-1) as HashKey) ?? NO_ROWS) {
          if (limits.worked(1)) yield null;
          yield [row, other];
        }
      }
    } finally {
      rows.close();
    }
  }

  #keyOf(keys: readonly Value[]): HashKey {
    return keys.length === 1 ? this.#values.hashKey(keys[0]!) : this.#values.hashKeyOf(keys);
  }

  get #isFull(): boolean {
    return this.#rows >= MOST_ROWS || (this.#rows > 0 && this.#space.isFull(this.#rows, this.#bytes));
  }

  #put(key: HashKey, row: Row): void {
    const rows = this.#table.get(key);
    const bytes = bytesOfRow(row, this.#space.limits) + (rows === undefined ? BYTES_PER_KEY + 2 * String(key).length : 0);
    this.#space.memory.chargeBytes(bytes);
    this.#bytes += bytes;
    this.#rows++;
    if (rows === undefined) this.#table.set(key, [row]);
    else rows.push(row);
  }

  /** Moves the rows in memory to files; further rows are written as well. */
  *flush(): Generator<null, void, void> {
    const right = new Partitions(this.#space);
    this.#sides = { left: new Partitions(this.#space), right };
    for (const [key, rows] of this.#table) {
      if (this.#space.limits.worked(rows.length)) yield null;
      for (const row of rows) right.append(key, [...row, key]);
    }
    this.#forget();
  }

  #forget(): void {
    this.#rows = 0;
    this.#table = new Map();
    this.#space.releaseWritten(this.#bytes);
    this.#bytes = 0;
  }
}
