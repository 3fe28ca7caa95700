/** The best pairs: some of each node, some of all. Of equal similarities the one with the smaller nodes is the better. */
import type { Column } from '../table/algorithm.ts';
import type { Pieces, Work } from '../work.ts';

export const SIMILARITY_SUMMARY: readonly Column[] = [
  { name: 'similarityPairs', type: 'INTEGER' },
  { name: 'similarityDistribution', type: 'MAP' },
];

const BYTES_PER_PAIR = 64;
const LEAST_ROOM = 64;

export interface FoundPairs {
  readonly sources: Uint32Array;
  readonly targets: Uint32Array;
  readonly weights: Float64Array;
}

export class Pairs {
  private readonly most: number;
  private readonly sign: 1 | -1;
  private readonly inAll: number;
  private readonly work: Work;
  private source = 0;
  /** Of the present node, best first. */
  private readonly bestTargets: number[] = [];
  private readonly bestWeights: number[] = [];
  private sources = new Uint32Array(LEAST_ROOM);
  private targets = new Uint32Array(LEAST_ROOM);
  private weights = new Float64Array(LEAST_ROOM);
  private count = 0;

  /**
   * @param perNode so many pairs of each node at most; negative: those that are the least similar
   * @param inAll so many pairs at most, likewise; 0: all
   */
  constructor(perNode: number, inAll: number, work: Work) {
    this.most = Math.abs(perNode);
    this.sign = perNode < 0 ? -1 : 1;
    this.inAll = inAll;
    this.work = work;
  }

  begin(source: number): void {
    this.source = source;
    this.bestTargets.length = 0;
    this.bestWeights.length = 0;
  }

  /** Targets come in ascending order. */
  offer(target: number, weight: number): void {
    const { bestTargets, bestWeights, most, sign } = this;
    let at = bestWeights.length;
    if (at === most && sign * weight <= sign * bestWeights[at - 1]!) return;
    while (at > 0 && sign * weight > sign * bestWeights[at - 1]!) at--;
    bestTargets.splice(at, 0, target);
    bestWeights.splice(at, 0, weight);
    if (bestTargets.length <= most) return;
    bestTargets.pop();
    bestWeights.pop();
  }

  end(): void {
    const { bestTargets, bestWeights } = this;
    if (this.count + bestTargets.length > this.sources.length) this.grow(this.count + bestTargets.length);
    for (let i = 0; i < bestTargets.length; i++) {
      this.sources[this.count] = this.source;
      this.targets[this.count] = bestTargets[i]!;
      this.weights[this.count++] = bestWeights[i]!;
    }
  }

  private grow(count: number): void {
    const room = Math.max(count, 2 * this.sources.length);
    this.work.charge((room - this.sources.length) * 16);
    const { sources, targets, weights } = this;
    this.sources = new Uint32Array(room);
    this.sources.set(sources);
    this.targets = new Uint32Array(room);
    this.targets.set(targets);
    this.weights = new Float64Array(room);
    this.weights.set(weights);
  }

  *found(): Pieces<FoundPairs> {
    const { count, inAll } = this;
    const all = {
      sources: this.sources.subarray(0, count),
      targets: this.targets.subarray(0, count),
      weights: this.weights.subarray(0, count),
    };
    if (inAll === 0) return all;
    this.work.charge(count * BYTES_PER_PAIR);
    if (this.work.worked(count * 8)) yield null;
    const sign = inAll < 0 ? -1 : 1;
    const order = Array.from({ length: count }, (_, i) => i).sort((a, b) => sign * (all.weights[b]! - all.weights[a]!) || a - b);
    const chosen = Uint32Array.from(order.slice(0, Math.abs(inAll)));
    return {
      sources: chosen.map((i) => all.sources[i]!),
      targets: chosen.map((i) => all.targets[i]!),
      weights: Float64Array.from(chosen, (i) => all.weights[i]!),
    };
  }
}
