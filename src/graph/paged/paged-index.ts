/**
 * An index over a table in files that is read from the bucket: answers are cached, and a question without a cached answer
 * is noted as missing.
 */
import { ByteWriter, LRUCache } from '../../base/index.ts';
import type { RangeBounds, RangeHits, RangeIndex } from '../../storage/index.ts';
import { encodeValue, type Value } from '../../value/index.ts';
import { notLoaded } from '../view/residency.ts';
import type { LaterRows } from './later-rows.ts';
import { type Missing, noteMissing } from './page-faults.ts';

const KEPT_ANSWERS = 1_024;
/** About how many bytes an answer takes, with the pages that are read for it. */
const BYTES_OF_ANSWER = 2 ** 16;
/** Answers with more rows than this are not kept: the index is meant for short reads. */
const MOST_ROWS = 2 ** 16;
const NOTHING: RangeHits = { rows: new Uint32Array(0), isExact: true };

/** An index that is read from the bucket. */
export class PagedIndex {
  readonly #name: string;
  readonly #index: RangeIndex;
  /** The answers by question; `hits` is null when there were more than `MOST_ROWS` rows. */
  readonly #known = new LRUCache<string, { readonly hits: RangeHits | null }>(KEPT_ANSWERS);
  readonly #missing = new Map<string, Missing>();

  /** Finds the rows that the index artefact does not cover. */
  readonly later: LaterRows;

  /** @param name of the index in error messages */
  constructor(name: string, index: RangeIndex, later: LaterRows) {
    this.#name = name;
    this.#index = index;
    this.later = later;
  }

  /**
   * Finds rows by the values of all keys. Like every question here, returns no rows when the answer is not known yet,
   * which is noted. @throws INTERNAL when no statement is watched, or when there are more than `MOST_ROWS` rows
   */
  equal(values: readonly Value[]): RangeHits {
    return this.#ask(questionOf('=', values), () => this.#index.equal(values));
  }

  between(bounds: RangeBounds): RangeHits {
    const { low, lowInclusive, high, highInclusive } = bounds;
    return this.#ask(questionOf('<', [low, lowInclusive, high, highInclusive]), () => together(this.#index.between(bounds)));
  }

  prefix(text: string): RangeHits {
    return this.#ask(questionOf('^', [text]), () => together(this.#index.prefix(text)));
  }

  #ask(question: string, ask: () => Promise<RangeHits | null>): RangeHits {
    const known = this.#known.get(question);
    if (known?.hits === null) throw notLoaded(`index ${this.#name}`);
    if (known !== undefined) return known.hits;
    let missing = this.#missing.get(question);
    if (missing === undefined) {
      let asking: Promise<void> | null = null;
      missing = { bytes: BYTES_OF_ANSWER, load: () => (asking ??= this.#learn(question, ask)) };
      this.#missing.set(question, missing);
    }
    noteMissing(missing, `index ${this.#name}`);
    return NOTHING;
  }

  async #learn(question: string, ask: () => Promise<RangeHits | null>): Promise<void> {
    try {
      this.#known.set(question, { hits: await ask() });
    } finally {
      this.#missing.delete(question);
    }
  }
}

function questionOf(kind: string, values: readonly Value[]): string {
  const writer = new ByteWriter();
  for (const value of values) encodeValue(value, writer);
  return kind + Buffer.from(writer.view()).toString('latin1');
}

/** Joins pieces of an answer; null when they have more than `MOST_ROWS` rows. */
async function together(pieces: AsyncGenerator<RangeHits, void>): Promise<RangeHits | null> {
  const rows: number[] = [];
  let isExact = true;
  for await (const piece of pieces) {
    if (rows.length + piece.rows.length > MOST_ROWS) return null;
    for (const row of piece.rows) rows.push(row);
    isExact &&= piece.isExact;
  }
  return { rows: Uint32Array.from(rows), isExact };
}
