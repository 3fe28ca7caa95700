/**
 * Looks rows up in a range index by page (docs/storage-format.md, "Range index"). It answers equality of all keys, and
 * ranges and prefixes of a single key, by the rules of comparison. It knows the covered files only: the caller removes
 * rows that later files replace.
 *
 * Cost in a cold process: one request for the fence keys of the file in question, kept by the reader; then one for
 * adjacent pages, up to 4 MiB. Every page is checked against its checksum before it is used (B7).
 */
import { assert } from '../../base/index.ts';
import { compare, equals, type Value } from '../../value/index.ts';
import type { ArtefactReader } from '../api.ts';
import { mapConcurrently } from '../concurrency.ts';
import { pageCount } from '../files/page-table.ts';
import { successorOf } from './build-range.ts';
import { encodeKey, KEY_TYPES, MOST_KEY_BYTES } from './encode-key.ts';
import { Equalities, type PageRun } from './equalities.ts';
import { KeyBytes } from './key-bytes.ts';
import { keysOf, parseRangeDirectory, type RangeDirectory } from './range-directory.ts';
import { compareKeys, decodePage, type Fence, parseFence, reaches } from './range-page.ts';

/** Rows that were found, by their positions among all rows of the covered files, one file after the other. */
export interface RangeHits {
  /** Positions of rows: of `equal` ascending; of `between` and `prefix` in the order of their values, then ascending. */
  readonly rows: Uint32Array;
  /** Whether all rows have the requested values; when false, the caller must check them. No matching row is missing. */
  readonly isExact: boolean;
}

/** The bounds of a range. */
export interface RangeBounds {
  /** The lower bound; null when the range has none. `high` likewise. */
  readonly low: Value;
  readonly lowInclusive: boolean;
  readonly high: Value;
  readonly highInclusive: boolean;
}

/**
 * A range index of an artefact. Its methods fail with CORRUPTION, which names the object, when the index is damaged or
 * missing; it must not be used again then (`Namespace.foundDamaged`).
 */
export interface RangeIndex {
  readonly directory: RangeDirectory;
  /** The property keys of the index, in its order. */
  readonly keys: readonly string[];
  /**
   * Finds the rows whose values equal these, one for each key; none when a value is null. Questions that are asked in one
   * turn are answered together: each page is read once for all of them.
   */
  equal(values: readonly Value[]): Promise<RangeHits>;
  /**
   * Finds the rows whose value lies between the bounds by comparison (`<`), so is of their type; for an index of one
   * key. Without bounds it finds all rows, of an index of any number of keys. Hits come in pieces as pages are read:
   * few pages at once at first, then more.
   */
  between(bounds: RangeBounds): AsyncGenerator<RangeHits, void>;
  /** Finds the rows whose value is a text that starts with `text`; for an index of one key. */
  prefix(text: string): AsyncGenerator<RangeHits, void>;
}

/** Opens a range index, without a request. @throws CORRUPTION when the directory is not that of a range index */
export async function openRange(reader: ArtefactReader): Promise<RangeIndex> {
  return new PagedRange(reader, parseRangeDirectory(reader), keysOf(reader));
}

/**
 * A scan of the keys from `low` on to below `high`. `doubtful` are the cut keys whose entries may have values outside
 * the range; 'all' when every entry must be checked.
 */
interface Scan {
  readonly low: Uint8Array;
  /** The end of the scan; null for the end of the index. */
  readonly high: Uint8Array | null;
  readonly doubtful: 'all' | readonly Uint8Array[];
}

interface Key {
  readonly bytes: Uint8Array;
  readonly isCut: boolean;
}

/** A question of equality, and the promise of the answer to all that came with it. */
interface Question {
  readonly key: Uint8Array;
  readonly answer: PromiseWithResolvers<Equalities>;
}

const PAGES_AT_ONCE = 32;
/** About how many pages are read at once for questions of equality: 32 MiB. */
const MOST_PAGES_IN_MEMORY = 512;
const NO_HITS: RangeHits = { rows: new Uint32Array(0), isExact: true };

