/** The best hits of a search so far: all of them, or a limited number. */

/** A hit of a search. */
export interface Hit {
  readonly segment: number;
  readonly document: number;
  readonly score: number;
  /** Orders hits of equal score, ascending; no two hits have the same rank. */
  readonly rank: number;
}

/** Compares two hits. Negative: `a` comes first. */
function compareHits(a: Hit, b: Hit): number {
  return b.score - a.score || a.rank - b.rank;
}

/** Keeps the best hits, at most a given number of them. */
export class TopHits {
  readonly #most: number;
  readonly #onKept: () => void;
  /** A heap with the worst hit at its root once the list is full; before that in no order. */
  readonly #hits: Hit[] = [];

  /** @param onKept called before the list grows */
  constructor(most: number, onKept: () => void) {
    this.#most = most;
    this.#onKept = onKept;
  }

  /** A hit with a lower score is not kept; -∞ while there is room. */
  get threshold(): number {
    return this.#hits.length < this.#most ? Number.NEGATIVE_INFINITY : (this.#hits[0]?.score ?? Number.POSITIVE_INFINITY);
  }

  add(hit: Hit): void {
    const hits = this.#hits;
    if (hits.length < this.#most) {
      this.#onKept();
      hits.push(hit);
      if (hits.length === this.#most) for (let i = (hits.length >> 1) - 1; i >= 0; i--) this.#sink(i);
    } else if (hits.length > 0 && compareHits(hit, hits[0] as Hit) < 0) {
      hits[0] = hit;
      this.#sink(0);
    }
  }

  #sink(from: number): void {
    const hits = this.#hits;
    let at = from;
    for (;;) {
      let worst = at;
      for (const child of [2 * at + 1, 2 * at + 2]) {
        if (child < hits.length && compareHits(hits[child] as Hit, hits[worst] as Hit) > 0) worst = child;
      }
      if (worst === at) return;
      [hits[at], hits[worst]] = [hits[worst] as Hit, hits[at] as Hit];
      at = worst;
    }
  }

  /** Returns the hits, the best first. */
  sorted(): Hit[] {
    return this.#hits.toSorted(compareHits);
  }
}
