/**
 * The local clustering coefficient of directed graphs, as LDBC Graphalytics defines LCC: among the ordered pairs of
 * different neighbours of a node, whatever the direction of their relationships with it, the share that has a
 * relationship from the first to the second. Parallel relationships count once, loops not at all. Where all
 * relationships are undirected the result is that of `localClusteringCoefficient`.
 *
 * Each triangle of the graph without directions is found once, as `triangles.ts` finds it, and counts at each of its
 * nodes the directions, one or two, in which the other two are related. O(m × √m).
 */
import { makeFloat } from '../../value/index.ts';
import type { Csr } from '../graph/csr.ts';
import { numbers } from '../graph/node-property.ts';
import { type Algorithm, type NodeOutcome, nodeAlgorithm } from '../table/algorithm.ts';
import { sharedPhase, sharedUnit } from '../threads/shared-phase.ts';
import { Arrays, memberCount, overLists, overRange, overUnits, type Phase } from '../work.ts';

interface Neighbourhoods {
  readonly outgoing: Csr;
  readonly incoming: Csr;
  /** For each node the number of its different neighbours, itself excepted. */
  readonly degrees: Uint32Array;
  readonly offsets: Uint32Array;
  /** The neighbours that follow a node by degree, then by number: twice their numbers, and 1 more where both directions are there. */
  readonly forward: Uint32Array;
}

interface Counting extends Neighbourhoods {
  /** For each member a table by node: twice 1 plus the node that has marked it last, and 1 more as in `forward`. */
  readonly marks: readonly Uint32Array[];
  /** For each member and node the pairs of its neighbours that the member has found to be related. */
  readonly found: readonly Float64Array[];
}

/** The purpose of a pass over neighbours: to count them, to count those that follow their node, or to write those down. */
type Purpose = 'degrees' | 'offsets' | 'forward';

/** Passes over the different neighbours of nodes, in ascending order: those of both lists, which are sorted. */
function passNeighbours(
  { outgoing, incoming, degrees, offsets, forward }: Neighbourhoods,
  from: number,
  to: number,
  purpose: Purpose,
): void {
  for (let node = from; node < to; node++) {
    const degree = degrees[node]!;
    const [end, stop] = [outgoing.offsets[node + 1]!, incoming.offsets[node + 1]!];
    let [i, j] = [outgoing.offsets[node]!, incoming.offsets[node]!];
    let count = 0;
    let at = purpose === 'forward' ? offsets[node]! : 0;
    while (i < end || j < stop) {
      const target = i < end ? outgoing.targets[i]! : NONE;
      const source = j < stop ? incoming.targets[j]! : NONE;
      const neighbour = Math.min(target, source);
      while (i < end && outgoing.targets[i] === neighbour) i++;
      while (j < stop && incoming.targets[j] === neighbour) j++;
      if (neighbour === node) continue;
      if (purpose !== 'degrees') {
        const other = degrees[neighbour]!;
        if (other < degree || (other === degree && neighbour < node)) continue;
        if (purpose === 'forward') forward[at++] = neighbour * 2 + (target === source ? 1 : 0);
      }
      count++;
    }
    if (purpose === 'degrees') degrees[node] = count;
    else if (purpose === 'offsets') offsets[node + 1] = count;
  }
}

/** Greater than every node. */
const NONE = 2 ** 32;

/** Counts the entries of both lists of the nodes before each node. */
const addLengths: Phase<{ readonly outgoing: Csr; readonly incoming: Csr; readonly lists: Uint32Array }> = (state, from, to) => {
  for (let node = from; node < to; node++) state.lists[node] = state.outgoing.offsets[node]! + state.incoming.offsets[node]!;
};

const countNeighbours = sharedPhase<Neighbourhoods>('directedClustering.countNeighbours', (state, from, to) =>
  passNeighbours(state, from, to, 'degrees'),
);
const countForward = sharedPhase<Neighbourhoods>('directedClustering.countForward', (state, from, to) =>
  passNeighbours(state, from, to, 'offsets'),
);
const fillForward = sharedPhase<Neighbourhoods>('directedClustering.fillForward', (state, from, to) =>
  passNeighbours(state, from, to, 'forward'),
);

const STEPS_TOGETHER = 16_384;

