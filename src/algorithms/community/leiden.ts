/**
 * Leiden (Traag, Waltman, van Eck 2019): as Louvain, but each community is first taken apart into parts that are well
 * connected, and these become the nodes of the next level, so that no community falls into parts without a relationship
 * between them. Parts grow by merging single nodes, with a probability that rises with the gain in modularity, and more
 * steeply the smaller `theta` is. Random numbers come from a seed.
 */
import { float, integer, optional } from '../configuration/fields.ts';
import { SeededRandom } from '../random.ts';
import { type Algorithm, type NodeOutcome, nodeAlgorithm } from '../table/algorithm.ts';
import { Arrays, overLists, type Phase, type Pieces, type Work } from '../work.ts';
import {
  checkShown,
  HIERARCHY_COLUMNS,
  HIERARCHY_FIELDS,
  HIERARCHY_SUMMARY,
  hierarchyOutcome,
  type Level,
  shownBytes,
} from './hierarchy.ts';
import { contracted, firstLevel, type LevelGraph, modularity, move, type Partition, partition, renumber } from './modularity.ts';
import { seeds } from './seeds.ts';

const FIELDS = {
  ...HIERARCHY_FIELDS,
  gamma: float(1, { min: 0, above: true }),
  theta: float(0.01, { min: 0, above: true }),
  randomSeed: optional(integer(undefined, { min: 0 })),
};

const MOST_ITERATIONS = 100;

interface Refining {
  readonly graph: LevelGraph;
  readonly communities: Uint32Array;
  readonly totals: Float64Array;
  /** For each node the part of its community that it belongs to, named by a node of the part. */
  readonly parts: Uint32Array;
  readonly partTotals: Float64Array;
  /** The weight between each part and the rest of its community. */
  readonly outside: Float64Array;
  /** Nodes whose part another node has joined. */
  readonly isJoined: Uint8Array;
  readonly sums: Float64Array;
  /** The parts that the present node may join; `odds` has the weight of each. */
  readonly candidates: Uint32Array;
  readonly odds: Float64Array;
  readonly random: SeededRandom;
  readonly gamma: number;
  readonly theta: number;
}

const begin: Phase<Refining> = ({ graph, communities, parts, partTotals, outside }, from, to) => {
  const { csr, weights, strengths } = graph;
  for (let node = from; node < to; node++) {
    parts[node] = node;
    partTotals[node] = strengths[node]!;
    let sum = 0;
    for (let i = csr.offsets[node]!; i < csr.offsets[node + 1]!; i++) {
      const target = csr.targets[i]!;
      if (target !== node && communities[target] === communities[node]) sum += weights[i]!;
    }
    outside[node] = sum;
  }
};

/** Merges each node that is still alone, and well connected with its community, into a part that is well connected too. */
const refine: Phase<Refining> = (state, from, to) => {
  const { graph, communities, totals, parts, partTotals, outside, isJoined, sums, candidates, odds, random, gamma, theta } = state;
  const { csr, weights, strengths, total } = graph;
  const { offsets, targets } = csr;
  for (let node = from; node < to; node++) {
    const strength = strengths[node]!;
    const community = communities[node]!;
    if (isJoined[node] === 1 || parts[node] !== node) continue;
    if (outside[node]! < (gamma * strength * (totals[community]! - strength)) / total) continue;
    let count = 0;
    const end = offsets[node + 1]!;
    for (let i = offsets[node]!; i < end; i++) {
      const target = targets[i]!;
      if (target === node || communities[target] !== community || weights[i] === 0) continue;
      const part = parts[target]!;
      if (sums[part] === 0) candidates[count++] = part;
      sums[part]! += weights[i]!;
    }
    let chances = 0;
    for (let i = 0; i < count; i++) {
      const part = candidates[i]!;
      const tot = partTotals[part]!;
      const isConnected = outside[part]! >= (gamma * tot * (totals[community]! - tot)) / total;
      const gain = (2 * (sums[part]! - (gamma * strength * tot) / total)) / total;
      odds[i] = isConnected && gain >= 0 ? Math.exp(Math.min(600, gain / theta)) : 0;
      chances += odds[i]!;
    }
    if (chances > 0) {
      let drawn = random.fraction() * chances;
      let chosen = -1;
      for (let i = 0; i < count && drawn >= 0; i++) {
        if (odds[i] === 0) continue;
        chosen = i;
        drawn -= odds[i]!;
      }
      const part = candidates[chosen]!;
      parts[node] = part;
      isJoined[part] = 1;
      partTotals[part]! += strength;
      partTotals[node] = 0;
      outside[part]! += outside[node]! - 2 * sums[part]!;
    }
    for (let i = 0; i < count; i++) sums[candidates[i]!] = 0;
  }
};

