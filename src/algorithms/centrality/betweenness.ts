/**
 * Betweenness centrality (Brandes 2001): a sweep from each source counts shortest paths forward, and adds up backward
 * the shares of them that pass through each node. O(nodes × relationships), with weights × log nodes.
 *
 * Each parallel relationship is a path of its own. In an undirected graph each pair of nodes counts once. Where a weight
 * adds nothing to a distance (it is 0, or too small for the digits of the sum), paths only lead on to nodes that the
 * search settles later. With `samplingSize` only that many sources are taken, drawn by the seed, and scores count the
 * paths from these sources only.
 */
import { type Configured, integer, optional } from '../configuration/fields.ts';
import type { Csr } from '../graph/csr.ts';
import type { Topology } from '../graph/topology.ts';
import { checkWeights } from '../paths/dijkstra.ts';
import { type HeapArrays, heapArrays, NodeHeap } from '../paths/node-heap.ts';
import { SeededRandom } from '../random.ts';
import { type Algorithm, type NodeOutcome, nodeAlgorithm } from '../table/algorithm.ts';
import { sharedUnit } from '../threads/shared-phase.ts';
import { Arrays, memberCount, overRange, overUnits, type Phase, type Pieces, type Work } from '../work.ts';
import { DISTRIBUTION, SCORE, scored } from './scores.ts';

const FIELDS = {
  samplingSize: optional(integer(undefined, { min: 0 })),
  samplingSeed: optional(integer(undefined, { min: 0 })),
};
const STEPS_TOGETHER = 16_384;
/** The sources are split into this many groups, whatever the number of threads. Scores of groups are added in their order. */
const GROUPS = 8;

/** The scratch arrays of one member of the team. */
interface Scratch {
  /** Distance of each node from the source; -1: not reached. */
  readonly distances: Float64Array;
  readonly paths: Float64Array;
  /** The share of the paths through each node that it hands back; -1: the way back has not come to it yet. */
  readonly shares: Float64Array;
  /** Nodes in the order in which they are settled, the nearest first. */
  readonly order: Uint32Array;
  /** The heap of a weighted search; null where relationships have no weights. */
  readonly heap: HeapArrays | null;
}

interface Sweeps {
  readonly csr: Csr;
  readonly weights: Float64Array | null;
  readonly sources: Uint32Array;
  readonly scratch: readonly Scratch[];
  /** The scores of each group of sources, by node. */
  readonly scores: readonly Float64Array[];
  readonly share: number;
}

/** The state of one member's sweep from one source. */
interface Sweep extends Pick<Sweeps, 'csr' | 'weights' | 'share'>, Omit<Scratch, 'heap'> {
  readonly heap: NodeHeap | null;
  readonly scores: Float64Array;
  head: number;
  count: number;
}

const sweepGroups = sharedUnit<Sweeps>('betweenness.sweepGroups', function* (state, from, to, member) {
  const { csr, weights, share, sources } = state;
  const { heap, ...scratch } = state.scratch[member]!;
  const common = { csr, weights, share, ...scratch, heap: heap === null ? null : new NodeHeap(heap) };
  for (let group = from; group < to; group++) {
    const sweeping: Sweep = { ...common, scores: state.scores[group]!, head: 0, count: 0 };
    const end = Math.floor((sources.length * (group + 1)) / GROUPS);
    for (let i = Math.floor((sources.length * group) / GROUPS); i < end; i++) yield* sweep(sweeping, sources[i]!);
  }
});

/** Continues the forward search for about `STEPS_TOGETHER` neighbours. True once every reachable node has been visited. */
function forward(state: Sweep): boolean {
  const { csr, distances, paths, order } = state;
  const { offsets, targets } = csr;
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
  const { csr, distances, paths, order } = state;
  const { offsets, targets } = csr;
  const weights = state.weights!;
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
      } else if (distance === distances[next] && heap.has(next)) paths[next]! += paths[node]!;
    }
  }
  return heap.size === 0;
}

