/**
 * Sorts rows stably, in pieces between which other statements run. Runs are sorted with `Array.sort`, then merged in
 * pairs until one is left, galloping over rows that all come from one side, as in Timsort. Few rows are a single run.
 * Takes an extra array of half the length of the rows.
 */

/** Counts steps; returns true when other statements should run. */
interface Work {
  worked(steps: number): boolean;
}

/** The limits of a sort and the size of its rows: comparing long rows counts as many steps, so pieces are smaller. */
interface Sorting<W extends Work> {
  readonly limits: W;
  /** The bytes of all rows together. */
  readonly bytes: number;
}

type Compare<Row> = (a: Row, b: Row) => number;

/** The most rows of a run: `Array.sort` takes a few milliseconds for them. */
const RUN_ROWS = 8192;
/** The comparisons per row in a run: the binary logarithm of its rows. */
const COMPARISONS_PER_ROW = 13;
/** Rows that are merged before other statements may run. */
const PIECE_ROWS = 1024;
/** After this many rows in a row from one side, the following ones are found by galloping. */
const STREAK = 8;
/** Binary logarithm of the bytes of two long rows that are compared in the time of one step. */
const COMPARED = 9;
const FEWEST_ROWS = 16;

/** Sorts rows stably, in place; yields null where other statements should run. */
export function* sortRows<Row>(rows: Row[], compare: Compare<Row>, { limits, bytes }: Sorting<Work>): Generator<null, void, void> {
  const steps = 1 + (Math.floor(bytes / Math.max(1, rows.length)) >> COMPARED);
  const runRows = Math.max(FEWEST_ROWS, 2 ** Math.floor(Math.log2(RUN_ROWS / steps)));
  const pieceRows = Math.max(FEWEST_ROWS, Math.floor(PIECE_ROWS / steps));
  if (rows.length <= runRows) {
    if (limits.worked(rows.length * COMPARISONS_PER_ROW * steps)) yield null;
    rows.sort(compare);
    return;
  }
  for (let start = 0; start < rows.length; start += runRows) {
    if (limits.worked(Math.min(runRows, rows.length - start) * COMPARISONS_PER_ROW * steps)) yield null;
    const run = rows.slice(start, start + runRows).sort(compare);
    for (let i = 0; i < run.length; i++) rows[start + i] = run[i] as Row;
  }
  const left: Row[] = [];
  for (let width = runRows; width < rows.length; width *= 2) {
    for (let start = 0; start + width < rows.length; start += 2 * width) {
      const merge = new Merge(rows, left, compare, pieceRows);
      merge.begin(start, start + width, Math.min(start + 2 * width, rows.length));
      do if (limits.worked(pieceRows * steps)) yield null;
      while (!merge.nextPiece());
    }
  }
}

/** Sorts rows as `sortRows` does, in code that cannot yield. */
export function sortAtOnce<Row>(rows: Row[], compare: Compare<Row>, sorting: Sorting<{ look(): void } & Work>): void {
  for (const _ of sortRows(rows, compare, sorting)) sorting.limits.look();
}

/** Merges two neighbouring runs into one. The rows of the left run that must move are copied to another array first. */
class Merge<Row> {
  readonly #rows: Row[];
  readonly #left: Row[];
  readonly #compare: Compare<Row>;
  readonly #pieceRows: number;
  #copied = 0;
  #leftStart = 0;
  #leftCount = 0;
  /** The index of the next row in the copy of the left run; `#right` is that of the right run. */
  #at = 0;
  #right = 0;
  #end = 0;

  constructor(rows: Row[], left: Row[], compare: Compare<Row>, pieceRows: number) {
    this.#pieceRows = pieceRows;
    this.#rows = rows;
    this.#left = left;
    this.#compare = compare;
  }

  /** Begins a merge. Rows at the beginning of the left run and at the end of the right run may stay where they are. */
  begin(start: number, middle: number, end: number): void {
    const rows = this.#rows;
    const compare = this.#compare;
    this.#leftStart = start + upperBound(rows, start, middle, rows[middle] as Row, compare);
    this.#leftCount = middle - this.#leftStart;
    this.#right = middle;
    this.#end = this.#leftCount === 0 ? middle : middle + lowerBound(rows, middle, end, rows[middle - 1] as Row, compare);
  }

  /** Merges some rows. @returns whether the merge is complete */
  nextPiece(): boolean {
    if (this.#copied < this.#leftCount) {
      const end = Math.min(this.#copied + 4 * this.#pieceRows, this.#leftCount);
      for (let i = this.#copied; i < end; i++) this.#left[i] = this.#rows[this.#leftStart + i] as Row;
      this.#copied = end;
      return false;
    }
    this.#mergePiece();
    return this.#at === this.#leftCount;
  }

  #mergePiece(): void {
    const rows = this.#rows;
    const left = this.#left;
    const compare = this.#compare;
    const leftCount = this.#leftCount;
    const end = this.#end;
    let at = this.#at;
    let right = this.#right;
    let to = right - leftCount + at;
    const stop = to + this.#pieceRows;
    let leftStreak = 0;
    let rightStreak = 0;
    while (to < stop && at < leftCount && right < end) {
      if (compare(left[at] as Row, rows[right] as Row) <= 0) {
        rows[to++] = left[at++] as Row;
        rightStreak = 0;
        if (++leftStreak < STREAK) continue;
        const next = at + upperBound(left, at, leftCount, rows[right] as Row, compare);
        while (at < next) rows[to++] = left[at++] as Row;
        leftStreak = 0;
      } else {
        rows[to++] = rows[right++] as Row;
        leftStreak = 0;
        if (++rightStreak < STREAK) continue;
        const next = right + lowerBound(rows, right, end, left[at] as Row, compare);
        while (right < next) rows[to++] = rows[right++] as Row;
        rightStreak = 0;
      }
    }
    if (right === end) while (to < stop && at < leftCount) rows[to++] = left[at++] as Row;
    this.#at = at;
    this.#right = right;
  }
}

/** Returns how many of the sorted rows from index `from` on come before the key or are equal to it. */
function upperBound<Row>(rows: readonly Row[], from: number, end: number, key: Row, compare: Compare<Row>): number {
  let step = 1;
  let low = from;
  while (low + step <= end && compare(rows[low + step - 1] as Row, key) <= 0) {
    low += step;
    step *= 2;
  }
  let high = Math.min(low + step - 1, end);
  while (low < high) {
    const middle = (low + high) >> 1;
    if (compare(rows[middle] as Row, key) <= 0) low = middle + 1;
    else high = middle;
  }
  return low - from;
}

/** Returns how many of the sorted rows from index `from` on come before the key. */
function lowerBound<Row>(rows: readonly Row[], from: number, end: number, key: Row, compare: Compare<Row>): number {
  return upperBound(rows, from, end, key, (row, other) => (compare(row, other) < 0 ? -1 : 1));
}