interface RefinementRules {
  readonly gamma: number;
  readonly theta: number;
  readonly random: SeededRandom;
}

/** Refines a partition. Returns for each node a node that stands for its part. */
function* refined(graph: LevelGraph, { communities, totals }: Partition, rules: RefinementRules, work: Work): Pieces<Uint32Array> {
  const count = communities.length;
  const arrays = new Arrays(work);
  const state: Refining = {
    graph,
    communities,
    totals,
    parts: arrays.uint32(count),
    partTotals: arrays.float64(count),
    outside: arrays.float64(count),
    isJoined: arrays.uint8(count),
    sums: arrays.float64(count),
    candidates: arrays.uint32(count),
    odds: arrays.float64(count),
    ...rules,
  };
  yield* overLists(work, graph.csr.offsets, begin, state);
  if (graph.total > 0) yield* overLists(work, graph.csr.offsets, refine, state);
  work.release(count * 37);
  return state.parts;
}

/** Leiden. */
export const leiden: Algorithm<typeof FIELDS, NodeOutcome> = nodeAlgorithm({
  name: 'leiden',
  description: 'Communities of high modularity, each of them connected.',
  modes: ['stream', 'stats', 'mutate', 'write'],
  fields: FIELDS,
  weights: 'optional',
  minimumSize: 'minCommunitySize',
  needsUndirected: true,
  columns: HIERARCHY_COLUMNS,
  summary: [{ name: 'didConverge', type: 'BOOLEAN' }, { name: 'nodeCount', type: 'INTEGER' }, ...HIERARCHY_SUMMARY],
  bytes: ({ nodeCount, relationshipCount }, configuration) => nodeCount * (148 + shownBytes(configuration)) + relationshipCount * 48,
  *run({ topology, configuration, work }) {
    checkShown(configuration);
    const { maxLevels, gamma, theta, tolerance, seedProperty, randomSeed } = configuration;
    const { nodeCount } = topology;
    const arrays = new Arrays(work);
    const random = new SeededRandom(randomSeed);
    const seeded = yield* seeds(topology, seedProperty, work);
    let graph = yield* firstLevel(topology, work);
    let communities = seeded.labels.slice();
    let room = seeded.names.length;
    let members = Uint32Array.from({ length: nodeCount }, (_, node) => node);
    const levels: Level[] = [];
    let didConverge = false;
    for (let level = 0; level < maxLevels && !didConverge; level++) {
      const parts = partition(graph, communities, room, arrays);
      yield* move(graph, parts, { gamma, maxIterations: MOST_ITERATIONS, tolerance: 0 }, work);
      const reached = yield* modularity(graph, parts, gamma, work);
      const refinedParts = yield* refined(graph, parts, { gamma, theta, random }, work);
      const refinedCount = renumber(refinedParts, refinedParts.length, arrays);
      const count = renumber(communities, room, arrays);
      if (work.worked(3 * nodeCount)) yield null;
      const before = levels.at(-1)?.modularity ?? Number.NEGATIVE_INFINITY;
      levels.push({ communities: members.map((member) => communities[member]!), modularity: reached });
      work.charge(2 * members.byteLength);
      work.progress((level + 1) / maxLevels);
      didConverge = count === graph.strengths.length || refinedCount === graph.strengths.length || Math.abs(reached - before) < tolerance;
      if (didConverge) break;
      const outer: Uint32Array = communities;
      communities = new Uint32Array(refinedCount);
      for (let node = 0; node < outer.length; node++) communities[refinedParts[node]!] = outer[node]!;
      graph = yield* contracted(graph, refinedParts, refinedCount, work);
      members = members.map((member) => refinedParts[member]!);
      room = count;
    }
    return yield* hierarchyOutcome(levels, seeded, configuration, { didConverge, nodeCount }, work);
  },
});