/** Continues backward from the farthest node to the source, for about `STEPS_TOGETHER` neighbours. @returns true at the source */
function backward(state: Sweep): boolean {
  const { csr, weights, distances, paths, shares, order, scores, share } = state;
  const { offsets, targets } = csr;
  let left = STEPS_TOGETHER;
  while (state.count > 0 && left > 0) {
    const node = order[--state.count]!;
    const distance = distances[node]!;
    const end = offsets[node + 1]!;
    left -= 1 + end - offsets[node]!;
    let sum = 0;
    for (let i = offsets[node]!; i < end; i++) {
      const next = targets[i]!;
      const isOnWay = distances[next] === distance + (weights === null ? 1 : weights[i]!) && shares[next]! >= 0;
      if (isOnWay) sum += (paths[node]! / paths[next]!) * (1 + shares[next]!);
    }
    shares[node] = sum;
    if (state.count > 0) scores[node]! += sum * share;
  }
  return state.count === 0;
}

/** Returns the sources in ascending order: all nodes, or `samplingSize` of them, drawn by the seed. */
function* sourcesOf({ nodeCount }: Topology, { samplingSize, samplingSeed }: Configured<typeof FIELDS>, work: Work): Pieces<Uint32Array> {
  if (work.worked(nodeCount >> 2)) yield null;
  const random = new SeededRandom(samplingSeed);
  const sources = new Arrays(work).uint32(Math.min(nodeCount, samplingSize ?? nodeCount));
  for (let node = 0, count = 0; count < sources.length; node++) {
    if (sources.length < nodeCount && random.fraction() * (nodeCount - node) >= sources.length - count) continue;
    sources[count++] = node;
  }
  return sources;
}

function* sweep(state: Sweep, source: number): Generator<number, void, void> {
  const { distances, paths, shares, heap, order } = state;
  yield distances.length >> 2;
  distances.fill(-1);
  paths.fill(0);
  shares.fill(-1);
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
  for (let isOver = false; !isOver; isOver = step(state)) yield STEPS_TOGETHER;
  for (let isOver = false; !isOver; isOver = backward(state)) yield STEPS_TOGETHER;
}

const addGroup: Phase<{ readonly into: Float64Array; readonly other: Float64Array }> = ({ into, other }, from, to) => {
  for (let node = from; node < to; node++) into[node]! += other[node]!;
};

/** Betweenness centrality, exact or by a sample of sources. */
export const betweenness: Algorithm<typeof FIELDS, NodeOutcome> = nodeAlgorithm({
  name: 'betweenness',
  description: 'How many of the shortest paths between all pairs of nodes pass through each node.',
  modes: ['stream', 'stats', 'mutate', 'write'],
  fields: FIELDS,
  weights: 'optional',
  needsUndirected: false,
  columns: SCORE,
  summary: [DISTRIBUTION],
  bytes: ({ nodeCount, members }) => nodeCount * (12 + 44 * members + 8 * GROUPS),
  *run({ topology, configuration: { samplingSize, samplingSeed }, work }) {
    const { nodeCount, weights, isUndirected } = topology;
    yield* checkWeights(topology, work);
    const arrays = new Arrays(work);
    const state: Sweeps = {
      csr: topology.csr,
      weights,
      sources: yield* sourcesOf(topology, { samplingSize, samplingSeed }, work),
      scratch: Array.from({ length: memberCount(work) }, () => ({
        distances: arrays.float64(nodeCount),
        paths: arrays.float64(nodeCount),
        shares: arrays.float64(nodeCount),
        order: arrays.uint32(nodeCount),
        heap: weights === null ? null : heapArrays(nodeCount, arrays),
      })),
      scores: Array.from({ length: GROUPS }, () => arrays.float64(nodeCount)),
      share: isUndirected ? 0.5 : 1,
    };
    yield* overUnits(work, GROUPS, 1, sweepGroups, state);
    const [scores, ...others] = state.scores as [Float64Array, ...Float64Array[]]; // as: there are some
    for (const other of others) yield* overRange(work, nodeCount, addGroup, { into: scores, other });
    return scored(scores, work);
  },
});