class PagedRange implements RangeIndex {
  readonly directory: RangeDirectory;
  readonly keys: readonly string[];
  readonly #reader: ArtefactReader;
  /** The fence of each file: that of its first page, from the manifest. */
  readonly #fileFences: readonly Fence[];
  readonly #fences = new Map<number, readonly Fence[]>();
  /** Questions of equality that came since the last ones were taken. */
  readonly #asked: Question[] = [];

  constructor(reader: ArtefactReader, directory: RangeDirectory, keys: readonly string[]) {
    this.#reader = reader;
    this.directory = directory;
    this.keys = keys;
    this.#fileFences = reader.artefact.files.map(({ pages }) => {
      if (!('fence' in pages) || typeof pages.fence !== 'string') throw reader.corruption('its pages have no fence keys');
      return parseFence(pages.fence);
    });
  }

  async equal(values: readonly Value[]): Promise<RangeHits> {
    assert(values.length === this.keys.length, 'as many values as the index has keys');
    if (values.some((value) => equals(value, value) !== true)) return NO_HITS;
    const answer = Promise.withResolvers<Equalities>();
    const key = keyOf(values);
    this.#asked.push({ key: key.bytes, answer });
    if (this.#asked.length === 1) queueMicrotask(() => void this.#answerAll(this.#asked.splice(0)));
    const rows = (await answer.promise).rowsOf(key.bytes);
    return { rows, isExact: rows.length === 0 || !key.isCut };
  }

  /** Answers questions of equality that came at one time. */
  async #answerAll(asked: readonly Question[]): Promise<void> {
    try {
      const found = new Equalities(asked.map(({ key }) => key));
      const runs = await this.#runsOf(found);
      const longest = runs.reduce((most, { count }) => Math.max(most, count), 1);
      await mapConcurrently(runs, Math.ceil(MOST_PAGES_IN_MEMORY / longest), (run) => this.#takeRun(run, found));
      for (const { answer } of asked) answer.resolve(found);
    } catch (error) {
      for (const { answer } of asked) answer.reject(error);
    }
  }

  /** Returns the pages that can answer questions, numbered over all files. */
  async #runsOf(questions: Equalities): Promise<readonly PageRun[]> {
    const runs: PageRun[] = [];
    let before = 0;
    for (const [file, { pages }] of this.#reader.artefact.files.entries()) {
      if (questions.mayBeIn(this.#fileFences[file]!, this.#fileFences[file + 1])) {
        for (const { first, count } of questions.pagesOf(await this.#fencesOf(file))) runs.push({ first: before + first, count });
      }
      before += pageCount({ pages });
    }
    return runs;
  }

  async #takeRun({ first, count }: PageRun, found: Equalities): Promise<void> {
    const source = this.#reader.artefact.files[0]!.key;
    for (const page of await this.#reader.readPages(first, count)) found.takeFrom(page, source, (row) => this.#checkRow(row));
  }

  /** @throws CORRUPTION for a row that the covered files do not have */
  #checkRow(row: number): void {
    const { rows } = this.directory;
    if (row < 0 || row >= rows) throw this.#reader.corruption(`it has row ${row}, of ${rows}`);
  }

  async *between(bounds: RangeBounds): AsyncGenerator<RangeHits, void> {
    const scan = scanOf(bounds);
    assert(this.keys.length === 1 || (bounds.low === null && bounds.high === null), 'bounds are of one key');
    if (scan !== null) yield* this.#scan(scan);
  }

  async *prefix(text: string): AsyncGenerator<RangeHits, void> {
    assert(this.keys.length === 1, 'prefixes are of one key');
    if (!text.isWellFormed()) return;
    const key = new KeyBytes();
    key.byte(KEY_TYPES.string);
    key.escaped(Buffer.from(text), MOST_KEY_BYTES);
    const { bytes, isCut } = cutKey(key);
    const high = bytes.slice();
    high[high.length - 1]!++;
    yield* this.#scan({ low: bytes, high, doubtful: isCut ? 'all' : [] });
  }

  /** Yields the hits of a scan, without empty pieces. */
  async *#scan(scan: Scan): AsyncGenerator<RangeHits, void> {
    const { low, high } = scan;
    let before = 0;
    let atOnce = 1;
    for (const [file, { pages }] of this.#reader.artefact.files.entries()) {
      const count = pageCount({ pages });
      if (this.#mayHave(this.#fileFences, file, scan)) {
        const fences = await this.#fencesOf(file);
        const from = fences.findIndex((_, page) => this.#mayHave(fences, page, { low, high: null }));
        for (let page = from < 0 ? count : from; page < count && isBelow(fences[page]!.key, high); ) {
          let end = page + 1;
          while (end < count && end - page < atOnce && isBelow(fences[end]!.key, high)) end++;
          yield* this.#readPages(before + page, end - page, scan);
          atOnce = Math.min(2 * atOnce, PAGES_AT_ONCE);
          page = end;
        }
      }
      before += count;
    }
  }

  /** Whether the page, or file, at an index of `fences` can have keys in the range. */
  #mayHave(fences: readonly Fence[], at: number, { low, high }: Pick<Scan, 'low' | 'high'>): boolean {
    const next = fences[at + 1];
    return isBelow(fences[at]!.key, high) && (next === undefined || reaches(next, low));
  }

  async #fencesOf(file: number): Promise<readonly Fence[]> {
    const known = this.#fences.get(file);
    if (known !== undefined) return known;
    const fences = (await this.#reader.readFences(file)).map(parseFence);
    this.#fences.set(file, fences);
    return fences;
  }

  async *#readPages(first: number, count: number, { low, high, doubtful }: Scan): AsyncGenerator<RangeHits, void> {
    const pages = await this.#reader.readPages(first, count);
    const source = this.#reader.artefact.files[0]!.key;
    for (const page of pages) {
      const rows: number[] = [];
      let isExact = true;
      decodePage(page, source, (key, row, isCut) => {
        if (compareKeys(key, low) < 0 || !isBelow(key, high)) return;
        this.#checkRow(row);
        rows.push(row);
        if (isCut && isExact) isExact = doubtful !== 'all' && !doubtful.some((each) => compareKeys(each, key) === 0);
        else if (doubtful === 'all') isExact = false;
      });
      if (rows.length > 0) yield { rows: Uint32Array.from(rows), isExact };
    }
  }
}

