/**
 * Closeness (Bavelas 1950, Sabidussi 1966) and harmonic centrality (Marchiori and Latora 2000) by the distances to each node from those that reach it. Breadth-first searches from 32 nodes go on at once, a bit for
 * each (Then and others 2015). O(nodes × relationships / 32) at best.
 */
import { boolean } from '../configuration/fields.ts';
import type { Csr } from '../graph/csr.ts';
import type { Topology } from '../graph/topology.ts';
import { type Algorithm, type NodeOutcome, nodeAlgorithm } from '../table/algorithm.ts';
import { Arrays, type Pieces, type Work } from '../work.ts';
import { DISTRIBUTION, SCORE, scored } from './scores.ts';

const SOURCES_TOGETHER = 32;
const STEPS_TOGETHER = 16_384;

interface Searches {
  readonly csr: Csr;
  /** By node, a bit for each search: it was reached; it was reached in this level; in the next one. */
  readonly seen: Int32Array;
  readonly visit: Int32Array;
  readonly next: Int32Array;
  frontier: Uint32Array;
  frontierCount: number;
  following: Uint32Array;
  followingCount: number;
  depth: number;
  head: number;
}

/** What is added up for nodes that are reached. */
interface Sums {
  /** By node: searches that have reached it, but its own. */
  readonly reached: Float64Array;
  /** By node: distances, or their inverses. */
  readonly sums: Float64Array;
  readonly isHarmonic: boolean;
}

/** Looks at neighbours of nodes of the level until some `STEPS_TOGETHER` were looked at. */
function spread(state: Searches): boolean {
  const { csr, seen, visit, next, frontier, following } = state;
  const { offsets, targets } = csr;
  let left = STEPS_TOGETHER;
  while (state.head < state.frontierCount && left > 0) {
    const node = frontier[state.head++]!;
    const bits = visit[node]!;
    const end = offsets[node + 1]!;
    left -= 1 + end - offsets[node]!;
    for (let i = offsets[node]!; i < end; i++) {
      const target = targets[i]!;
      const fresh = bits & ~seen[target]!;
      if (fresh === 0) continue;
      if (next[target] === 0) following[state.followingCount++] = target;
      next[target] = next[target]! | fresh;
    }
  }
  return state.head === state.frontierCount;
}

function settle(state: Searches, { reached, sums, isHarmonic }: Sums): void {
  const { seen, visit, next, following, followingCount, depth } = state;
  for (let i = 0; i < followingCount; i++) {
    const node = following[i]!;
    const bits = next[node]!;
    next[node] = 0;
    visit[node] = bits;
    seen[node] = seen[node]! | bits;
    const count = bitCount(bits);
    reached[node]! += count;
    sums[node]! += isHarmonic ? count / depth : count * depth;
  }
}

function bitCount(bits: number): number {
  let count = bits - ((bits >>> 1) & 0x55555555);
  count = (count & 0x33333333) + ((count >>> 2) & 0x33333333);
  return (((count + (count >>> 4)) & 0x0f0f0f0f) * 0x01010101) >>> 24;
}

function* searchFrom(state: Searches, first: number, sums: Sums, work: Work): Pieces<void> {
  const nodeCount = state.seen.length;
  if (work.worked(nodeCount >> 3)) yield null;
  state.seen.fill(0);
  const end = Math.min(nodeCount, first + SOURCES_TOGETHER);
  for (let source = first; source < end; source++) {
    state.seen[source] = 1 << (source - first);
    state.visit[source] = state.seen[source]!;
    state.frontier[source - first] = source;
  }
  state.frontierCount = end - first;
  for (state.depth = 1; state.frontierCount > 0; state.depth++) {
    state.head = 0;
    state.followingCount = 0;
    for (let isOver = false; !isOver; isOver = spread(state)) if (work.worked(STEPS_TOGETHER)) yield null;
    if (work.worked(state.followingCount)) yield null;
    settle(state, sums);
    [state.frontier, state.following] = [state.following, state.frontier];
    state.frontierCount = state.followingCount;
  }
}

function* distanceSums({ csr, nodeCount }: Topology, isHarmonic: boolean, work: Work): Pieces<Sums> {
  const arrays = new Arrays(work);
  const sums: Sums = { reached: arrays.float64(nodeCount), sums: arrays.float64(nodeCount), isHarmonic };
  const state: Searches = {
    csr,
    seen: arrays.int32(nodeCount),
    visit: arrays.int32(nodeCount),
    next: arrays.int32(nodeCount),
    frontier: arrays.uint32(Math.max(nodeCount, SOURCES_TOGETHER)),
    frontierCount: 0,
    following: arrays.uint32(Math.max(nodeCount, SOURCES_TOGETHER)),
    followingCount: 0,
    depth: 0,
    head: 0,
  };
  for (let first = 0; first < nodeCount; first += SOURCES_TOGETHER) {
    yield* searchFrom(state, first, sums, work);
    work.progress(first / nodeCount);
  }
  return sums;
}

const CLOSENESS = { useWassermanFaust: boolean(false) };
const HARMONIC = {};

export const closeness: Algorithm<typeof CLOSENESS, NodeOutcome> = nodeAlgorithm({
  name: 'closeness',
  description: 'The inverse of the mean distance to each node from those that reach it.',
  modes: ['stream', 'stats', 'mutate', 'write'],
  fields: CLOSENESS,
  weights: 'none',
  needsUndirected: false,
  columns: SCORE,
  summary: [DISTRIBUTION],
  bytes: ({ nodeCount }) => nodeCount * 36 + 256,
  *run({ topology, configuration: { useWassermanFaust }, work }) {
    const { nodeCount } = topology;
    const { reached, sums } = yield* distanceSums(topology, false, work);
    if (work.worked(nodeCount)) yield null;
    for (let node = 0; node < nodeCount; node++) {
      const score = sums[node] === 0 ? 0 : reached[node]! / sums[node]!;
      sums[node] = useWassermanFaust && nodeCount > 1 ? score * (reached[node]! / (nodeCount - 1)) : score;
    }
    return scored(sums, work);
  },
});

export const harmonic: Algorithm<typeof HARMONIC, NodeOutcome> = nodeAlgorithm({
  name: 'closeness.harmonic',
  description: 'The mean of the inverse distances to each node from all others.',
  modes: ['stream', 'stats', 'mutate', 'write'],
  fields: HARMONIC,
  weights: 'none',
  needsUndirected: false,
  columns: SCORE,
  summary: [DISTRIBUTION],
  bytes: ({ nodeCount }) => nodeCount * 36 + 256,
  *run({ topology, work }) {
    const { nodeCount } = topology;
    const { sums } = yield* distanceSums(topology, true, work);
    if (work.worked(nodeCount)) yield null;
    for (let node = 0; node < nodeCount; node++) sums[node] = nodeCount < 2 ? 0 : sums[node]! / (nodeCount - 1);
    return scored(sums, work);
  },
});
