/**
 * Answers a query over several segments: scores are those of one index over all documents that the reader sees,
 * whatever segment these lie in, and whatever else the segments hold.
 *
 * A search is a generator that yields how many steps it has taken since the last time, so that its caller can count
 * them, let other statements run, and end it.
 */

import { NO_MORE } from '../postings/postings-cursor.ts';
import type { TextSegment } from '../postings/text-segment.ts';
import { LARGEST_FACTOR, type TextQuery } from '../query/query.ts';
import { type FieldStatistics, idf, lengthWeights } from './bm25.ts';
import { AllMatcher, AnyMatcher, EveryMatcher, ListMatcher, type Matcher, TermMatcher, type Weight } from './matchers.ts';
import { PhraseMatcher, type PhrasePlace } from './phrase-matcher.ts';
import { codePointsOf, compareTerms, editDistance, type TermSetQuery, termTest } from './term-sets.ts';
import { type Hit, TopHits } from './top-hits.ts';

/** A segment as a reader sees it. */
export interface SearchedSegment {
  readonly segment: TextSegment;
  /** The number of documents that the reader knows of; it sees none that were added later. */
  readonly documentCount: number;
  /** A bitmap of the documents that the reader sees; null: it sees all. */
  readonly visible: Uint8Array | null;
  /** Tells whether a document may be found; null: all may. It changes no score. */
  readonly accepts: ((document: number) => boolean) | null;
  /** Returns a number that no other document of any segment has. Hits of equal score are ordered by it. */
  rank(document: number): number;
}

/** A search that is asked of several segments. */
export interface SearchRequest {
  readonly query: TextQuery;
  /** Names of the fields, in the order in which segments have them. */
  readonly fields: readonly string[];
  readonly segments: readonly SearchedSegment[];
  readonly most: number;
  /** Called before one more hit is kept. */
  readonly onKept: () => void;
  /** Called for steps of work that cannot be interrupted, beside the steps that the search yields. It may throw. */
  readonly onWork: (steps: number) => void;
  /** Called before memory is allocated that the search keeps until it ends. It may throw. */
  readonly onTaken: (bytes: number) => void;
}

type Steps<T> = Generator<number, T, void>;

const STEPS_TOGETHER = 1_024;
const MOST_SPELLINGS = 50;
/** Tolerance for sums that are bounds of scores: they are added in another order than the scores are. */
const ROUNDING = 1 + 1e-6;
const STEPS_PER_DISTANCE = 4;
/** Terms with more code points than this count extra steps when their distance is computed. */
const LONG_TERM = 64;
/** How many misspelt words are charged together. */
const SPELLINGS_TOGETHER = 64;
const BYTES_PER_SPELLING = 160;

/** Answers a query over segments. Returns the best hits, best first. */
export function* searchText(request: SearchRequest): Steps<Hit[]> {
  const search = new Search(request);
  const hits = new TopHits(request.most, request.onKept);
  if (request.most === 0) return [];
  for (let i = 0; i < request.segments.length; i++) yield* search.segment(i, hits);
  return hits.sorted();
}

class Search {
  readonly #request: SearchRequest;
  /** The statistics of each field, taken at the start, since documents may be added while the search lets others run. */
  readonly #statistics: readonly FieldStatistics[];
  readonly #lengthWeights = new Map<number, Float32Array>();
  /** For each field and term the number of documents that have it and that the reader sees. */
  readonly #counts = new Map<string, number>();
  readonly #spellings = new Map<TextQuery, readonly { readonly term: string; readonly weight: Weight }[]>();
  readonly #query: TextQuery;

  constructor(request: SearchRequest) {
    this.#request = request;
    this.#query = flattened(request.query);
    this.#statistics = request.fields.map((_, field) => statisticsOf(request.segments, field));
  }

