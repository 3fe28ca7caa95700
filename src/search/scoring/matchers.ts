/**
 * Walks over the documents of one segment that match a part of a query, with their scores. All walks go forward.
 * `advance` moves to the next document that may match; `matches` finds out what takes longer, such as the order of
 * words, so that no single call goes through many documents.
 */
import { NO_MORE, type PostingsCursor } from '../postings/postings-cursor.ts';
import { bm25 } from './bm25.ts';

/** How often one `advance` of a conjunction asks its parts at most; no conjunction has as many parts. */
export const MOST_TRIES = 4_096;

/** A walk over documents that match. */
export interface Matcher {
  /** The present document; -1 before the first `advance`, NO_MORE at the end. */
  readonly document: number;
  /** Moves to the first document from `target` on that may match, and returns it. */
  advance(target: number): number;
  /** Tells whether the present document matches. */
  matches(): boolean;
  /** Returns the score of the present document, which must match. */
  score(): number;
  /** How many parts are looked at for each document; `steps` does not count them. */
  readonly width: number;
  /** An upper bound of how many documents match. A conjunction asks the part with the least cost first. */
  readonly cost: number;
  /** How many steps have been taken so far. */
  readonly steps: number;
}

/** The part of a score that does not depend on the document; it is the same for all segments. */
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

  /** @param codes the code of the field's length, by document */
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

  /** Returns a score that no document of the list exceeds. */
  highestScore(): number {
    return this.#bound(this.#cursor.bounds());
  }

  /** Returns the last document up to which `blockScore` holds. */
  blockEnd(target: number): number {
    return this.#cursor.blockEnd(target);
  }

  /** Returns a score that no document of the block that `blockEnd` was asked about exceeds. */
  blockScore(): number {
    return this.#bound(this.#cursor.blockBounds());
  }

  #bound({ mostFrequent, shortest }: { readonly mostFrequent: number; readonly shortest: number }): number {
    const { weight, lengthWeights } = this.#weight;
    return bm25(weight, mostFrequent, lengthWeights[shortest] as number);
  }
}

/** Matches a list of documents, all with the same score. */
export class ListMatcher implements Matcher {
  document = -1;
  readonly width = 1;
  readonly #documents: ArrayLike<number>;
  readonly #score: number;
  #next = 0;

  /** @param documents numbers of the documents, ascending */
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

/** Matches every document of a segment, all with the same score. */
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

/** Matches documents that match any of several parts. The scores of the parts are added up. */
export class AnyMatcher implements Matcher {
  document = -1;
  readonly width: number;
  readonly #parts: readonly Matcher[];

  constructor(parts: readonly Matcher[]) {
    this.#parts = parts;
    this.width = widthOf(parts);
  }

  /** The parts if each is a term; null otherwise. */
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

/** Matches documents that match all required parts and no forbidden one. Optional parts add to the score. */
export class AllMatcher implements Matcher {
  document = -1;
  readonly width: number;
  readonly #required: readonly Matcher[];
  readonly #optional: Matcher | null;
  readonly #forbidden: Matcher | null;

  /** @param required at least one part */
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

  /** Moves to a document that the rarest part has and all parts may have. It returns early when the parts do not agree soon. */
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
