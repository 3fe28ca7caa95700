/**
 * Filters of a scan, applied to a morsel before the scan examines each row. They find rows that may satisfy a
 * condition, which compares a property with a value that does not change during the scan.
 *
 * A row that is left out does not satisfy the condition, which is false or null for it. A row that is kept may still
 * not satisfy it, unless the filter is exact, so the scan must test the kept rows of other filters again.
 */
import type { ColumnView, DictionaryView } from '../../graph/index.ts';
import { bufferOver, FoundPlaces, findIn, LONGEST_WANTED, rowsWithin, type Wanted, type Within } from './kernel.ts';
import { MORSEL_ROWS } from './morsel.ts';
import { rarestTwo } from './rare-bytes.ts';
import type { Zones } from './zones.ts';

/** A filter of rows by one condition. */
export interface RowFilter {
  /** Whether every row that is kept satisfies the condition. */
  readonly isExact: boolean;
  /** Writes, in ascending order, the rows of [first, end) that may satisfy the condition. @returns the number of rows */
  select(first: number, end: number, rows: Int32Array): number;
  /** Keeps, among the first `count` rows, those that may satisfy the condition, in their order. @returns the number of rows */
  narrow(rows: Int32Array, count: number): number;
}

/** A filter that keeps every row. */
export const EVERY_ROW: RowFilter = {
  isExact: false,
  select: (first, end, rows) => {
    for (let row = first; row < end; row++) rows[row - first] = row;
    return end - first;
  },
  narrow: (_rows, count) => count,
};

/** A filter that keeps no row. */
export const NO_ROW: RowFilter = { isExact: true, select: () => 0, narrow: () => 0 };

/** Keeps the rows that have a value, in their order. Returns their number. */
function keepValid(valid: Uint8Array | null, rows: Int32Array, count: number): number {
  if (valid === null) return count;
  let kept = 0;
  for (let i = 0; i < count; i++) {
    const row = rows[i]!;
    rows[kept] = row;
    kept += (valid[row >> 3]! >> (row & 7)) & 1;
  }
  return kept;
}

/** Keeps the rows whose number, day or code lies between two bounds, both included. */
export class WithinBounds implements RowFilter {
  readonly isExact = true;
  private readonly values: Int32Array | Float64Array;
  private readonly valid: Uint8Array | null;
  private readonly within: Within;

  private readonly zones: Zones | null;

  /** @param zones null if rows may change */
  constructor(column: ColumnView, zones: Zones | null, low: number, high: number) {
    const values = column.values as Int32Array | Float64Array;
    this.values = values;
    this.valid = column.valid;
    this.zones = zones;
    this.within = { bytes: bufferOver(values), bytesPerValue: values.BYTES_PER_ELEMENT as 4 | 8, low, high };
  }

  select(first: number, end: number, rows: Int32Array): number {
    const { zones, within } = this;
    let count = 0;
    // Consecutive blocks whose rows must all be tested are tested in one call.
    let unknown = first;
    for (let from = first, to = first; zones !== null && from < end; from = to) {
      to = Math.min(from + MORSEL_ROWS, end);
      const found = zones.rowsWithin(within.low, within.high, from, to);
      if (found === 'some') continue;
      if (unknown < from) count = rowsWithin(within, unknown, from, { rows, count });
      if (found === 'all') for (let row = from; row < to; row++) rows[count++] = row;
      unknown = to;
    }
    if (unknown < end) count = rowsWithin(within, unknown, end, { rows, count });
    return keepValid(this.valid, rows, count);
  }

  narrow(rows: Int32Array, count: number): number {
    const { values } = this;
    const { low, high } = this.within;
    let kept = 0;
    for (let i = 0; i < count; i++) {
      const row = rows[i]!;
      const value = values[row]!;
      rows[kept] = row;
      kept += +(value >= low) & +(value <= high);
    }
    return keepValid(this.valid, rows, kept);
  }
}

const UNKNOWN = 0;
const NO = 1;
const YES = 2;

/** Keeps the rows whose string in a dictionary passes a test; each string is tested once. */
export class OfDictionary implements RowFilter {
  readonly isExact = true;
  private readonly codes: Int32Array;
  private readonly valid: Uint8Array | null;
  private readonly dictionary: DictionaryView;
  private readonly test: (text: string) => boolean;
  private readonly known: Uint8Array;

  constructor(column: ColumnView, dictionary: DictionaryView, test: (text: string) => boolean) {
    this.codes = column.values as Int32Array;
    this.valid = column.valid;
    this.dictionary = dictionary;
    this.test = test;
    this.known = new Uint8Array(dictionary.size);
  }

