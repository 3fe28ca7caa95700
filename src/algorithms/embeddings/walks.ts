/**
 * Random walks of second order (Grover and Leskovec 2016): where a walk goes depends on where it came from. A step back
 * to the previous node weighs 1 / returnFactor, a step to one of that node's neighbours 1, any other step 1 /
 * inOutFactor. A neighbour is drawn by the weight of its relationship, then accepted or drawn again by this factor.
 * Each walk has random numbers of its own, so walks do not depend on the order in which they are made.
 */
import type { Topology } from '../graph/topology.ts';
import { SeededRandom } from '../random.ts';
import type { Size } from '../table/algorithm.ts';
import { Arrays, overLists, type Phase, type Pieces, type Work } from '../work.ts';

/** The rules of random walks. */
export interface WalkRules {
  readonly walkLength: number;
  readonly walksPerNode: number;
  readonly inOutFactor: number;
  readonly returnFactor: number;
  readonly randomSeed: number | null;
}

const MOST_DRAWS = 64;

const addUp: Phase<{ readonly offsets: Uint32Array; readonly weights: Float64Array; readonly sums: Float64Array }> = (state, from, to) => {
  const { offsets, weights, sums } = state;
  for (let node = from; node < to; node++) {
    let sum = 0;
    for (let i = offsets[node]!; i < offsets[node + 1]!; i++) {
      sum += Math.max(0, weights[i]!);
      sums[i] = sum;
    }
  }
};

/** Returns the bytes that a walker takes: a sum for each weight. */
export const bytesOfWalker = ({ relationshipCount, isWeighted }: Size): number => (isWeighted ? relationshipCount * 8 : 0);

/** Walks at random over a topology. */
export class Walker {
  private readonly topology: Topology;
  private readonly rules: WalkRules;
  /** For each list entry the sum of the weights of its list up to and including it; null: all weigh the same. */
  private readonly sums: Float64Array | null;
  private readonly random: SeededRandom;
  private readonly most: number;

  private constructor(topology: Topology, rules: WalkRules, sums: Float64Array | null) {
    this.topology = topology;
    this.rules = rules;
    this.sums = sums;
    this.random = new SeededRandom(rules.randomSeed);
    this.most = Math.max(1, 1 / rules.returnFactor, 1 / rules.inOutFactor);
  }

  static *over(topology: Topology, rules: WalkRules, work: Work): Pieces<Walker> {
    const { csr, weights } = topology;
    if (weights === null) return new Walker(topology, rules, null);
    const sums = new Arrays(work).float64(weights.length);
    yield* overLists(work, csr.offsets, addUp, { offsets: csr.offsets, weights, sums });
    return new Walker(topology, rules, sums);
  }

  /** Writes a walk into an array. @param number of the walk among those of the node @returns its length: 1 where nothing leads on */
  walk(node: number, number: number, into: Uint32Array): number {
    const { rules } = this;
    this.random.reset(rules.randomSeed, node * rules.walksPerNode + number);
    into[0] = node;
    let length = 1;
    for (let before = -1, at = node; length < rules.walkLength; length++) {
      const next = this.step(before, at);
      if (next < 0) break;
      into[length] = next;
      before = at;
      at = next;
    }
    return length;
  }

  private step(before: number, at: number): number {
    const { rules, random, most } = this;
    let next = this.draw(at);
    if (before < 0 || next < 0 || (rules.returnFactor === 1 && rules.inOutFactor === 1)) return next;
    for (let draws = 1; draws < MOST_DRAWS; draws++) {
      const weight = next === before ? 1 / rules.returnFactor : this.leads(before, next) ? 1 : 1 / rules.inOutFactor;
      if (random.fraction() * most <= weight) break;
      next = this.draw(at);
    }
    return next;
  }

  private draw(node: number): number {
    const { sums, random } = this;
    const { offsets, targets } = this.topology.csr;
    const start = offsets[node]!;
    const end = offsets[node + 1]!;
    if (start === end) return -1;
    if (sums === null) return targets[start + random.below(end - start)]!;
    const total = sums[end - 1]!;
    if (!(total > 0)) return -1;
    const drawn = random.fraction() * total;
    let low = start;
    let high = end - 1;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (sums[middle]! <= drawn) low = middle + 1;
      else high = middle;
    }
    return targets[low]!;
  }

  private leads(from: number, to: number): boolean {
    const { offsets, targets } = this.topology.csr;
    let low = offsets[from]!;
    let high = offsets[from + 1]!;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (targets[middle]! < to) low = middle + 1;
      else high = middle;
    }
    return low < offsets[from + 1]! && targets[low] === to;
  }
}
