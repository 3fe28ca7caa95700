/**
 * Keeps the best of the hits offered, in a heap with the worst of them at its root. Hits of equal score are ordered by
 * group and entity, so that every search of the same graph finds the same hits.
 */

/** A hit of a search. */
export interface Hit {
  readonly score: number;
  /** The type of a relationship; 0 for nodes. */
  readonly group: number;
  /** The ordinal of a node, or the home row of a relationship. */
  readonly entity: number;
}

/** Tells whether `a` is worse than `b`. */
function isWorse(a: Hit, b: Hit): boolean {
  if (a.score !== b.score) return a.score < b.score;
  return a.group !== b.group ? a.group > b.group : a.entity > b.entity;
}

/** Keeps the best of the hits offered. */
export class BestHits {
  readonly #wanted: number;
  readonly #heap: Hit[] = [];

  /** @param wanted the most hits to keep, at least 1 */
  constructor(wanted: number) {
    this.#wanted = wanted;
  }

  get size(): number {
    return this.#heap.length;
  }

  /** The score below which a hit cannot be among the best. */
  get threshold(): number {
    return this.#heap.length < this.#wanted ? Number.NEGATIVE_INFINITY : this.#heap[0]!.score;
  }

  /** Offers a hit. Returns true if it is kept in addition to all others, false if it is dropped or replaces another. */
  offer(hit: Hit): boolean {
    const heap = this.#heap;
    if (heap.length < this.#wanted) {
      heap.push(hit);
      this.#rise(heap.length - 1);
      return true;
    }
    if (isWorse(heap[0]!, hit)) {
      heap[0] = hit;
      this.#sink();
    }
    return false;
  }

  #rise(from: number): void {
    const heap = this.#heap;
    for (let at = from; at > 0; ) {
      const parent = (at - 1) >> 1;
      if (!isWorse(heap[at]!, heap[parent]!)) return;
      [heap[at], heap[parent]] = [heap[parent]!, heap[at]!];
      at = parent;
    }
  }

  #sink(): void {
    const heap = this.#heap;
    for (let at = 0; ; ) {
      let worst = at;
      for (const child of [2 * at + 1, 2 * at + 2]) if (child < heap.length && isWorse(heap[child]!, heap[worst]!)) worst = child;
      if (worst === at) return;
      [heap[at], heap[worst]] = [heap[worst]!, heap[at]!];
      at = worst;
    }
  }

  /** Removes and returns the worst hit. */
  #pop(): Hit {
    const heap = this.#heap;
    const worst = heap[0]!;
    const last = heap.pop()!;
    if (heap.length > 0) {
      heap[0] = last;
      this.#sink();
    }
    return worst;
  }

  /** Removes and returns all hits, the best first; yields null where `worked` returns true. */
  *take(worked: (steps: number) => boolean): Generator<null, Hit[], void> {
    const hits: Hit[] = [];
    while (this.#heap.length > 0) {
      if (worked(1)) yield null;
      hits.push(this.#pop());
    }
    return hits.reverse();
  }
}