/** How many nodes a unit has: few, since some nodes have many neighbours of neighbours. */
const UNIT = 1_024;

/** Finds the triangles whose first node, in the order of degrees, is in the range. */
const cluster = sharedUnit<Counting>('directedClustering.cluster', function* (state, from, to, member) {
  const { offsets } = state;
  let steps = 0;
  for (let node = from; node < to; node++) {
    if (offsets[node + 1]! - offsets[node]! >= 2) steps += clusterAt(state, node, member);
    if (steps <= STEPS_TOGETHER) continue;
    yield steps;
    steps = 0;
  }
  yield steps;
});

/** Finds the triangles that begin at a node. @returns how many list entries were read */
function clusterAt({ offsets, forward, marks: allMarks, found: all }: Counting, node: number, member: number): number {
  const marks = allMarks[member]!;
  const found = all[member]!;
  const start = offsets[node]!;
  const end = offsets[node + 1]!;
  const mark = node + 1;
  let steps = end - start;
  for (let i = start; i < end; i++) marks[forward[i]! >>> 1] = mark * 2 + (forward[i]! & 1);
  let own = 0;
  for (let i = start; i < end; i++) {
    const middle = forward[i]! >>> 1;
    const withMiddle = 1 + (forward[i]! & 1);
    const stop = offsets[middle + 1]!;
    steps += stop - offsets[middle]!;
    let ofMiddle = 0;
    for (let j = offsets[middle]!; j < stop; j++) {
      const entry = forward[j]!;
      const last = entry >>> 1;
      const withLast = marks[last]!;
      if (withLast >>> 1 !== mark) continue;
      own += 1 + (entry & 1);
      ofMiddle += 1 + (withLast & 1);
      found[last]! += withMiddle;
    }
    found[middle]! += ofMiddle;
  }
  found[node]! += own;
  return steps;
}

interface Sharing {
  readonly found: readonly Float64Array[];
  readonly degrees: Uint32Array;
  readonly coefficients: Float64Array;
}

const divide: Phase<Sharing> = ({ found, degrees, coefficients }, from, to) => {
  for (let node = from; node < to; node++) {
    let pairs = 0;
    for (const each of found) pairs += each[node]!;
    const degree = degrees[node]!;
    coefficients[node] = degree < 2 ? 0 : pairs / (degree * (degree - 1));
  }
};

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
    nodeCount * (20 + 12 * members) + (isDirected ? nodeCount * 16 + relationshipCount * 16 : relationshipCount * 2),
  *run({ topology, work }) {
    const { nodeCount, csr: outgoing } = topology;
    const { csr: incoming } = yield* topology.inverse(work);
    const arrays = new Arrays(work);
    const coefficients = arrays.float64(nodeCount);
    const degrees = arrays.uint32(nodeCount);
    const offsets = arrays.uint32(nodeCount + 1);
    const neighbourhoods = { outgoing, incoming, degrees, offsets, forward: arrays.uint32(0) };
    const lists = arrays.uint32(nodeCount + 1);
    yield* overRange(work, lists.length, addLengths, { outgoing, incoming, lists });
    yield* overLists(work, lists, countNeighbours, neighbourhoods);
    yield* overLists(work, lists, countForward, neighbourhoods);
    for (let node = 0; node < nodeCount; node++) offsets[node + 1]! += offsets[node]!;
    const forward = arrays.uint32(offsets[nodeCount]!);
    yield* overLists(work, lists, fillForward, { ...neighbourhoods, forward });
    const members = Array.from({ length: memberCount(work) });
    const marks = members.map(() => arrays.uint32(nodeCount));
    const found = members.map(() => arrays.float64(nodeCount));
    yield* overUnits(work, nodeCount, UNIT, cluster, { ...neighbourhoods, forward, marks, found });
    yield* overRange(work, nodeCount, divide, { found, degrees, coefficients });
    let sum = 0;
    if (work.worked(nodeCount >> 2)) yield null;
    for (const coefficient of coefficients) sum += coefficient;
    return {
      kind: 'nodes',
      properties: { '': numbers('float', coefficients) },
      row: (node, id) => [id, makeFloat(coefficients[node]!)],
      summary: { averageClusteringCoefficient: makeFloat(nodeCount === 0 ? 0 : sum / nodeCount), nodeCount },
    };
  },
});
