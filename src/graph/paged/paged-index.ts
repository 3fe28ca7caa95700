/**
 * A range index in files that is read by page: a question to it reads the pages of keys that it touches. Answers are kept
 * among the pages of the graph: a statement that misses one runs ahead, and asks the same question again when it is known.
 */
import { ByteWriter } from '../../base/index.ts';
import type { RangeBounds, RangeHits, RangeIndex } from '../../storage/index.ts';
import { encodeValue, type Value } from '../../value/index.ts';
import { notLoaded } from '../view/residency.ts';
import type { LaterRows } from './later-rows.ts';
import type { CachedPage, PageCache } from './page-cache.ts';
import { isReadingToEnd, type Missing, noteMissing } from './page-faults.ts';

/** About how many bytes an answer takes, with the pages that are read for it. */
const BYTES_OF_ANSWER = 2 ** 16;
/** Bytes that an answer takes beside its rows and its question. */
const BYTES_BESIDE = 256;
/** The most rows of an answer to a short read. */
const MOST_ROWS = 2 ** 16;
const NOTHING: RangeHits = { rows: new Uint32Array(0), isExact: true };

/** An answer; `hits` is null when a short read has asked, and there were more than `MOST_ROWS` rows. */
interface Answer extends CachedPage {
  readonly hits: RangeHits | null;
}

/** Finds the answer to a question; null when it has more than `most` rows. */
type Ask = (most: number) => Promise<RangeHits | null>;

/** An index that is read from the bucket. */
export class PagedIndex {
  readonly #name: string;
  readonly #index: RangeIndex;
  readonly #cache: PageCache;
  /** The answers that are in memory, by question. */
  readonly #known = new Map<string, Answer>();
  readonly #missing = new Map<string, Missing>();

  /** Finds the rows that the index artefact does not cover. */
  readonly later: LaterRows;

  /** @param name of the index in error messages */
  constructor(name: string, index: RangeIndex, later: LaterRows, cache: PageCache) {
    this.#name = name;
    this.#index = index;
    this.later = later;
    this.#cache = cache;
  }

  /**
   * Finds rows by the values of all keys. Like every question here, returns no rows when the answer is not known yet,
   * which is noted. @throws INTERNAL when no statement is watched, or when there are more than `MOST_ROWS` rows for a short read
   */
  equal(values: readonly Value[]): RangeHits {
    return this.#ask(questionOf('=', values), () => this.#index.equal(values));
  }

  between(bounds: RangeBounds): RangeHits {
    const { low, lowInclusive, high, highInclusive } = bounds;
    const question = questionOf('<', [low, lowInclusive, high, highInclusive]);
    return this.#ask(question, (most) => together(this.#index.between(bounds), most));
  }

  prefix(text: string): RangeHits {
    return this.#ask(questionOf('^', [text]), (most) => together(this.#index.prefix(text), most));
  }

  #ask(question: string, ask: Ask): RangeHits {
    const known = this.#known.get(question);
    if (known?.hits === null && !isReadingToEnd()) throw notLoaded(`index ${this.#name}`);
    if (known != null && known.hits !== null) {
      known.used = this.#cache.now;
      return known.hits;
    }
    noteMissing(this.#missingAnswer(question, ask), `index ${this.#name}`);
    return NOTHING;
  }

  #missingAnswer(question: string, ask: Ask): Missing {
    const most = isReadingToEnd() ? Number.POSITIVE_INFINITY : MOST_ROWS;
    // A statement that reads to its end must not share a read that gives up.
    const name = `${most} ${question}`;
    let missing = this.#missing.get(name);
    if (missing === undefined) {
      let asking: Promise<void> | null = null;
      const learn = async (): Promise<void> => {
        try {
          this.#keep(question, await ask(most));
        } finally {
          this.#missing.delete(name);
        }
      };
      missing = { bytes: BYTES_OF_ANSWER, load: () => (asking ??= learn()) };
      this.#missing.set(name, missing);
    }
    return missing;
  }

  #keep(question: string, hits: RangeHits | null): void {
    const bytes = BYTES_BESIDE + 2 * question.length + (hits?.rows.byteLength ?? 0);
    const drop = (): void => {
      if (this.#known.get(question) === answer) this.#known.delete(question);
    };
    const answer: Answer = { hits, bytes, used: this.#cache.now, drop };
    this.#known.set(question, answer);
    this.#cache.add(answer);
  }
}

function questionOf(kind: string, values: readonly Value[]): string {
  const writer = new ByteWriter();
  for (const value of values) encodeValue(value, writer);
  return kind + Buffer.from(writer.view()).toString('latin1');
}

/** Joins pieces of an answer; null when they have more than `most` rows. */
async function together(pieces: AsyncGenerator<RangeHits, void>, most: number): Promise<RangeHits | null> {
  const found: Uint32Array[] = [];
  let count = 0;
  let isExact = true;
  for await (const piece of pieces) {
    count += piece.rows.length;
    if (count > most) return null;
    found.push(piece.rows);
    isExact &&= piece.isExact;
  }
  const rows = new Uint32Array(count);
  let at = 0;
  for (const piece of found) {
    rows.set(piece, at);
    at += piece.length;
  }
  return { rows, isExact };
}
