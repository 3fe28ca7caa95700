/**
 * The local clustering coefficient of directed graphs, as LDBC Graphalytics defines LCC: among the ordered pairs of
 * different neighbours of a node, whatever the direction of their relationships with it, the share that has a
 * relationship from the first to the second. Parallel relationships count once, loops not at all. The relationships of
 * each neighbour are looked up in a table of marks: O(Σ d(v) × d⁺(v)) for degrees d and outgoing degrees d⁺. Where all
 * relationships are undirected the result is that of `localClusteringCoefficient`.
 */
import { makeFloat } from '../../value/index.ts';
import type { Csr } from '../graph/csr.ts';
import { numbers } from '../graph/node-property.ts';
import { type Algorithm, type NodeOutcome, nodeAlgorithm } from '../table/algorithm.ts';
import { sharedUnit } from '../threads/shared-phase.ts';
import { Arrays, memberCount, overUnits } from '../work.ts';

interface Clustering {
  readonly outgoing: Csr;
  readonly incoming: Csr;
  /** For each member a table by node: 1 plus the node whose neighbour it was last marked as. */
  readonly marks: readonly Uint32Array[];
  /** For each member room for the neighbours of one node. */
  readonly neighbours: readonly Uint32Array[];
  readonly coefficients: Float64Array;
}

const STEPS_TOGETHER = 16_384;

/** How many nodes a unit has: few, since some nodes have many neighbours of neighbours. */
const UNIT = 1_024;

const cluster = sharedUnit<Clustering>('directedClustering.cluster', function* (state, from, to, member) {
  const { outgoing, incoming, coefficients } = state;
  const marks = state.marks[member]!;
  const neighbours = state.neighbours[member]!;
  let steps = 0;
  for (let node = from; node < to; node++) {
    const mark = node + 1;
    const outgoingCount = markNeighbours(outgoing, node, { marks, neighbours, count: 0 });
    const count = markNeighbours(incoming, node, { marks, neighbours, count: outgoingCount });
    steps += listLength(outgoing, node) + listLength(incoming, node) + 1;
    let found = 0;
    for (let i = 0; i < count && count >= 2; i++) {
      const neighbour = neighbours[i]!;
      found += countMarked(outgoing, neighbour, { marks, mark });
      steps += listLength(outgoing, neighbour);
      if (steps <= STEPS_TOGETHER) continue;
      yield steps;
      steps = 0;
    }
    coefficients[node] = count < 2 ? 0 : found / (count * (count - 1));
    if (steps <= STEPS_TOGETHER) continue;
    yield steps;
    steps = 0;
  }
  yield steps;
});

const listLength = ({ offsets }: Csr, node: number): number => offsets[node + 1]! - offsets[node]!;

/**
 * Marks the nodes in the list of a node, and appends the newly marked ones after the first `count` neighbours. Returns
 * the new number of neighbours.
 */
function markNeighbours(
  { offsets, targets }: Csr,
  node: number,
  { marks, neighbours, count }: { readonly marks: Uint32Array; readonly neighbours: Uint32Array; readonly count: number },
): number {
  const mark = node + 1;
  const end = offsets[mark]!;
  let at = count;
  for (let i = offsets[node]!; i < end; i++) {
    const target = targets[i]!;
    if (target === node || marks[target] === mark) continue;
    marks[target] = mark;
    neighbours[at++] = target;
  }
  return at;
}

/** Returns how many different nodes in the list of a node, itself excepted, have the mark. Lists are sorted. */
function countMarked(
  { offsets, targets }: Csr,
  node: number,
  { marks, mark }: { readonly marks: Uint32Array; readonly mark: number },
): number {
  const end = offsets[node + 1]!;
  let last = node;
  let found = 0;
  for (let i = offsets[node]!; i < end; i++) {
    const target = targets[i]!;
    if (target === last || target === node) continue;
    last = target;
    if (marks[target] === mark) found++;
  }
  return found;
}

/** The local clustering coefficient of directed graphs (LCC of LDBC Graphalytics). */
export const directedClusteringCoefficient: Algorithm<Record<never, never>, NodeOutcome> = nodeAlgorithm({
  name: 'localClusteringCoefficient.directed',
  description:
    'How many of the ordered pairs of neighbours of each node have a relationship from the first to the second, as in LDBC Graphalytics.',
  modes: ['stream', 'stats', 'mutate', 'write'],
  fields: {},
  weights: 'none',
  needsUndirected: false,
  columns: [{ name: 'localClusteringCoefficient', type: 'FLOAT' }],
  summary: [
    { name: 'averageClusteringCoefficient', type: 'FLOAT' },
    { name: 'nodeCount', type: 'INTEGER' },
  ],
  bytes: ({ nodeCount, relationshipCount, isDirected, members }) =>
    nodeCount * (16 + 8 * members) + (isDirected ? nodeCount * 16 + relationshipCount * 12 : 0),
  *run({ topology, work }) {
    const { nodeCount, csr: outgoing } = topology;
    const { csr: incoming } = yield* topology.inverse(work);
    const arrays = new Arrays(work);
    const coefficients = arrays.float64(nodeCount);
    const members = Array.from({ length: memberCount(work) });
    const marks = members.map(() => arrays.uint32(nodeCount));
    const neighbours = members.map(() => arrays.uint32(nodeCount));
    yield* overUnits(work, nodeCount, UNIT, cluster, { outgoing, incoming, marks, neighbours, coefficients });
    let sum = 0;
    if (work.worked(nodeCount >> 2)) yield null;
    for (const coefficient of coefficients) sum += coefficient;
    return {
      kind: 'nodes',
      properties: { '': numbers('float', coefficients) },
      row: (node) => [makeFloat(coefficients[node]!)],
      summary: { averageClusteringCoefficient: makeFloat(nodeCount === 0 ? 0 : sum / nodeCount), nodeCount },
    };
  },
});
