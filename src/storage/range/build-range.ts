/**
 * Builds a range index from rows, in bounded memory: entries are collected and sorted, all at once if they fit;
 * otherwise one range of keys after the other, each by a pass over the rows. A pass that finds too many entries keeps a
 * sample of their keys, by which the range is divided; a key of very many rows is a range of its own, whose entries
 * need no sorting.
 *
 * Memory: 25 bytes and its key for each entry that is collected, and the sink's buffers. With 6 million at once 100 M
 * entries take some 20 passes.
 */
import type { PageSequence, PageSink } from '../artefacts/artefact-kind.ts';
import { type CoveredBatch, type CoveredRows, NOT_LIVE } from '../artefacts/covered-rows.ts';
import { pauseIfDue } from '../files/background-thread.ts';
import { hasValue, type KeyColumn, keyColumnOf, MOST_KEY_BYTES } from './encode-key.ts';
import { KeyedEntries, orderOf } from './key-sort.ts';
import type { RangeDirectory } from './range-directory.ts';
import { commonLength, compareKeys, fenceText, PageWriter } from './range-page.ts';

/** The limits of building a range index. */
export interface RangeLimits {
  readonly entriesAtOnce: number;
  readonly keyBytesAtOnce: number;
}

/** The limits of building a range index outside of tests. */
export const RANGE_LIMITS: RangeLimits = { entriesAtOnce: 6 * 2 ** 20, keyBytesAtOnce: 72 * 2 ** 20 };

const SAMPLE = 8_192;
/** A factor on the number of ranges, since the sizes that a sample tells are not exact. */
const ROOM = 1.25;
const PIECE = 2 ** 10;

/** Builds a range index. The values of `columns`, in this order, make the key; rows that lack one of them have no entry. */
export async function buildRange(
  columns: readonly string[],
  rows: CoveredRows,
  pages: PageSink,
  limits: RangeLimits = RANGE_LIMITS,
): Promise<RangeDirectory> {
  const writer = new RangeWriter(pages.begin());
  await new RangeBuilder(columns, rows, writer, limits).write({ low: null, high: null });
  await writer.finish();
  return { rows: rows.count, entries: writer.entries, cutKeys: writer.cutKeys };
}

/** The keys from `low` on to below `high`; null for an open end. */
interface KeyRange {
  readonly low: Uint8Array | null;
  readonly high: Uint8Array | null;
}

class RangeBuilder {
  readonly #columns: readonly string[];
  readonly #rows: CoveredRows;
  readonly #writer: RangeWriter;
  readonly #limits: RangeLimits;
  readonly #collected = new KeyedEntries();

  constructor(columns: readonly string[], rows: CoveredRows, writer: RangeWriter, limits: RangeLimits) {
    this.#columns = columns;
    this.#rows = rows;
    this.#writer = writer;
    this.#limits = limits;
  }

  async write(range: KeyRange): Promise<void> {
    if (isOneKey(range)) return this.#writeAsTheyCome(range);
    const sample = await this.#collect(range);
    if (!sample.isTooLarge(this.#limits)) return this.#writeCollected();
    for (const part of sample.divide(range, this.#limits)) await this.write(part);
  }

  /** Collects the entries of the range unless they are too many; returns a sample, which tells how many there are. */
  async #collect(range: KeyRange): Promise<Sample> {
    const sample = new Sample();
    const collected = this.#collected;
    collected.clear();
    await this.#rows.each(this.#columns, (batch) => {
      forEachKey(batch, this.#columns, collected, (start, isCut, row) => {
        const key = collected.heap.since(start);
        const isWanted = isWithin(key, range);
        if (isWanted) sample.add(key);
        if (isWanted && !sample.isTooLarge(this.#limits)) collected.add(row, isCut);
        else collected.heap.truncate(start);
      });
    });
    return sample;
  }

  async #writeCollected(): Promise<void> {
    const collected = this.#collected;
    const order = orderOf(collected);
    for (let at = 0; at < order.length; at++) {
      const entry = order[at]!;
      this.#writer.add(collected.key(entry), collected.rows[entry]!, collected.cut[entry] === 1);
      if (this.#writer.isFull) await this.#writer.flush();
      if (at % PIECE === 0) pauseIfDue();
    }
  }

  async #writeAsTheyCome(range: KeyRange): Promise<void> {
    const batchEntries = this.#collected;
    await this.#rows.each(this.#columns, async (batch) => {
      batchEntries.clear();
      forEachKey(batch, this.#columns, batchEntries, (start, isCut, row) => {
        if (isWithin(batchEntries.heap.since(start), range)) batchEntries.add(row, isCut);
        else batchEntries.heap.truncate(start);
      });
      for (let entry = 0; entry < batchEntries.length; entry++) {
        this.#writer.add(batchEntries.key(entry), batchEntries.rows[entry]!, batchEntries.cut[entry] === 1);
        if (this.#writer.isFull) await this.#writer.flush();
      }
    });
  }
}

