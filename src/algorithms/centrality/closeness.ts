/**
 * Closeness (Bavelas 1950, Sabidussi 1966) and harmonic centrality (Marchiori and Latora 2000), from the distances at
 * which other nodes reach each node. Breadth-first searches from 32 nodes run together, one bit for each (Then and
 * others 2015). O(nodes × relationships / 32) at best.
 */
import { boolean } from '../configuration/fields.ts';
import type { Csr } from '../graph/csr.ts';
import type { Topology } from '../graph/topology.ts';
import { type Algorithm, type NodeOutcome, nodeAlgorithm, type Size } from '../table/algorithm.ts';
import { sharedUnit } from '../threads/shared-phase.ts';
import { Arrays, memberCount, overRange, overUnits, type Phase, type Pieces, type Work } from '../work.ts';
import { DISTRIBUTION, SCORE, scored } from './scores.ts';

const SOURCES_TOGETHER = 32;
const STEPS_TOGETHER = 16_384;
/** The sources are split into this many groups, whatever the number of threads. Sums of groups are added in their order. */
const GROUPS = 8;

/**
 * The scratch arrays of one member of the team. Each node has one bit per search: in `seen` if the search has reached
 * it, in `visit` if it did so in this level, in `next` if it does so in the next one.
 */
interface Scratch {
  readonly seen: Int32Array;
  readonly visit: Int32Array;
  readonly next: Int32Array;
  readonly frontiers: readonly [Uint32Array, Uint32Array];
}

/** Sums over the searches that reach a node. */
interface Sums {
  /** For each node the number of searches from other nodes that have reached it. */
  readonly reached: Float64Array;
  /** For each node the sum of the distances from the nodes that reach it, or of the inverses of these distances (harmonic). */
  readonly sums: Float64Array;
}

interface Searches {
  readonly csr: Csr;
  readonly scratch: readonly Scratch[];
  readonly groups: readonly Sums[];
  readonly isHarmonic: boolean;
}

const batchCount = (nodeCount: number): number => Math.ceil(nodeCount / SOURCES_TOGETHER);

const searchGroups = sharedUnit<Searches>('closeness.searchGroups', function* (state, from, to, member) {
  const batches = batchCount(state.csr.offsets.length - 1);
  for (let group = from; group < to; group++) {
    const end = Math.floor((batches * (group + 1)) / GROUPS);
    for (let batch = Math.floor((batches * group) / GROUPS); batch < end; batch++)
      yield* searchFrom(state, batch * SOURCES_TOGETHER, state.scratch[member]!, state.groups[group]!);
  }
});

function* searchFrom(
  { csr, isHarmonic }: Searches,
  first: number,
  { seen, visit, next, frontiers }: Scratch,
  sums: Sums,
): Generator<number, void, void> {
  const { offsets, targets } = csr;
  const nodeCount = offsets.length - 1;
  let [frontier, following] = frontiers;
  yield nodeCount >> 3;
  seen.fill(0);
  let count = Math.min(nodeCount - first, SOURCES_TOGETHER);
  for (let bit = 0; bit < count; bit++) {
    seen[first + bit] = visit[first + bit] = 1 << bit;
    frontier[bit] = first + bit;
  }
  for (let depth = 1; count > 0; depth++) {
    let followingCount = 0;
    for (let head = 0, left = 0; head < count; head++) {
      const node = frontier[head]!;
      const bits = visit[node]!;
      const end = offsets[node + 1]!;
      for (let i = offsets[node]!; i < end; i++) {
        const target = targets[i]!;
        const fresh = bits & ~seen[target]!;
        if (fresh === 0) continue;
        if (next[target] === 0) following[followingCount++] = target;
        next[target] = next[target]! | fresh;
      }
      left -= 1 + end - offsets[node]!;
      if (left > 0) continue;
      yield STEPS_TOGETHER;
      left = STEPS_TOGETHER;
    }
    yield followingCount;
    settle({ seen, visit, next }, following, followingCount, { ...sums, gain: isHarmonic ? 1 / depth : depth });
    [frontier, following] = [following, frontier];
    count = followingCount;
  }
}

