/** Walks over the documents of one segment that match a part of a query, with their scores. All go forward. */
import { NO_MORE, type PostingsCursor } from '../postings/postings-cursor.ts';
import { bm25 } from './bm25.ts';

export interface Matcher {
  /** -1 before the first `advance`; NO_MORE at the end. */
  readonly document: number;
  /** Goes to the first document from `target` on. */
  advance(target: number): number;
  /** Of the present document. */
  score(): number;
  /** An upper bound of how many documents match: what comes first in a conjunction. */
  readonly cost: number;
  /** Steps that were taken so far. */
  readonly steps: number;
}

/** What a score depends on beside the document: the same for all segments. */
export interface Weight {
  readonly weight: number;
  readonly lengthWeights: Float32Array;
}

export class TermMatcher implements Matcher {
  readonly #cursor: PostingsCursor;
  readonly #weight: Weight;
  readonly #codes: Uint8Array;

  /** @param codes of lengths, by document */
  constructor(cursor: PostingsCursor, weight: Weight, codes: Uint8Array) {
    this.#cursor = cursor;
    this.#weight = weight;
    this.#codes = codes;
  }

  get document(): number {
    return this.#cursor.document;
  }

  get cost(): number {
    return this.#cursor.count;
  }

  get steps(): number {
    return this.#cursor.steps;
  }

  advance(target: number): number {
    return this.#cursor.advance(target);
  }

  score(): number {
    const { weight, lengthWeights } = this.#weight;
    return bm25(weight, this.#cursor.frequency, lengthWeights[this.#codes[this.#cursor.document] as number] as number);
  }

  /** No document of the list has a higher score. */
  highestScore(): number {
    return this.#bound(this.#cursor.bounds());
  }

  /** Until which document `blockScore` holds. */
  blockEnd(target: number): number {
    return this.#cursor.blockEnd(target);
  }

  /** No document of the block that `blockEnd` was asked for has a higher score. */
  blockScore(): number {
    return this.#bound(this.#cursor.blockBounds());
  }

  #bound({ mostFrequent, shortest }: { readonly mostFrequent: number; readonly shortest: number }): number {
    const { weight, lengthWeights } = this.#weight;
    return bm25(weight, mostFrequent, lengthWeights[shortest] as number);
  }
}

/** A list of documents, all with one score. */
export class ListMatcher implements Matcher {
  document = -1;
  readonly #documents: ArrayLike<number>;
  readonly #score: number;
  #next = 0;

  /** @param documents ascending */
  constructor(documents: ArrayLike<number>, score: number) {
    this.#documents = documents;
    this.#score = score;
  }

  get cost(): number {
    return this.#documents.length;
  }

  get steps(): number {
    return this.#next;
  }

  advance(target: number): number {
    while (this.document < target) {
      this.document = this.#next < this.#documents.length ? (this.#documents[this.#next++] as number) : NO_MORE;
    }
    return this.document;
  }

  score(): number {
    return this.#score;
  }
}

/** Every document of a segment. */
export class EveryMatcher implements Matcher {
  document = -1;
  readonly cost: number;
  readonly steps = 0;
  readonly #score: number;

  constructor(documentCount: number, score: number) {
    this.cost = documentCount;
    this.#score = score;
  }

  advance(target: number): number {
    this.document = target < this.cost ? target : NO_MORE;
    return this.document;
  }

  score(): number {
    return this.#score;
  }
}

/** Documents that match any of several parts; scores are added up. */
export class AnyMatcher implements Matcher {
  document = -1;
  readonly #parts: readonly Matcher[];

  constructor(parts: readonly Matcher[]) {
    this.#parts = parts;
  }

  /** The parts where each is a term; null otherwise. */
  get termsOnly(): readonly TermMatcher[] | null {
    return this.#parts.every((part) => part instanceof TermMatcher) ? this.#parts : null;
  }

  get cost(): number {
    return this.#parts.reduce((sum, { cost }) => sum + cost, 0);
  }

  get steps(): number {
    return this.#parts.reduce((sum, { steps }) => sum + steps, 0);
  }

  advance(target: number): number {
    let lowest = NO_MORE;
    for (const part of this.#parts) {
      const document = part.document < target ? part.advance(target) : part.document;
      if (document < lowest) lowest = document;
    }
    this.document = lowest;
    return lowest;
  }

  score(): number {
    let sum = 0;
    for (const part of this.#parts) if (part.document === this.document) sum += part.score();
    return Math.fround(sum);
  }
}

/** Documents that match all required parts and none of the forbidden ones; optional ones add to the score. */
export class AllMatcher implements Matcher {
  document = -1;
  readonly #required: readonly Matcher[];
  readonly #optional: Matcher | null;
  readonly #forbidden: Matcher | null;

  /** @param required one at least */
  constructor(required: readonly Matcher[], optional: Matcher | null, forbidden: Matcher | null) {
    this.#required = required.toSorted((a, b) => a.cost - b.cost);
    this.#optional = optional;
    this.#forbidden = forbidden;
  }

  get cost(): number {
    return this.#required[0]!.cost;
  }

  get steps(): number {
    const parts = this.#required.reduce((sum, { steps }) => sum + steps, 0);
    return parts + (this.#optional?.steps ?? 0) + (this.#forbidden?.steps ?? 0);
  }

  advance(target: number): number {
    let wanted = target;
    for (;;) {
      wanted = this.#agree(wanted);
      if (wanted === NO_MORE || !isAt(this.#forbidden, wanted)) break;
      wanted++;
    }
    this.document = wanted;
    return wanted;
  }

  /** The first document from `target` on that all required parts have. */
  #agree(target: number): number {
    let wanted = target;
    for (let i = 0; i < this.#required.length; ) {
      const part = this.#required[i] as Matcher;
      const document = part.document < wanted ? part.advance(wanted) : part.document;
      if (document === NO_MORE) return NO_MORE;
      if (document === wanted) i++;
      else {
        i = i === 0 ? 1 : 0;
        wanted = document;
      }
    }
    return wanted;
  }

  score(): number {
    let sum = 0;
    for (const part of this.#required) sum += part.score();
    if (isAt(this.#optional, this.document)) sum += (this.#optional as Matcher).score();
    return Math.fround(sum);
  }
}

function isAt(matcher: Matcher | null, document: number): boolean {
  if (matcher === null) return false;
  return (matcher.document < document ? matcher.advance(document) : matcher.document) === document;
}