  *segment(at: number, hits: TopHits): Steps<void> {
    const matcher = yield* this.#matcher(this.#query, 1, at);
    if (matcher === null) return;
    const terms = Number.isFinite(this.#request.most) ? disjunctTerms(matcher) : null;
    if (terms === null) yield* this.#all(matcher, at, hits);
    else yield* this.#best(terms, at, hits);
  }

  *#all(matcher: Matcher, at: number, hits: TopHits): Steps<void> {
    let steps = 0;
    const turnsTogether = Math.ceil(STEPS_TOGETHER / matcher.width);
    for (let document = matcher.advance(0), turns = 1; document !== NO_MORE; document = matcher.advance(document + 1), turns++) {
      if (matcher.matches()) this.#take(matcher, at, hits);
      if (turns % turnsTogether !== 0) continue;
      yield turnsTogether * matcher.width + matcher.steps - steps;
      steps = matcher.steps;
    }
    yield 1 + matcher.steps - steps;
  }

  #take(matcher: Matcher, at: number, hits: TopHits): void {
    const { document } = matcher;
    const searched = this.#request.segments[at] as SearchedSegment;
    if (!isSeen(searched, document)) return;
    const score = matcher.score();
    if (score >= hits.threshold && searched.accepts?.(document) !== false)
      hits.add({ segment: at, document, score, rank: searched.rank(document) });
  }

  /** Finds the best hits, and skips documents and blocks that cannot be among them: block-max WAND. */
  *#best(terms: readonly TermMatcher[], at: number, hits: TopHits): Steps<void> {
    const matcher = new AnyMatcher(terms);
    const highest = new Map(terms.map((term) => [term, term.highestScore()]));
    const byDocument = [...terms];
    for (const term of terms) term.advance(0);
    let steps = 0;
    const turnsTogether = Math.ceil(STEPS_TOGETHER / terms.length);
    for (let turns = 1; ; turns++) {
      if (turns % turnsTogether === 0) {
        yield turnsTogether * terms.length + matcher.steps - steps;
        steps = matcher.steps;
      }
      byDocument.sort((a, b) => a.document - b.document);
      const { threshold } = hits;
      let [pivot, bound] = [-1, 0];
      do {
        pivot++;
        bound += pivot < byDocument.length ? highest.get(byDocument[pivot] as TermMatcher)! : 0;
      } while (pivot < byDocument.length && bound * ROUNDING < threshold);
      const document = byDocument[pivot]?.document ?? NO_MORE;
      if (document === NO_MORE) break;
      while (byDocument[pivot + 1]?.document === document) pivot++;
      if (byDocument[0]!.document < document) {
        const before = byDocument.slice(0, pivot).filter((term) => term.document < document);
        const after = afterBlocks(byDocument, pivot, document, threshold);
        for (const term of before) term.advance(after);
        continue;
      }
      const after = afterBlocks(byDocument, pivot, document, threshold);
      if (after === document) {
        matcher.document = document;
        this.#take(matcher, at, hits);
      }
      for (let i = 0; i <= pivot; i++) byDocument[i]!.advance(Math.max(after, document + 1));
    }
    yield 1 + matcher.steps - steps;
  }

  *#matcher(query: TextQuery, boost: number, at: number): Steps<Matcher | null> {
    yield 1;
    const { segment } = this.#request.segments[at] as SearchedSegment;
    switch (query.kind) {
      case 'term': {
        const field = this.#field(query.field);
        const cursor = field < 0 ? null : segment.cursor(field, query.term);
        if (cursor === null) return null;
        const weight = yield* this.#termWeight(field, [query.term], boost);
        return new TermMatcher(cursor, weight, segment.lengthCodes(field));
      }
      case 'phrase':
        return yield* this.#phrase(query, boost, at);
      case 'fuzzy':
        return yield* this.#fuzzy(query, boost, at);
      case 'prefix':
      case 'wildcard':
      case 'regex':
      case 'range':
      case 'exists':
        return yield* this.#termSet(query, boost, segment);
      case 'everything':
        return new EveryMatcher((this.#request.segments[at] as SearchedSegment).documentCount, boost);
      case 'nothing':
        return null;
      case 'boost':
        return yield* this.#matcher(query.query, factorOf(boost * query.factor), at);
      case 'boolean':
        return yield* this.#boolean(query.clauses, boost, at);
    }
  }

  *#boolean(clauses: Extract<TextQuery, { kind: 'boolean' }>['clauses'], boost: number, at: number): Steps<Matcher | null> {
    const [required, optional, forbidden]: [Matcher[], Matcher[], Matcher[]] = [[], [], []];
    const hasRequired = clauses.some(({ occur }) => occur === 'must');
    for (const { occur, query } of clauses) {
      const matcher = yield* this.#matcher(query, boost, at);
      if (matcher === null && occur === 'must') return null;
      if (matcher !== null) (occur === 'must' ? required : occur === 'should' ? optional : forbidden).push(matcher);
    }
    const any = together(optional);
    const not = together(forbidden);
    if (hasRequired) return required.length === 1 && any === null && not === null ? required[0]! : new AllMatcher(required, any, not);
    return any === null || not === null ? any : new AllMatcher([any], null, not);
  }

  *#phrase(query: Extract<TextQuery, { kind: 'phrase' }>, boost: number, at: number): Steps<Matcher | null> {
    const { segment } = this.#request.segments[at] as SearchedSegment;
    const field = this.#field(query.field);
    if (field < 0) return null;
    const byPosition = new Map<number, string[]>();
    for (const { term, position } of query.terms) byPosition.set(position, [...(byPosition.get(position) ?? []), term]);
    const places: PhrasePlace[] = [];
    for (const [position, terms] of byPosition) {
      const cursors = terms.map((term) => segment.cursor(field, term)).filter((cursor) => cursor !== null);
      if (cursors.length === 0) return null;
      places.push({ position, cursors, name: terms.join('\0') });
    }
    const terms = query.terms.map(({ term }) => term);
    const weight = yield* this.#termWeight(field, terms, boost);
    return new PhraseMatcher({ places, slop: query.slop }, weight, segment.lengthCodes(field), this.#request.onWork);
  }

  /** Matches documents that have any term of the set, all with the same score. */
  *#termSet(query: TermSetQuery, boost: number, segment: TextSegment): Steps<Matcher | null> {
    const field = this.#field(query.field);
    if (field < 0) return null;
    if (query.kind === 'exists') return yield* this.#listed(segment.lengths(field).subarray(0, segment.documentCount), boost);
    const test = termTest(query, this.#request.onWork);
    this.#request.onTaken(segment.documentCount);
    const found = new Uint8Array(segment.documentCount);
    let steps = 0;
    for (const term of segment.terms(field)) {
      steps++;
      if (test(term)) {
        const cursor = segment.cursor(field, term)!;
        for (let document = cursor.next(); document !== NO_MORE; document = cursor.next()) {
          found[document] = 1;
          if (cursor.steps % STEPS_TOGETHER === 0) yield STEPS_TOGETHER;
        }
        steps += cursor.steps % STEPS_TOGETHER;
      }
      if (steps < STEPS_TOGETHER) continue;
      yield steps;
      steps = 0;
    }
    return yield* this.#listed(found, boost);
  }

  /** Matches documents whose flag is not 0; null: there are none. */
  *#listed(flags: ArrayLike<number>, score: number): Steps<Matcher | null> {
    yield 1 + (flags.length >>> 5);
    let count = 0;
    for (let document = 0; document < flags.length; document++) if (flags[document] !== 0) count++;
    if (count === 0) return null;
    this.#request.onTaken(count * Uint32Array.BYTES_PER_ELEMENT);
    const documents = new Uint32Array(count);
    for (let document = 0, i = 0; i < count; document++) if (flags[document] !== 0) documents[i++] = document;
    return new ListMatcher(documents, score);
  }

  *#fuzzy(query: Extract<TextQuery, { kind: 'fuzzy' }>, boost: number, at: number): Steps<Matcher | null> {
    const field = this.#field(query.field);
    if (field < 0) return null;
    let spellings = this.#spellings.get(query);
    if (spellings === undefined) {
      spellings = yield* this.#findSpellings(field, query, boost);
      this.#spellings.set(query, spellings);
    }
    const { segment } = this.#request.segments[at] as SearchedSegment;
    const parts = spellings.flatMap(({ term, weight }): Matcher[] => {
      const cursor = segment.cursor(field, term);
      return cursor === null ? [] : [new TermMatcher(cursor, weight, segment.lengthCodes(field))];
    });
    return together(parts);
  }

  /** Returns the terms nearest to a word, weighted as if all were as frequent as the most frequent one, less the further they are. */
  *#findSpellings(field: number, { term: wanted, edits }: Extract<TextQuery, { kind: 'fuzzy' }>, boost: number) {
    const characters = codePointsOf(wanted);
    const found = new Map<string, number>();
    for (const { segment } of this.#request.segments) {
      let steps = 0;
      for (const term of segment.terms(field)) {
        if (++steps === STEPS_TOGETHER) {
          yield steps * STEPS_PER_DISTANCE;
          steps = 0;
        }
        if (found.has(term) || Math.abs(term.length - wanted.length) > 2 * edits) continue;
        const other = codePointsOf(term);
        if (other.length > LONG_TERM) this.#request.onWork(other.length);
        const distance = editDistance(characters, other, edits);
        if (distance > edits) continue;
        const likeness = distance === 0 ? 1 : Math.fround(1 - Math.fround(distance / Math.min(characters.length, other.length)));
        if (likeness <= 0) continue;
        if (found.size % SPELLINGS_TOGETHER === 0) this.#request.onTaken(SPELLINGS_TOGETHER * BYTES_PER_SPELLING);
        found.set(term, likeness);
      }
    }
    const seen: { term: string; likeness: number; count: number }[] = [];
    for (const [term, likeness] of found) {
      const count = yield* this.#countOf(field, term);
      if (count > 0) seen.push({ term, likeness, count });
    }
    const nearest = seen.sort((a, b) => b.likeness - a.likeness || compareTerms(a.term, b.term)).slice(0, MOST_SPELLINGS);
    const count = Math.max(0, ...nearest.map((each) => each.count));
    const weights = nearest.map(({ term, likeness }) => ({ term, weight: this.#weight(field, this.#idf(field, count), boost * likeness) }));
    return weights;
  }

  #field(name: string): number {
    return this.#request.fields.indexOf(name);
  }

  *#termWeight(field: number, terms: readonly string[], boost: number): Steps<Weight> {
    let sum = 0;
    for (const term of terms) {
      const count = yield* this.#countOf(field, term);
      if (count > 0) sum += this.#idf(field, count);
    }
    return this.#weight(field, Math.fround(sum), boost);
  }

  #weight(field: number, frequencyWeight: number, boost: number): Weight {
    let weights = this.#lengthWeights.get(field);
    if (weights === undefined) {
      weights = lengthWeights(this.#statisticsOf(field));
      this.#lengthWeights.set(field, weights);
    }
    return { weight: factorOf(Math.fround(boost) * frequencyWeight), lengthWeights: weights };
  }

  #idf(field: number, count: number): number {
    return idf(this.#statisticsOf(field), count);
  }

  /** Returns how many documents that the reader sees have the term. */
  *#countOf(field: number, term: string): Steps<number> {
    const name = `${field} ${term}`;
    let count = this.#counts.get(name);
    if (count !== undefined) return count;
    count = 0;
    for (const searched of this.#request.segments) {
      const { segment, visible, documentCount } = searched;
      const cursor = segment.cursor(field, term);
      if (cursor === null) continue;
      if (visible === null && segment.documentCount === documentCount && !segment.isAdding) {
        count += cursor.count;
        continue;
      }
      for (let document = cursor.next(); document !== NO_MORE; document = cursor.next()) {
        if (isSeen(searched, document)) count++;
        if (cursor.steps % STEPS_TOGETHER === 0) yield STEPS_TOGETHER;
      }
    }
    this.#counts.set(name, count);
    return count;
  }

  #statisticsOf(field: number): FieldStatistics {
    return this.#statistics[field] as FieldStatistics;
  }
}

