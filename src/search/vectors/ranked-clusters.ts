/** Clusters in a heap, the nearest to a query first, and an estimate of how many of the nearest vectors the remaining ones hold. */
import type { CentroidList } from './cluster-pages.ts';
import { shareAbove } from './tail-table.ts';

/** A cluster: the centroid at place `at` of a list of a source. */
export interface RankedCluster {
  /** The squared distance from the query to the centroid. */
  readonly distance: number;
  readonly source: number;
  readonly list: CentroidList;
  readonly at: number;
}

/** A factor on the estimate: the nearest vectors lie in far clusters a little more often than the sample says. */
const CAUTION = 2;
/** Gains above this many times the largest that was measured are taken to be impossible. */
const FARTHEST_GAIN = 2;

/** Clusters by their nearness to a query. */
export class RankedClusters {
  readonly #distances: Float64Array;
  /** 2 ρ |q − c| for each cluster: a difference of squares divided by it is a gain. */
  readonly #scales: Float64Array;
  readonly #entries: Uint32Array;
  readonly #lists: CentroidList[] = [];
  readonly #listOf: Uint32Array;
  readonly #sourceOf: number[] = [];
  readonly #at: Uint32Array;
  readonly #heap: Uint32Array;
  readonly #isTaken: Uint8Array;
  /** Clusters that may hold some of the nearest vectors. Others are removed for good, since the distance to beat only shrinks. */
  readonly #open: Uint32Array;
  #openCount = 0;
  #count = 0;
  size = 0;

  constructor(most: number) {
    this.#distances = new Float64Array(most);
    this.#scales = new Float64Array(most);
    this.#entries = new Uint32Array(most);
    this.#listOf = new Uint32Array(most);
    this.#at = new Uint32Array(most);
    this.#heap = new Uint32Array(most);
    this.#isTaken = new Uint8Array(most);
    this.#open = new Uint32Array(most);
  }

  /** Adds the clusters of a list that have entries. @param distanceOf returns the squared distance to a centroid of the list */
  add(source: number, list: CentroidList, distanceOf: (at: number) => number): void {
    const index = this.#lists.push(list) - 1;
    this.#sourceOf.push(source);
    for (let at = 0; at < list.count; at++) {
      if (list.entries[at] === 0) continue;
      const cluster = this.#count++;
      const distance = distanceOf(at);
      this.#distances[cluster] = distance;
      this.#scales[cluster] = 2 * list.radii[at]! * Math.sqrt(distance);
      this.#entries[cluster] = list.entries[at]!;
      this.#listOf[cluster] = index;
      this.#at[cluster] = at;
      this.#heap[cluster] = cluster;
      this.#open[cluster] = cluster;
    }
    this.size = this.#count;
    this.#openCount = this.#count;
  }

  order(): void {
    for (let at = (this.size >> 1) - 1; at >= 0; at--) this.#sink(at);
  }

  /** Removes the nearest cluster, and returns it. */
  next(): RankedCluster {
    const heap = this.#heap;
    const nearest = heap[0]!;
    this.size--;
    if (this.size > 0) {
      heap[0] = heap[this.size]!;
      this.#sink(0);
    }
    this.#isTaken[nearest] = 1;
    const list = this.#listOf[nearest]!;
    return { distance: this.#distances[nearest]!, source: this.#sourceOf[list]!, list: this.#lists[list]!, at: this.#at[nearest]! };
  }

  /**
   * Returns how many accepted vectors nearer than a squared distance are expected in the remaining clusters; `share` is
   * the share of vectors that is accepted. Calls must come with squares that do not grow.
   */
  expected(square: number, tails: readonly (readonly number[])[], share: number): number {
    const farthest = tails.map((tail) => FARTHEST_GAIN * (tail.at(-1) ?? 1));
    let sum = 0;
    let kept = 0;
    for (let i = 0; i < this.#openCount; i++) {
      const cluster = this.#open[i]!;
      if (this.#isTaken[cluster] === 1) continue;
      const over = this.#distances[cluster]! - square;
      const scale = this.#scales[cluster]!;
      const source = this.#sourceOf[this.#listOf[cluster]!]!;
      if (over > 0 && over >= scale * farthest[source]!) continue;
      this.#open[kept++] = cluster;
      sum += this.#entries[cluster]! * (over <= 0 ? 1 : shareAbove(tails[source]!, over / scale));
    }
    this.#openCount = kept;
    return CAUTION * sum * share;
  }

  #sink(from: number): void {
    const heap = this.#heap;
    const distances = this.#distances;
    const { size } = this;
    const moved = heap[from]!;
    const distance = distances[moved]!;
    let at = from;
    for (;;) {
      let child = 2 * at + 1;
      if (child >= size) break;
      if (child + 1 < size && distances[heap[child + 1]!]! < distances[heap[child]!]!) child++;
      if (distances[heap[child]!]! >= distance) break;
      heap[at] = heap[child]!;
      at = child;
    }
    heap[at] = moved;
  }
}
