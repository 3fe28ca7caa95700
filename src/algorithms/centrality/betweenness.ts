/**
 * Betweenness (Brandes 2001): from each source the numbers of shortest paths forward, and the shares of them that pass through each node backward. O(nodes × relationships), with weights × log nodes.
 *
 * Each parallel relationship is a path of its own. In an undirected graph each pair of nodes counts once. With `samplingSize` only so many sources are taken, drawn with the seed, and scores are those of these sources.
 */
import { integer, optional } from '../configuration/fields.ts';
import type { Topology } from '../graph/topology.ts';
import { checkWeights } from '../paths/dijkstra.ts';
import { NodeHeap } from '../paths/node-heap.ts';
import { SeededRandom } from '../random.ts';
import { type Algorithm, type NodeOutcome, nodeAlgorithm } from '../table/algorithm.ts';
import { Arrays, type Pieces, type Work } from '../work.ts';
import { DISTRIBUTION, SCORE, scored } from './scores.ts';

const FIELDS = {
  samplingSize: optional(integer(undefined, { min: 0 })),
  samplingSeed: optional(integer(undefined, { min: 0 })),
};
const STEPS_TOGETHER = 16_384;

interface Sweep {
  readonly topology: Topology;
  readonly scores: Float64Array;
  /** By node: its distance from the source; -1: not reached. */
  readonly distances: Float64Array;
  readonly paths: Float64Array;
  readonly shares: Float64Array;
  /** Nodes in the order of their distances. */
  readonly order: Uint32Array;
  /** null: relationships have no weights. */
  readonly heap: NodeHeap | null;
  readonly share: number;
  head: number;
  count: number;
}

/** Goes on from the source until some `STEPS_TOGETHER` neighbours were looked at. True: all that can be reached is. */
function forward(state: Sweep): boolean {
  const { topology, distances, paths, order } = state;
  const { offsets, targets } = topology.csr;
  let left = STEPS_TOGETHER;
  let { head, count } = state;
  while (head < count && left > 0) {
    const node = order[head++]!;
    const distance = distances[node]! + 1;
    const end = offsets[node + 1]!;
    left -= 1 + end - offsets[node]!;
    for (let i = offsets[node]!; i < end; i++) {
      const next = targets[i]!;
      if (distances[next] === -1) {
        distances[next] = distance;
        order[count++] = next;
      }
      if (distances[next] === distance) paths[next]! += paths[node]!;
    }
  }
  state.head = head;
  state.count = count;
  return head === count;
}

function forwardWeighted(state: Sweep): boolean {
  const { topology, distances, paths, order } = state;
  const { offsets, targets } = topology.csr;
  const weights = topology.weights!;
  const heap = state.heap!;
  let left = STEPS_TOGETHER;
  while (heap.size > 0 && left > 0) {
    const node = heap.pop();
    order[state.count++] = node;
    const end = offsets[node + 1]!;
    left -= 4 * (1 + end - offsets[node]!);
    for (let i = offsets[node]!; i < end; i++) {
      const next = targets[i]!;
      const distance = distances[node]! + weights[i]!;
      if (distances[next] === -1 || distance < distances[next]!) {
        distances[next] = distance;
        paths[next] = paths[node]!;
        heap.set(next, distance);
      } else if (distance === distances[next] && next !== node) paths[next]! += paths[node]!;
    }
  }
  return heap.size === 0;
}

/** Goes back from the farthest node. @returns true at the source */
function backward(state: Sweep): boolean {
  const { topology, distances, paths, shares, order, scores, share } = state;
  const { offsets, targets } = topology.csr;
  const { weights } = topology;
  let left = STEPS_TOGETHER;
  while (state.count > 0 && left > 0) {
    const node = order[--state.count]!;
    const distance = distances[node]!;
    const end = offsets[node + 1]!;
    left -= 1 + end - offsets[node]!;
    let sum = 0;
    for (let i = offsets[node]!; i < end; i++) {
      const next = targets[i]!;
      const isOnWay = distances[next] === distance + (weights === null ? 1 : weights[i]!) && next !== node;
      if (isOnWay) sum += (paths[node]! / paths[next]!) * (1 + shares[next]!);
    }
    shares[node] = sum;
    if (state.count > 0) scores[node]! += sum * share;
  }
  return state.count === 0;
}

function* sources({ nodeCount }: Topology, size: number | null, seed: number | null): Generator<number> {
  if (size === null || size >= nodeCount) {
    for (let node = 0; node < nodeCount; node++) yield node;
    return;
  }
  const random = new SeededRandom(seed);
  let wanted = size;
  for (let node = 0; wanted > 0; node++) {
    if (random.fraction() * (nodeCount - node) >= wanted) continue;
    wanted--;
    yield node;
  }
}

function* sweep(state: Sweep, source: number, work: Work): Pieces<void> {
  const { distances, paths, heap, order } = state;
  if (work.worked(distances.length >> 2)) yield null;
  distances.fill(-1);
  paths.fill(0);
  distances[source] = 0;
  paths[source] = 1;
  state.head = 0;
  state.count = 1;
  order[0] = source;
  if (heap !== null) {
    state.count = 0;
    heap.set(source, 0);
  }
  const step = heap === null ? forward : forwardWeighted;
  for (let isOver = false; !isOver; isOver = step(state)) if (work.worked(STEPS_TOGETHER)) yield null;
  for (let isOver = false; !isOver; isOver = backward(state)) if (work.worked(STEPS_TOGETHER)) yield null;
}

export const betweenness: Algorithm<typeof FIELDS, NodeOutcome> = nodeAlgorithm({
  name: 'betweenness',
  description: 'How many of the shortest paths between all pairs of nodes pass through each node.',
  modes: ['stream', 'stats', 'mutate', 'write'],
  fields: FIELDS,
  weights: 'optional',
  needsUndirected: false,
  columns: SCORE,
  summary: [DISTRIBUTION],
  bytes: ({ nodeCount }) => nodeCount * 52,
  *run({ topology, configuration: { samplingSize, samplingSeed }, work }) {
    const { nodeCount, weights, isUndirected } = topology;
    yield* checkWeights(topology, work);
    const arrays = new Arrays(work);
    const state: Sweep = {
      topology,
      scores: arrays.float64(nodeCount),
      distances: arrays.float64(nodeCount),
      paths: arrays.float64(nodeCount),
      shares: arrays.float64(nodeCount),
      order: arrays.uint32(nodeCount),
      heap: weights === null ? null : new NodeHeap(nodeCount, arrays),
      share: isUndirected ? 0.5 : 1,
      head: 0,
      count: 0,
    };
    for (const source of sources(topology, samplingSize, samplingSeed)) {
      yield* sweep(state, source, work);
      work.progress(source / nodeCount);
    }
    return scored(state.scores, work);
  },
});