  select(first: number, end: number, rows: Int32Array): number {
    return this.narrow(rows, EVERY_ROW.select(first, end, rows));
  }

  narrow(rows: Int32Array, count: number): number {
    const { codes, known } = this;
    const present = keepValid(this.valid, rows, count);
    let kept = 0;
    for (let i = 0; i < present; i++) {
      const row = rows[i]!;
      const code = codes[row]!;
      let is = known[code]!;
      if (is === UNKNOWN) is = known[code] = this.test(this.dictionary.decode(code)) ? YES : NO;
      rows[kept] = row;
      kept += is >> 1;
    }
    return kept;
  }
}

/** Keeps the rows whose UTF-8 string begins with the wanted bytes or, with `whole`, equals them. */
export class BeginningWith implements RowFilter {
  readonly isExact = true;
  private readonly offsets: Uint32Array;
  private readonly heap: Uint8Array;
  private readonly valid: Uint8Array | null;
  private readonly wanted: Uint8Array;
  private readonly mostBytes: number;

  constructor(column: ColumnView, heap: Uint8Array, wanted: Uint8Array, whole: boolean) {
    this.offsets = column.values as Uint32Array;
    this.heap = heap;
    this.valid = column.valid;
    this.wanted = wanted;
    this.mostBytes = whole ? wanted.length : Number.POSITIVE_INFINITY;
  }

  select(first: number, end: number, rows: Int32Array): number {
    return this.narrow(rows, EVERY_ROW.select(first, end, rows));
  }

  narrow(rows: Int32Array, count: number): number {
    const { offsets, heap, wanted, mostBytes } = this;
    const least = wanted.length;
    const present = keepValid(this.valid, rows, count);
    let kept = 0;
    for (let i = 0; i < present; i++) {
      const row = rows[i]!;
      const start = offsets[row]!;
      const length = offsets[row + 1]! - start;
      if (length < least || length > mostBytes) continue;
      let at = 0;
      while (at < least && heap[start + at] === wanted[at]) at++;
      if (at === least) rows[kept++] = row;
    }
    return kept;
  }
}

/** Keeps the rows whose UTF-8 string contains another: the bytes of all rows are contiguous, and are searched as a whole. */
export class Containing implements RowFilter {
  readonly isExact = true;
  private readonly offsets: Uint32Array;
  private readonly heap: Buffer;
  private readonly valid: Uint8Array | null;
  private readonly wanted: Wanted;
  private readonly found = new FoundPlaces();
  private readonly own = new Int32Array(1);

  constructor(column: ColumnView, heap: Uint8Array, wanted: Buffer) {
    this.offsets = column.values as Uint32Array;
    this.heap = bufferOver(heap);
    this.valid = column.valid;
    this.wanted = { bytes: wanted, ...rarestTwo(wanted, this.heap) };
  }

  select(first: number, end: number, rows: Int32Array): number {
    const { offsets } = this;
    if (this.wanted.bytes.length === 0) return keepValid(this.valid, rows, EVERY_ROW.select(first, end, rows));
    const to = offsets[end]!;
    let count = 0;
    let row = first;
    for (let from = offsets[first]!; from < to; ) {
      const start = from;
      from = this.searchFrom(start, to);
      // A row that is already found needs no further occurrence.
      for (let i = 0; i < this.found.count; i++) {
        const place = this.found.places[i]!;
        if (place < offsets[row]!) continue;
        row = rowAt(offsets, row, end, place);
        if (place + this.wanted.bytes.length > offsets[row + 1]!) continue;
        rows[count++] = row++;
      }
    }
    return keepValid(this.valid, rows, count);
  }

  private searchFrom(from: number, to: number): number {
    const { wanted, found } = this;
    if (wanted.bytes.length <= LONGEST_WANTED) return findIn(this.heap, wanted, { from, to }, found);
    const place = this.heap.indexOf(wanted.bytes, from);
    found.count = +(place >= 0 && place < to);
    found.places[0] = place;
    return found.count === 0 ? to : place + 1;
  }

  narrow(rows: Int32Array, count: number): number {
    let kept = 0;
    for (let i = 0; i < count; i++) {
      const row = rows[i]!;
      if (this.select(row, row + 1, this.own) > 0) rows[kept++] = row;
    }
    return kept;
  }
}

/** Returns the row of [row, end) whose bytes contain the position, which must not be before them. */
function rowAt(offsets: Uint32Array, row: number, end: number, place: number): number {
  let low = row;
  let high = end;
  while (high - low > 1) {
    const middle = (low + high) >> 1;
    if (offsets[middle]! <= place) low = middle;
    else high = middle;
  }
  return low;
}
