/**
 * The best so many of what is offered, in a heap whose root is the worst of them. Hits of equal scores stand in the
 * order of their groups and entities, so that every search of the same graph finds the same.
 */

/** A hit of a search. */
export interface Hit {
  readonly score: number;
  /** The type of a relationship; 0 for nodes. */
  readonly group: number;
  /** The ordinal of a node, or the home row of a relationship. */
  readonly entity: number;
}

/** Is `a` worse than `b`? */
function isWorse(a: Hit, b: Hit): boolean {
  if (a.score !== b.score) return a.score < b.score;
  return a.group !== b.group ? a.group > b.group : a.entity > b.entity;
}

/** Keeps the best of the hits that are offered. */
export class BestHits {
  readonly #wanted: number;
  readonly #heap: Hit[] = [];

  /** @param wanted at least 1 */
  constructor(wanted: number) {
    this.#wanted = wanted;
  }

  get size(): number {
    return this.#heap.length;
  }

  /** The score that a hit must reach to be among the best. */
  get threshold(): number {
    return this.#heap.length < this.#wanted ? Number.NEGATIVE_INFINITY : this.#heap[0]!.score;
  }

  /** Returns whether one more hit is kept than before. */
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

  /** Takes the worst hit out. */
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

  /** Takes all hits out, the best first; null wherever `worked` says so. */
  *take(worked: (steps: number) => boolean): Generator<null, Hit[], void> {
    const hits: Hit[] = [];
    while (this.#heap.length > 0) {
      if (worked(1)) yield null;
      hits.push(this.#pop());
    }
    return hits.reverse();
  }
}
