/**
 * Walks over the documents of one segment that match a part of a query, with their scores. All go forward. `advance`
 * goes to the next document that may match; what is slow to find out, such as the order of words, `matches` tells, so
 * that no single call goes through many documents.
 */
import { NO_MORE, type PostingsCursor } from '../postings/postings-cursor.ts';
import { bm25 } from './bm25.ts';

/** Parts of a conjunction that are asked in one go, more than any has. */
export const MOST_TRIES = 4_096;

/** A walk over documents that match. */
export interface Matcher {
  /** -1 before the first `advance`; NO_MORE at the end. */
  readonly document: number;
  /** Goes to the first document from `target` on that may match. */
  advance(target: number): number;
  /** Whether the present document matches. */
  matches(): boolean;
  /** Returns the score of the present document, which matches. */
  score(): number;
  /** How many parts are looked at for each document: steps that `steps` does not count. */
  readonly width: number;
  /** An upper bound of how many documents match: what comes first in a conjunction. */
  readonly cost: number;
  /** Steps that were taken so far. */
  readonly steps: number;
}

/** The part of a score that does not depend on the document: the same for all segments. */
export interface Weight {
  readonly weight: number;
  readonly lengthWeights: Float32Array;
}

/** Matches documents that have a term. */
export class TermMatcher implements Matcher {
  readonly width = 1;
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

  matches(): boolean {
    return true;
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
  readonly width = 1;
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

  matches(): boolean {
    return true;
  }

  score(): number {
    return this.#score;
  }
}

/** Every document of a segment. */
export class EveryMatcher implements Matcher {
  document = -1;
  readonly width = 1;
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

  matches(): boolean {
    return true;
  }

  score(): number {
    return this.#score;
  }
}

/** Documents that match any of several parts; scores are added up. */
export class AnyMatcher implements Matcher {
  document = -1;
  readonly width: number;
  readonly #parts: readonly Matcher[];

  constructor(parts: readonly Matcher[]) {
    this.#parts = parts;
    this.width = widthOf(parts);
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

  matches(): boolean {
    return this.#parts.some((part) => part.document === this.document && part.matches());
  }

  score(): number {
    let sum = 0;
    for (const part of this.#parts) if (part.document === this.document && part.matches()) sum += part.score();
    return Math.fround(sum);
  }
}

/** Documents that match all required parts and none of the forbidden ones; optional ones add to the score. */
export class AllMatcher implements Matcher {
  document = -1;
  readonly width: number;
  readonly #required: readonly Matcher[];
  readonly #optional: Matcher | null;
  readonly #forbidden: Matcher | null;

  /** @param required one at least */
  constructor(required: readonly Matcher[], optional: Matcher | null, forbidden: Matcher | null) {
    this.#required = required.toSorted((a, b) => a.cost - b.cost);
    this.#optional = optional;
    this.#forbidden = forbidden;
    this.width = widthOf(required) + (optional?.width ?? 0) + (forbidden?.width ?? 0);
  }

  get cost(): number {
    return this.#required[0]!.cost;
  }

  get steps(): number {
    const parts = this.#required.reduce((sum, { steps }) => sum + steps, 0);
    return parts + (this.#optional?.steps ?? 0) + (this.#forbidden?.steps ?? 0);
  }

  /** Goes to a document that the rarest part has, and that all of them may have: it gives way when they have not agreed soon. */
  advance(target: number): number {
    let wanted = target;
    for (let i = 0, tries = 0; i < this.#required.length && tries < MOST_TRIES; tries++) {
      const part = this.#required[i] as Matcher;
      const document = part.document < wanted ? part.advance(wanted) : part.document;
      if (document === NO_MORE) {
        wanted = NO_MORE;
        break;
      }
      if (document === wanted) i++;
      else {
        i = i === 0 ? 1 : 0;
        wanted = document;
      }
    }
    this.document = wanted;
    return wanted;
  }

  matches(): boolean {
    return this.#required.every((part) => isAt(part, this.document)) && !isAt(this.#forbidden, this.document);
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
  const found = matcher.document < document ? matcher.advance(document) : matcher.document;
  return found === document && matcher.matches();
}

function widthOf(parts: readonly Matcher[]): number {
  return parts.reduce((sum, { width }) => sum + width, 0);
}