function settle(
  { seen, visit, next }: Pick<Scratch, 'seen' | 'visit' | 'next'>,
  following: Uint32Array,
  followingCount: number,
  { reached, sums, gain }: Sums & { readonly gain: number },
): void {
  for (let i = 0; i < followingCount; i++) {
    const node = following[i]!;
    const bits = next[node]!;
    next[node] = 0;
    visit[node] = bits;
    seen[node] = seen[node]! | bits;
    const count = bitCount(bits);
    reached[node]! += count;
    sums[node]! += count * gain;
  }
}

function bitCount(bits: number): number {
  let count = bits - ((bits >>> 1) & 0x55555555);
  count = (count & 0x33333333) + ((count >>> 2) & 0x33333333);
  return (((count + (count >>> 4)) & 0x0f0f0f0f) * 0x01010101) >>> 24;
}

const addGroup: Phase<{ readonly into: Sums; readonly other: Sums }> = ({ into, other }, from, to) => {
  for (let node = from; node < to; node++) {
    into.reached[node]! += other.reached[node]!;
    into.sums[node]! += other.sums[node]!;
  }
};

function* distanceSums({ csr, nodeCount }: Topology, isHarmonic: boolean, work: Work): Pieces<Sums> {
  const arrays = new Arrays(work);
  const room = Math.max(nodeCount, SOURCES_TOGETHER);
  const scratch = Array.from(
    { length: memberCount(work) },
    (): Scratch => ({
      seen: arrays.int32(nodeCount),
      visit: arrays.int32(nodeCount),
      next: arrays.int32(nodeCount),
      frontiers: [arrays.uint32(room), arrays.uint32(room)],
    }),
  );
  const groups = Array.from({ length: GROUPS }, (): Sums => ({ reached: arrays.float64(nodeCount), sums: arrays.float64(nodeCount) }));
  if (nodeCount > 0) yield* overUnits(work, GROUPS, 1, searchGroups, { csr, scratch, groups, isHarmonic });
  const [sums, ...others] = groups as [Sums, ...Sums[]]; // as: there are some
  for (const other of others) yield* overRange(work, nodeCount, addGroup, { into: sums, other }, 2);
  return sums;
}

const bytes = ({ nodeCount, members }: Size): number => nodeCount * (8 + 20 * members + 16 * GROUPS) + 256 * members;

const CLOSENESS = { useWassermanFaust: boolean(false) };
const HARMONIC = {};

/** Closeness centrality, with the correction of Wasserman and Faust if asked for. */
export const closeness: Algorithm<typeof CLOSENESS, NodeOutcome> = nodeAlgorithm({
  name: 'closeness',
  description: 'The inverse of the mean distance to each node from those that reach it.',
  modes: ['stream', 'stats', 'mutate', 'write'],
  fields: CLOSENESS,
  weights: 'none',
  needsUndirected: false,
  columns: SCORE,
  summary: [DISTRIBUTION],
  bytes,
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

/** Harmonic centrality. */
export const harmonic: Algorithm<typeof HARMONIC, NodeOutcome> = nodeAlgorithm({
  name: 'closeness.harmonic',
  description: 'The mean of the inverse distances to each node from all others.',
  modes: ['stream', 'stats', 'mutate', 'write'],
  fields: HARMONIC,
  weights: 'none',
  needsUndirected: false,
  columns: SCORE,
  summary: [DISTRIBUTION],
  bytes,
  *run({ topology, work }) {
    const { nodeCount } = topology;
    const { sums } = yield* distanceSums(topology, true, work);
    if (work.worked(nodeCount)) yield null;
    for (let node = 0; node < nodeCount; node++) sums[node] = nodeCount < 2 ? 0 : sums[node]! / (nodeCount - 1);
    return scored(sums, work);
  },
});