/** Returns the statistics of a field over all documents that the reader sees. */
function statisticsOf(segments: readonly SearchedSegment[], field: number): FieldStatistics {
  let [documents, totalLength] = [0, 0];
  for (const { segment, visible } of segments) {
    const totals = segment.totals(field);
    const hidden = visible === null ? { documents: 0, totalLength: 0 } : hiddenTotals(segment, field, visible);
    documents += totals.documents - hidden.documents;
    totalLength += totals.totalLength - hidden.totalLength;
  }
  return { documents, totalLength };
}

function hiddenTotals(segment: TextSegment, field: number, visible: Uint8Array): FieldStatistics {
  const lengths = segment.lengths(field);
  const count = Math.min(segment.documentCount, lengths.length);
  let [documents, totalLength] = [0, 0];
  for (let document = 0; document < count; document++) {
    const length = lengths[document] as number;
    if (length === 0 || hasBit(visible, document)) continue;
    documents++;
    totalLength += length;
  }
  return { documents, totalLength };
}

function isSeen({ visible, documentCount }: SearchedSegment, document: number): boolean {
  return document < documentCount && (visible === null || hasBit(visible, document));
}

function hasBit(bitmap: Uint8Array, i: number): boolean {
  return (((bitmap[i >>> 3] as number) >>> (i & 7)) & 1) === 1;
}

