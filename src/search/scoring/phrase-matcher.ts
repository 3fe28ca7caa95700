/** Documents that have the terms of a phrase in their places, or not far from them. */
import { NO_MORE, type PostingsCursor } from '../postings/postings-cursor.ts';
import { bm25 } from './bm25.ts';
import type { Matcher, Weight } from './matchers.ts';

/** One place of a phrase: where it stands in the phrase, and the terms that may stand there. */
export interface PhrasePlace {
  readonly position: number;
  readonly cursors: readonly PostingsCursor[];
  /** The term of it, or the list of them: places with the same one never share an occurrence. */
  readonly name: string;
}

export class PhraseMatcher implements Matcher {
  document = -1;
  #frequency = 0;
  #steps = 0;
  readonly #places: readonly PhrasePlace[];
  readonly #slop: number;
  readonly #weight: Weight;
  readonly #codes: Uint8Array;
  /** Pairs of places with the same term. */
  readonly #repeats: readonly (readonly [number, number])[];

  constructor(places: readonly PhrasePlace[], slop: number, weight: Weight, codes: Uint8Array) {
    this.#places = places;
    this.#slop = slop;
    this.#weight = weight;
    this.#codes = codes;
    this.#repeats = places.flatMap(({ name }, i) =>
      places.slice(0, i).flatMap((other, j) => (other.name === name ? [[i, j] as const] : [])),
    );
  }

  get cost(): number {
    return Math.min(...this.#places.map(({ cursors }) => cursors.reduce((sum, { count }) => sum + count, 0)));
  }

  get steps(): number {
    return this.#places.reduce((sum, { cursors }) => cursors.reduce((all, { steps }) => all + steps, sum), this.#steps);
  }

  advance(target: number): number {
    let wanted = target;
    for (;;) {
      wanted = this.#agree(wanted);
      this.document = wanted;
      if (wanted === NO_MORE) return NO_MORE;
      this.#frequency = this.#slop === 0 ? this.#exact() : this.#sloppy();
      if (this.#frequency > 0) return wanted;
      wanted++;
    }
  }

  #agree(target: number): number {
    let wanted = target;
    for (let i = 0; i < this.#places.length; ) {
      const document = advanceAny((this.#places[i] as PhrasePlace).cursors, wanted);
      if (document === NO_MORE) return NO_MORE;
      if (document === wanted) i++;
      else {
        i = i === 0 ? 1 : 0;
        wanted = document;
      }
    }
    return wanted;
  }

  /** Where each place of the phrase is found, as where the phrase would begin; ascending. */
  #beginnings(): number[][] {
    return this.#places.map(({ position, cursors }) => {
      const here = cursors.filter(({ document }) => document === this.document).flatMap((cursor) => cursor.places());
      this.#steps += here.length;
      if (cursors.length > 1) here.sort((a, b) => a - b);
      return here.map((place) => place - position);
    });
  }

  #exact(): number {
    const [first, ...others] = this.#beginnings();
    let found = first as number[];
    for (const other of others) {
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

  /** Each way to stand within the slop counts the less the further the terms were moved. */
  #sloppy(): number {
    const lists = this.#beginnings();
    const at = lists.map(() => 0);
    if (!this.#partRepeats(lists, at)) return 0;
    let end = Math.max(...lists.map((list, i) => list[at[i] as number] as number));
    let frequency = 0;
    for (;;) {
      // The place that stands first moves on, until it is no longer the first: the least distance meanwhile is that of a match.
      const i = this.#first(lists, at);
      const list = lists[i] as number[];
      let distance = end - (list[at[i] as number] as number);
      const next = Math.min(...lists.map((other, j) => (j === i ? Number.POSITIVE_INFINITY : (other[at[j] as number] as number))));
      let isOver = false;
      for (;;) {
        at[i]!++;
        this.#steps++;
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

  /** Moves places of the same term apart that stand at one occurrence. Returns false when there are no more. */
  #partRepeats(lists: readonly number[][], at: number[]): boolean {
    const occurrence = (i: number): number => (lists[i]![at[i]!] as number) + this.#places[i]!.position;
    for (let isChanged = true; isChanged; ) {
      isChanged = false;
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
