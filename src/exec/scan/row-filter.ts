/**
 * Filters of a scan, asked a morsel at a time before it looks at each row: which rows may satisfy a condition that
 * compares a property with a value that does not change.
 *
 * A row that is left out does not satisfy the condition (it is false or null there); one that is left in may not
 * either, unless the filter is exact. So whoever scans asks the rows of others again.
 */
import type { ColumnView, DictionaryView } from '../../graph/index.ts';
import { bufferOver, FoundPlaces, findIn, LONGEST_WANTED, rowsWithin, type Wanted, type Within } from './kernel.ts';
import { MORSEL_ROWS } from './morsel.ts';
import { rarestTwo } from './rare-bytes.ts';
import type { Zones } from './zones.ts';

/** A filter of rows by one condition. */
export interface RowFilter {
  /** A row that is left in satisfies the condition. */
  readonly isExact: boolean;
  /** Writes, in ascending order, the rows of [first, end) that may satisfy it. @returns how many */
  select(first: number, end: number, rows: Int32Array): number;
  /** Keeps, of the first `count`, those that may satisfy it, in their order. @returns how many */
  narrow(rows: Int32Array, count: number): number;
}

/** A filter that leaves out no row. */
export const EVERY_ROW: RowFilter = {
  isExact: false,
  select: (first, end, rows) => {
    for (let row = first; row < end; row++) rows[row - first] = row;
    return end - first;
  },
  narrow: (_rows, count) => count,
};

/** A filter that leaves out every row. */
export const NO_ROW: RowFilter = { isExact: true, select: () => 0, narrow: () => 0 };

/** Keeps the rows that have a value. */
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

/** Numbers, days or codes between two bounds, both included. */
export class WithinBounds implements RowFilter {
  readonly isExact = true;
  private readonly values: Int32Array | Float64Array;
  private readonly valid: Uint8Array | null;
  private readonly within: Within;

  private readonly zones: Zones | null;

  /** @param zones null: the rows may change */
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
    // Blocks of which it has to be looked at each row are looked at together.
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

/** Strings of a dictionary: each is looked at once. */
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

/** Strings in UTF-8 that begin with bytes, or are just these. */
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

/** Strings in UTF-8 that contain others: the bytes of all rows lie one behind the other, and are searched as a whole. */
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
      // Another occurrence in a row that has one already tells nothing new.
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

/** The row of [row, end) whose bytes hold the place, which is not before them. */
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
