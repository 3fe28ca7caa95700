/** Matches documents that have the terms of a phrase in their places, or near them. */
import { NO_MORE, type PostingsCursor } from '../postings/postings-cursor.ts';
import { bm25 } from './bm25.ts';
import { type Matcher, MOST_TRIES, type Weight } from './matchers.ts';

/** One place of a phrase: its position in the phrase, and the terms that may stand there. */
export interface PhrasePlace {
  readonly position: number;
  readonly cursors: readonly PostingsCursor[];
  /** The terms of the place as text: places of the same name never share an occurrence. */
  readonly name: string;
}

const COUNTED_TOGETHER = 64;

/** Matches documents that have a phrase. */
export class PhraseMatcher implements Matcher {
  document = -1;
  readonly width: number;
  /** How often the phrase occurs in the document that was looked at last; less for moved terms. */
  #frequency = 0;
  #lookedAt = -1;
  #uncounted = 0;
  readonly #places: readonly PhrasePlace[];
  readonly #slop: number;
  readonly #weight: Weight;
  readonly #codes: Uint8Array;
  /** Pairs of places that have the same name. */
  readonly #repeats: readonly (readonly [number, number])[];
  readonly #onWork: (steps: number) => void;

  /** @param onWork called for steps that come next within one document */
  constructor(
    { places, slop }: { readonly places: readonly PhrasePlace[]; readonly slop: number },
    weight: Weight,
    codes: Uint8Array,
    onWork: (steps: number) => void,
  ) {
    this.#places = places;
    this.#slop = slop;
    this.#weight = weight;
    this.#codes = codes;
    this.#onWork = onWork;
    this.width = places.length;
    this.#repeats = places.flatMap(({ name }, i) =>
      places.slice(0, i).flatMap((other, j) => (other.name === name ? [[i, j] as const] : [])),
    );
  }

  get cost(): number {
    return Math.min(...this.#places.map(({ cursors }) => cursors.reduce((sum, { count }) => sum + count, 0)));
  }

  get steps(): number {
    return this.#places.reduce((sum, { cursors }) => cursors.reduce((all, { steps }) => all + steps, sum), 0);
  }

  /** Moves to a document that one place of the phrase has and all places may have. It returns early when they do not agree soon. */
  advance(target: number): number {
    let wanted = target;
    for (let i = 0, tries = 0; i < this.#places.length && tries < MOST_TRIES; tries++) {
      const document = advanceAny((this.#places[i] as PhrasePlace).cursors, wanted);
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
    if (this.#lookedAt !== this.document) {
      const isHere = this.#places.every(({ cursors }) => advanceAny(cursors, this.document) === this.document);
      this.#frequency = !isHere ? 0 : this.#slop === 0 ? this.#exact() : this.#sloppy();
      this.#lookedAt = this.document;
    }
    return this.#frequency > 0;
  }

  /** Counts steps that come next, and reports them in batches. */
  #count(steps: number): void {
    this.#uncounted += steps;
    if (this.#uncounted < COUNTED_TOGETHER) return;
    this.#onWork(this.#uncounted);
    this.#uncounted = 0;
  }

  /** Returns for each place of the phrase, ascending, where the phrase would have to begin for each of its occurrences. */
  #beginnings(): number[][] {
    return this.#places.map(({ position, cursors }) => {
      const there = cursors.filter(({ document }) => document === this.document);
      this.#count(there.reduce((sum, { frequency }) => sum + 1 + (frequency >>> 3), 0));
      const here = there.flatMap((cursor) => cursor.places());
      if (cursors.length > 1) here.sort((a, b) => a - b);
      return here.map((place) => place - position);
    });
  }

  #exact(): number {
    const [first, ...others] = this.#beginnings();
    let found = first as number[];
    for (const other of others) {
      this.#count(1 + ((found.length + other.length) >>> 4));
      const kept: number[] = [];
      for (let i = 0, j = 0; i < found.length && j < other.length; ) {
        const [a, b] = [found[i] as number, other[j] as number];
        if (a === b) kept.push(a);
        if (a <= b) i++;
        if (b <= a) j++;
      }
      found = kept;
    }
    return found.length;
  }

  /** Returns the frequency with slop: each match counts 1 / (1 + distance), so less the further its terms were moved. */
  #sloppy(): number {
    const lists = this.#beginnings();
    const at = lists.map(() => 0);
    if (!this.#partRepeats(lists, at)) return 0;
    let end = Math.max(...lists.map((list, i) => list[at[i] as number] as number));
    let frequency = 0;
    for (;;) {
      this.#count(1 + (lists.length >>> 2));
      // The first place moves on until it is no longer the first; the least distance meanwhile is that of a match.
      const i = this.#first(lists, at);
      const list = lists[i] as number[];
      let distance = end - (list[at[i] as number] as number);
      const next = Math.min(...lists.map((other, j) => (j === i ? Number.POSITIVE_INFINITY : (other[at[j] as number] as number))));
      let isOver = false;
      for (;;) {
        at[i]!++;
        this.#count(1);
        if ((at[i] as number) >= list.length || !this.#partRepeats(lists, at)) {
          isOver = true;
          break;
        }
        const moved = list[at[i] as number] as number;
        if (moved > next) break;
        distance = Math.min(distance, end - moved);
      }
      if (distance <= this.#slop) frequency = Math.fround(frequency + Math.fround(1 / (1 + distance)));
      if (isOver) return frequency;
      end = Math.max(end, ...lists.map((other, j) => other[at[j] as number] as number));
    }
  }

  #first(lists: readonly number[][], at: readonly number[]): number {
    let first = 0;
    for (let i = 1; i < lists.length; i++) {
      const [a, b] = [lists[i]![at[i]!]!, lists[first]![at[first]!]!];
      if (a < b) first = i;
    }
    return first;
  }

  /** Moves places of the same name apart that stand at one occurrence. False: there are not enough occurrences left. */
  #partRepeats(lists: readonly number[][], at: number[]): boolean {
    const occurrence = (i: number): number => (lists[i]![at[i]!] as number) + this.#places[i]!.position;
    for (let isChanged = true; isChanged; ) {
      isChanged = false;
      this.#count(this.#repeats.length >>> 3);
      for (const [i, j] of this.#repeats) {
        if (occurrence(i) !== occurrence(j)) continue;
        at[i]!++;
        if ((at[i] as number) >= lists[i]!.length) return false;
        isChanged = true;
      }
    }
    return true;
  }

  score(): number {
    const { weight, lengthWeights } = this.#weight;
    return bm25(weight, this.#frequency, lengthWeights[this.#codes[this.document] as number] as number);
  }
}

function advanceAny(cursors: readonly PostingsCursor[], target: number): number {
  let lowest = NO_MORE;
  for (const cursor of cursors) lowest = Math.min(lowest, cursor.document < target ? cursor.advance(target) : cursor.document);
  return lowest;
}
