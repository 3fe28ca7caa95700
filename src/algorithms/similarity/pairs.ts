/** The best pairs of each node, and the best of all. Of equally similar pairs the one with the smaller nodes is the better. */
import type { Column } from '../table/algorithm.ts';
import { Arrays, type Pieces, type Work } from '../work.ts';

/** The columns of the modes that return no pairs. */
export const SIMILARITY_SUMMARY: readonly Column[] = [
  { name: 'similarityPairs', type: 'INTEGER' },
  { name: 'similarityDistribution', type: 'MAP' },
];

/** Bytes of a pair while the best of all are chosen. */
export const BYTES_PER_PAIR = 64;

/** Pairs of nodes with their similarity. */
export interface FoundPairs {
  readonly sources: Uint32Array;
  readonly targets: Uint32Array;
  readonly weights: Float64Array;
}

/** The best pairs of each node, best first. Each node has room of its own, so that any thread can work on any node, in any order. */
export interface BestPairs {
  /** Where the room of each node begins, and one more element for the end. */
  readonly offsets: Float64Array;
  /** The number of pairs in the room of each node. */
  readonly counts: Uint32Array;
  readonly targets: Uint32Array;
  readonly weights: Float64Array;
  /** 1: the most similar pairs are the best; -1: the least similar. */
  readonly sign: 1 | -1;
}

/**
 * Makes room for the `perNode` most similar pairs of each node, or, if it is negative, for the least similar ones. A
 * node with fewer candidates gets less room.
 */
export function* roomForPairs(candidates: Float64Array, perNode: number, work: Work): Pieces<BestPairs> {
  const nodeCount = candidates.length;
  const most = Math.min(nodeCount, Math.abs(perNode));
  const arrays = new Arrays(work);
  const offsets = arrays.float64(nodeCount + 1);
  if (work.worked(nodeCount >> 2)) yield null;
  for (let node = 0; node < nodeCount; node++) offsets[node + 1] = offsets[node]! + Math.min(most, candidates[node]!);
  const room = offsets[nodeCount]!;
  return {
    offsets,
    counts: arrays.uint32(nodeCount),
    targets: arrays.uint32(room),
    weights: arrays.float64(room),
    sign: perNode < 0 ? -1 : 1,
  };
}

/** Offers a pair to the room of its first node. The targets of a node must come in ascending order. */
export function offer({ offsets, counts, targets, weights, sign }: BestPairs, node: number, target: number, weight: number): void {
  const first = offsets[node]!;
  const room = offsets[node + 1]! - first;
  let at = first + counts[node]!;
  if (counts[node] === room) {
    if (room === 0 || sign * weight <= sign * weights[at - 1]!) return;
    at--;
  } else counts[node]!++;
  for (; at > first && sign * weight > sign * weights[at - 1]!; at--) {
    targets[at] = targets[at - 1]!;
    weights[at] = weights[at - 1]!;
  }
  targets[at] = target;
  weights[at] = weight;
}

/** Returns the pairs of all rooms, by node. @param inAll keeps that many of the most similar, negative: least similar; 0: all */
export function* foundPairs({ offsets, counts, targets, weights }: BestPairs, inAll: number, work: Work): Pieces<FoundPairs> {
  const nodeCount = counts.length;
  if (work.worked(nodeCount + (targets.length >> 2))) yield null;
  let count = 0;
  for (const each of counts) count += each;
  const arrays = new Arrays(work);
  const all = { sources: arrays.uint32(count), targets: arrays.uint32(count), weights: arrays.float64(count) };
  for (let node = 0, at = 0; node < nodeCount; node++) {
    const first = offsets[node]!;
    for (let i = first; i < first + counts[node]!; i++, at++) {
      all.sources[at] = node;
      all.targets[at] = targets[i]!;
      all.weights[at] = weights[i]!;
    }
  }
  if (inAll === 0) return all;
  work.charge(count * BYTES_PER_PAIR);
  if (work.worked(count * 8)) yield null;
  const sign = inAll < 0 ? -1 : 1;
  const order = Array.from({ length: count }, (_, i) => i).sort((a, b) => sign * (all.weights[b]! - all.weights[a]!) || a - b);
  const chosen = Uint32Array.from(order.slice(0, Math.abs(inAll)));
  return {
    sources: chosen.map((i) => all.sources[i]!),
    targets: chosen.map((i) => all.targets[i]!),
    weights: Float64Array.from(chosen, (i) => all.weights[i]!),
  };
}
