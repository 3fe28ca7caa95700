/**
 * The structure that Louvain and Leiden share: a weighted graph in which each relationship stands in the lists of both
 * its nodes (a loop twice in that of its node), communities of its nodes, moves that raise the modularity, and the
 * graph whose nodes are the communities.
 *
 * Modularity with resolution γ (Newman and Girvan 2004, Reichardt and Bornholdt 2006): the sum over communities of
 * in/2m − γ (tot/2m)², where tot is the weight of all list entries of a community's nodes, and in the weight of those
 * entries that lead to nodes of the same community.
 */
import { buildRelationships } from '../graph/build-relationships.ts';
import type { Csr } from '../graph/csr.ts';
import type { Topology } from '../graph/topology.ts';
import { Arrays, overLists, overRange, type Phase, type Pieces, type Work } from '../work.ts';

/** The graph of one level. Its nodes are those of the projected graph, or the communities of the level before. */
export interface LevelGraph {
  readonly csr: Csr;
  readonly weights: Float64Array;
  /** For each node the sum of the weights in its list. */
  readonly strengths: Float64Array;
  /** The sum of the weights in all lists, 2m: each relationship stands in two. */
  readonly total: number;
}

/** Communities of the nodes of a level graph. */
export interface Partition {
  /** The community of each node. */
  readonly communities: Uint32Array;
  /** For each community the sum of the strengths of its nodes (tot). */
  readonly totals: Float64Array;
}

const addStrengths: Phase<{ readonly csr: Csr; readonly weights: Float64Array; readonly strengths: Float64Array }> = (state, from, to) => {
  const { csr, weights, strengths } = state;
  for (let node = from; node < to; node++) {
    let sum = 0;
    const end = csr.offsets[node + 1]!;
    for (let i = csr.offsets[node]!; i < end; i++) sum += weights[i]!;
    strengths[node] = sum;
  }
};

function* levelOf(csr: Csr, weights: Float64Array, work: Work): Pieces<LevelGraph> {
  const strengths = new Arrays(work).float64(csr.offsets.length - 1);
  yield* overLists(work, csr.offsets, addStrengths, { csr, weights, strengths });
  let total = 0;
  for (const strength of strengths) total += strength;
  return { csr, weights, strengths, total };
}

/** Makes the first level from the topology itself: directed relationships count in both directions, negative weights as 0. */
export function* firstLevel({ csr, weights, isUndirected, nodeCount }: Topology, work: Work): Pieces<LevelGraph> {
  const arrays = new Arrays(work);
  const count = csr.targets.length;
  const positive = arrays.float64(count);
  yield* overRange(work, count, clamp, { weights, positive });
  if (isUndirected) return yield* levelOf(csr, positive, work);
  const sources = arrays.uint32(count);
  yield* overLists(work, csr.offsets, copySources, { offsets: csr.offsets, communities: null, mapped: sources });
  const { csr: both, properties } = yield* buildRelationships(
    {
      type: '',
      orientation: 'UNDIRECTED',
      aggregation: 'NONE',
      nodeCount,
      count,
      sources,
      targets: csr.targets,
      properties: [{ name: 'weight', aggregation: 'NONE', values: positive }],
    },
    work,
  );
  return yield* levelOf(both, properties.get('weight')!, work);
}

const clamp: Phase<{ readonly weights: Float64Array | null; readonly positive: Float64Array }> = ({ weights, positive }, from, to) => {
  for (let i = from; i < to; i++) positive[i] = weights === null ? 1 : Math.max(0, weights[i]!);
};

const copySources: Phase<{ readonly offsets: Uint32Array; readonly communities: Uint32Array | null; readonly mapped: Uint32Array }> = (
  { offsets, communities, mapped },
  from,
  to,
) => {
  for (let node = from; node < to; node++)
    mapped.fill(communities === null ? node : communities[node]!, offsets[node]!, offsets[node + 1]!);
};

const mapTargets: Phase<{ readonly targets: Uint32Array; readonly communities: Uint32Array; readonly mapped: Uint32Array }> = (
  { targets, communities, mapped },
  from,
  to,
) => {
  for (let i = from; i < to; i++) mapped[i] = communities[targets[i]!]!;
};

/** Makes the graph whose nodes are the communities. @param communities numbers from 0 to below `count` */
export function* contracted({ csr, weights }: LevelGraph, communities: Uint32Array, count: number, work: Work): Pieces<LevelGraph> {
  const arrays = new Arrays(work);
  const entries = csr.targets.length;
  const sources = arrays.uint32(entries);
  const targets = arrays.uint32(entries);
  yield* overLists(work, csr.offsets, copySources, { offsets: csr.offsets, communities, mapped: sources });
  yield* overRange(work, entries, mapTargets, { targets: csr.targets, communities, mapped: targets });
  const { csr: smaller, properties } = yield* buildRelationships(
    {
      type: '',
      orientation: 'NATURAL',
      aggregation: 'SUM',
      nodeCount: count,
      count: entries,
      sources,
      targets,
      properties: [{ name: 'weight', aggregation: 'SUM', values: weights }],
    },
    work,
  );
  work.release(entries * 8);
  return yield* levelOf(smaller, properties.get('weight')!, work);
}