/** Writes the key of each live row with all values to the heap of the entries, and calls `take` with its start there. */
function forEachKey(
  { rows, columns, positions }: CoveredBatch,
  names: readonly string[],
  { heap }: KeyedEntries,
  take: (start: number, isCut: boolean, row: number) => void,
): void {
  const keyColumns: KeyColumn[] = [];
  for (const name of names) {
    const column = columns.get(name);
    if (column === undefined) return;
    keyColumns.push(keyColumnOf(column));
  }
  for (let row = 0; row < rows; row++) {
    if (row % PIECE === 0) pauseIfDue();
    if (positions[row] === NOT_LIVE || !keyColumns.every((column) => hasValue(column, row))) continue;
    const start = heap.length;
    for (const column of keyColumns) column.encode(row, heap);
    const isCut = heap.length - start > MOST_KEY_BYTES;
    if (isCut) heap.truncate(start + MOST_KEY_BYTES);
    take(start, isCut, positions[row]!);
  }
}

function isWithin(key: Uint8Array, { low, high }: KeyRange): boolean {
  return (low === null || compareKeys(key, low) >= 0) && (high === null || compareKeys(key, high) < 0);
}

function isOneKey({ low, high }: KeyRange): boolean {
  return low !== null && high !== null && compareKeys(high, successorOf(low)) === 0;
}

/** Returns the least key that is greater. */
export function successorOf(key: Uint8Array): Uint8Array {
  const successor = new Uint8Array(key.length + 1);
  successor.set(key);
  return successor;
}

/** Counts the entries of a range, and samples their keys at equal distances. */
class Sample {
  #keys: Uint8Array[] = [];
  #stride = 1;
  #entries = 0;
  #keyBytes = 0;

  add(key: Uint8Array): void {
    if (this.#entries % this.#stride === 0) {
      this.#keys.push(key.slice());
      if (this.#keys.length === 2 * SAMPLE) {
        this.#keys = this.#keys.filter((_, index) => index % 2 === 0);
        this.#stride *= 2;
      }
    }
    this.#entries++;
    this.#keyBytes += key.length;
  }

  isTooLarge({ entriesAtOnce, keyBytesAtOnce }: RangeLimits): boolean {
    return this.#entries > entriesAtOnce || this.#keyBytes > keyBytesAtOnce;
  }

  /** Divides the range into smaller ranges, in order. */
  divide({ low, high }: KeyRange, { entriesAtOnce, keyBytesAtOnce }: RangeLimits): KeyRange[] {
    const parts = Math.max(2, Math.ceil(ROOM * Math.max(this.#entries / entriesAtOnce, this.#keyBytes / keyBytesAtOnce)));
    const keys = this.#keys.sort(compareKeys);
    const bounds: Uint8Array[] = [];
    for (let part = 1; part < parts; part++) {
      const key = keys[Math.floor((part * keys.length) / parts)]!;
      const before = bounds.at(-1) ?? low;
      // A key that fills a range, or begins it, becomes a range of its own, so that each part is smaller than the range.
      if (before !== null && compareKeys(key, before) === 0) bounds.push(successorOf(key));
      else if (before === null || compareKeys(key, before) > 0) bounds.push(key);
    }
    return [low, ...bounds].map((from, index) => ({ low: from, high: bounds[index] ?? high })).filter((part) => !isEmpty(part));
  }
}

function isEmpty({ low, high }: KeyRange): boolean {
  return low !== null && high !== null && compareKeys(low, high) >= 0;
}

/** Writes entries, which come in their order, as pages with fence keys. */
class RangeWriter {
  entries = 0;
  cutKeys = 0;
  readonly #pages: PageSequence;
  readonly #page = new PageWriter();
  #last = new Uint8Array(0);
  #fence = '';

  constructor(pages: PageSequence) {
    this.#pages = pages;
  }

  get isFull(): boolean {
    return this.#page.isFull;
  }

  add(key: Uint8Array, row: number, isCut: boolean): void {
    const isFirst = this.#page.count === 0;
    if (isFirst) this.#fence = fenceText(key, this.entries === 0 ? null : this.#last);
    const shared = isFirst ? 0 : commonLength(key, this.#last);
    this.#page.add(key, { shared, isCut, row });
    if (shared < key.length || isFirst) this.#keep(key);
    this.entries++;
    if (isCut) this.cutKeys++;
  }

  #keep(key: Uint8Array): void {
    if (this.#last.buffer.byteLength < key.length) this.#last = new Uint8Array(2 * key.length);
    this.#last = new Uint8Array(this.#last.buffer, 0, key.length);
    this.#last.set(key);
  }

  async flush(): Promise<void> {
    await this.#pages.add(this.#page.finish(), this.#fence);
  }

  async finish(): Promise<void> {
    if (this.#page.count > 0) await this.flush();
  }
}