function isBelow(key: Uint8Array, high: Uint8Array | null): boolean {
  return high === null || compareKeys(key, high) < 0;
}

function keyOf(values: readonly Value[]): Key {
  const key = new KeyBytes();
  for (const value of values) encodeKey(value, key);
  return cutKey(key);
}

function cutKey(key: KeyBytes): Key {
  const isCut = key.length > MOST_KEY_BYTES;
  return { bytes: key.since(0).slice(0, MOST_KEY_BYTES), isCut };
}

/** Returns the scan of a range; null when no value can lie in it. */
function scanOf({ low, lowInclusive, high, highInclusive }: RangeBounds): Scan | null {
  if (low === null && high === null) return { low: new Uint8Array(0), high: null, doubtful: [] };
  const bounds = [low, high].filter((bound) => bound !== null);
  if (!bounds.every(isComparable)) return null;
  const [lowKey, highKey] = [low === null ? null : keyOf([low]), high === null ? null : keyOf([high])];
  const type = (lowKey ?? highKey)!.bytes[0]!;
  if (lowKey !== null && highKey !== null && highKey.bytes[0] !== type) return null;
  const from = lowKey === null ? Uint8Array.of(type) : lowInclusive || lowKey.isCut ? lowKey.bytes : successorOf(lowKey.bytes);
  const to = highKey === null ? endOf(type) : highInclusive || highKey.isCut ? successorOf(highKey.bytes) : highKey.bytes;
  // Lists are compared element by element, and some elements may not be comparable.
  const doubtful = type === KEY_TYPES.list ? 'all' : [lowKey, highKey].flatMap((key) => (key?.isCut === true ? [key.bytes] : []));
  return { low: from, high: to, doubtful };
}

/** Whether a bound can be compared; a list counts as comparable whatever its elements. */
function isComparable(bound: Value): boolean {
  return Array.isArray(bound) || compare(bound, bound) === 0;
}

/** Returns the end of the comparable values of a type, which excludes NaN. */
function endOf(type: number): Uint8Array {
  return type === KEY_TYPES.number ? keyOf([Number.NaN]).bytes : Uint8Array.of(type + 1);
}