/** Makes a partition, with the total strength of each community. @param room community numbers are below it */
export function partition({ strengths }: LevelGraph, communities: Uint32Array, room: number, arrays: Arrays): Partition {
  const totals = arrays.float64(room);
  for (let node = 0; node < communities.length; node++) totals[communities[node]!]! += strengths[node]!;
  return { communities, totals };
}

interface Moving extends Partition {
  readonly graph: LevelGraph;
  readonly gamma: number;
  /** For each community the weight of the present node's entries that lead into it; all 0 between nodes. */
  readonly sums: Float64Array;
  moves: number;
}

/**
 * Moves each node to the community where it raises the modularity most. A node stays unless another community is
 * better; of several equal ones it takes the one with the lowest number.
 */
const moveNodes: Phase<Moving> = (state, from, to) => {
  const { graph, communities, totals, sums, gamma } = state;
  const { csr, weights, strengths, total } = graph;
  const { offsets, targets } = csr;
  for (let node = from; node < to; node++) {
    const start = offsets[node]!;
    const end = offsets[node + 1]!;
    const own = communities[node]!;
    for (let i = start; i < end; i++) if (targets[i] !== node) sums[communities[targets[i]!]!]! += weights[i]!;
    const share = (gamma * strengths[node]!) / total;
    totals[own]! -= strengths[node]!;
    let best = own;
    let most = sums[own]! - totals[own]! * share;
    for (let i = start; i < end; i++) {
      const community = communities[targets[i]!]!;
      const gain = sums[community]! - totals[community]! * share;
      if (gain > most + 1e-12 * total || (best !== own && gain === most && community < best)) {
        most = gain;
        best = community;
      }
    }
    for (let i = start; i < end; i++) sums[communities[targets[i]!]!] = 0;
    totals[best]! += strengths[node]!;
    if (best === own) continue;
    communities[node] = best;
    state.moves++;
  }
};

/** The rules by which nodes move between communities. */
export interface MovingRules {
  readonly gamma: number;
  readonly maxIterations: number;
  readonly tolerance: number;
}

/**
 * Moves nodes, all of them in each iteration, until none moves or an iteration raises the modularity by less than the
 * tolerance.
 *
 * @returns the number of moves
 */
export function* move(graph: LevelGraph, { communities, totals }: Partition, rules: MovingRules, work: Work): Pieces<number> {
  const { gamma, maxIterations, tolerance } = rules;
  if (graph.total === 0) return 0;
  const state: Moving = { graph, communities, totals, gamma, sums: new Arrays(work).float64(totals.length), moves: 0 };
  let known = yield* modularity(graph, state, gamma, work);
  for (let iteration = 0; iteration < maxIterations; iteration++) {
    const before = state.moves;
    yield* overLists(work, graph.csr.offsets, moveNodes, state);
    if (state.moves === before) break;
    const reached = yield* modularity(graph, state, gamma, work);
    if (reached - known < tolerance) break;
    known = reached;
  }
  work.release(state.sums.byteLength);
  return state.moves;
}

interface Inside {
  readonly csr: Csr;
  readonly weights: Float64Array;
  readonly communities: Uint32Array;
  sum: number;
}

const addInside: Phase<Inside> = (state, from, to) => {
  const { csr, weights, communities } = state;
  let { sum } = state;
  for (let node = from; node < to; node++) {
    const end = csr.offsets[node + 1]!;
    for (let i = csr.offsets[node]!; i < end; i++) if (communities[csr.targets[i]!] === communities[node]) sum += weights[i]!;
  }
  state.sum = sum;
};

/** Computes the modularity of a partition with resolution `gamma`. */
export function* modularity(graph: LevelGraph, { communities, totals }: Partition, gamma: number, work: Work): Pieces<number> {
  const { csr, weights, total } = graph;
  if (total === 0) return 0;
  const state: Inside = { csr, weights, communities, sum: 0 };
  yield* overLists(work, csr.offsets, addInside, state);
  let squares = 0;
  for (const each of totals) squares += each * each;
  return state.sum / total - (gamma * squares) / (total * total);
}

/** Renumbers communities densely from 0, in the order of their first nodes, in place. @returns the number of communities */
export function renumber(communities: Uint32Array, room: number, arrays: Arrays): number {
  const numbers = arrays.uint32(room);
  let count = 0;
  for (let node = 0; node < communities.length; node++) {
    const community = communities[node]!;
    if (numbers[community] === 0) numbers[community] = ++count;
    communities[node] = numbers[community]! - 1;
  }
  return count;
}