/** Returns a factor of scores as a float of 32 bits, which is never infinite: infinity makes scores that are no numbers. */
function factorOf(factor: number): number {
  return Math.min(Math.fround(factor), LARGEST_FACTOR);
}

function together(parts: readonly Matcher[]): Matcher | null {
  return parts.length > 1 ? new AnyMatcher(parts) : (parts[0] ?? null);
}

/** Returns the terms if a matcher is a disjunction of terms; null otherwise. */
function disjunctTerms(matcher: Matcher): readonly TermMatcher[] | null {
  if (matcher instanceof TermMatcher) return [matcher];
  return matcher instanceof AnyMatcher ? matcher.termsOnly : null;
}

/** Returns the first document from `document` on that may be among the best, as far as the bounds of blocks tell. */
function afterBlocks(terms: readonly TermMatcher[], pivot: number, document: number, threshold: number): number {
  if (threshold === Number.NEGATIVE_INFINITY) return document;
  let [bound, end] = [0, NO_MORE - 1];
  for (let i = 0; i <= pivot; i++) {
    const term = terms[i] as TermMatcher;
    end = Math.min(end, term.blockEnd(document));
    bound += term.blockScore();
  }
  if (bound * ROUNDING >= threshold) return document;
  const next = terms[pivot + 1]?.document ?? NO_MORE;
  return Math.min(end + 1, next);
}

/** Merges alternatives within alternatives into one level, so that scores are always added up in the same way. */
function flattened(query: TextQuery): TextQuery {
  if (query.kind === 'boost') return { ...query, query: flattened(query.query) };
  if (query.kind !== 'boolean') return query;
  const clauses = query.clauses.flatMap(({ occur, query: part }) => {
    const flat = flattened(part);
    const isChoice = flat.kind === 'boolean' && flat.clauses.every((clause) => clause.occur === 'should');
    return occur === 'should' && isChoice ? flat.clauses : [{ occur, query: flat }];
  });
  return { kind: 'boolean', clauses };
}
