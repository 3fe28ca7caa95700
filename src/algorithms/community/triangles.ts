/**
 * Triangles of an undirected graph: each relationship is directed from the node of lower degree to that of higher
 * degree, which leaves lists of at most √(2m) entries, and neighbours of neighbours are looked up in a table of marks
 * (Latapy 2008). O(m × √m). Parallel relationships count once, loops not at all.
 */

import { makeFloat } from '../../value/index.ts';
import { integer, optional, string } from '../configuration/fields.ts';
import type { Csr } from '../graph/csr.ts';
import { numbers } from '../graph/node-property.ts';
import type { Topology } from '../graph/topology.ts';
import { type Algorithm, type NodeOutcome, nodeAlgorithm } from '../table/algorithm.ts';
import { sharedPhase, sharedUnit } from '../threads/shared-phase.ts';
import { Arrays, memberCount, overLists, overRange, overUnits, type Phase, type Pieces, type Work } from '../work.ts';

/** Nodes with more than `maxDegree` neighbours are left out. */
const DEGREE = { maxDegree: integer(2 ** 53 - 1, { min: 2 }) };
const TRIANGLES = { ...DEGREE };
const COEFFICIENT = { triangleCountProperty: optional(string(undefined)), ...DEGREE };

interface Counting {
  readonly csr: Csr;
  readonly maxDegree: number;
  /** For each node the number of its different neighbours, itself excepted. */
  readonly degrees: Uint32Array;
  readonly offsets: Uint32Array;
  readonly forward: Uint32Array;
  /** For each member a table by node: 1 plus the node that has marked it last. */
  readonly marks: readonly Uint32Array[];
  /** For each member the number of triangles that it has found at each node. */
  readonly triangles: readonly Float64Array[];
}

const countNeighbours = sharedPhase<Pick<Counting, 'csr' | 'degrees'>>('triangles.countNeighbours', ({ csr, degrees }, from, to) => {
  const { offsets, targets } = csr;
  for (let node = from; node < to; node++) {
    const end = offsets[node + 1]!;
    let last = -1;
    for (let i = offsets[node]!; i < end; i++) {
      const target = targets[i]!;
      if (target === last || target === node) continue;
      last = target;
      degrees[node]!++;
    }
  }
});

/** Writes to the list of each node the neighbours that follow it by degree, then by number. The first pass only counts them. */
function turn(
  { csr, degrees, maxDegree, offsets, forward }: Omit<Counting, 'marks' | 'triangles'>,
  from: number,
  to: number,
  isFirst: boolean,
): void {
  for (let node = from; node < to; node++) {
    const degree = degrees[node]!;
    if (degree > maxDegree) continue;
    const end = csr.offsets[node + 1]!;
    let at = offsets[node]!;
    let last = -1;
    for (let i = csr.offsets[node]!; i < end; i++) {
      const target = csr.targets[i]!;
      if (target === last) continue;
      last = target;
      const other = degrees[target]!;
      if (other > maxDegree || other < degree || (other === degree && target <= node)) continue;
      if (isFirst) offsets[node + 1]!++;
      else forward[at++] = target;
    }
  }
}

type Turning = Omit<Counting, 'marks' | 'triangles'>;
const countForward = sharedPhase<Turning>('triangles.countForward', (state, from, to) => turn(state, from, to, true));
const fillForward = sharedPhase<Turning>('triangles.fillForward', (state, from, to) => turn(state, from, to, false));

const STEPS_TOGETHER = 16_384;

/** How many nodes a unit has: few, since some nodes have many neighbours of neighbours. */
const UNIT = 1_024;

/** Counts the triangles whose first node, in the order of degrees, is in the range. */
const countTriangles = sharedUnit<Counting>('triangles.count', function* (state, from, to, member) {
  const { offsets } = state;
  let steps = 0;
  for (let node = from; node < to; node++) {
    if (offsets[node + 1]! - offsets[node]! >= 2) steps += countOf(state, node, member);
    if (steps <= STEPS_TOGETHER) continue;
    yield steps;
    steps = 0;
  }
  yield steps;
});

/** Counts the triangles that begin at a node. @returns how many list entries were read */
function countOf({ offsets, forward, marks: allMarks, triangles: all }: Counting, node: number, member: number): number {
  const marks = allMarks[member]!;
  const triangles = all[member]!;
  const start = offsets[node]!;
  const end = offsets[node + 1]!;
  let steps = end - start;
  for (let i = start; i < end; i++) marks[forward[i]!] = node + 1;
  let own = 0;
  for (let i = start; i < end; i++) {
    const middle = forward[i]!;
    const stop = offsets[middle + 1]!;
    steps += stop - offsets[middle]!;
    let found = 0;
    for (let j = offsets[middle]!; j < stop; j++) {
      const last = forward[j]!;
      if (marks[last] !== node + 1) continue;
      found++;
      triangles[last]!++;
    }
    triangles[middle]! += found;
    own += found;
  }
  triangles[node]! += own;
  return steps;
}

const addCounts: Phase<{ readonly into: Float64Array; readonly other: Float64Array }> = ({ into, other }, from, to) => {
  for (let node = from; node < to; node++) into[node]! += other[node]!;
};

interface Triangles {
  /** For each node the number of its triangles; -1: it has more neighbours than the configuration allows. */
  readonly counts: Float64Array;
  readonly degrees: Uint32Array;
  readonly total: number;
}

function* trianglesOf({ csr, nodeCount }: Topology, maxDegree: number, work: Work): Pieces<Triangles> {
  const arrays = new Arrays(work);
  const degrees = arrays.uint32(nodeCount);
  yield* overLists(work, csr.offsets, countNeighbours, { csr, degrees });
  const offsets = arrays.uint32(nodeCount + 1);
  const turning = { csr, degrees, maxDegree, offsets, forward: arrays.uint32(0) };
  yield* overLists(work, csr.offsets, countForward, turning);
  for (let node = 0; node < nodeCount; node++) offsets[node + 1]! += offsets[node]!;
  const forward = arrays.uint32(offsets[nodeCount]!);
  yield* overLists(work, csr.offsets, fillForward, { ...turning, forward });
  const members = Array.from({ length: memberCount(work) });
  const state: Counting = {
    ...turning,
    forward,
    marks: members.map(() => arrays.uint32(nodeCount)),
    triangles: members.map(() => arrays.float64(nodeCount)),
  };
  yield* overUnits(work, nodeCount, UNIT, countTriangles, state);
  const [triangles, ...others] = state.triangles as [Float64Array, ...Float64Array[]]; // as: the main thread is a member
  for (const other of others) yield* overRange(work, nodeCount, addCounts, { into: triangles, other });
  let sum = 0;
  if (work.worked(nodeCount >> 2)) yield null;
  for (let node = 0; node < nodeCount; node++) {
    sum += triangles[node]!;
    if (degrees[node]! > maxDegree) triangles[node] = -1;
  }
  return { counts: triangles, degrees, total: sum / 3 };
}

/** Counts the triangles of each node. */
export const triangleCount: Algorithm<typeof TRIANGLES, NodeOutcome> = nodeAlgorithm({
  name: 'triangleCount',
  description: 'The number of triangles that each node is in.',
  modes: ['stream', 'stats', 'mutate', 'write'],
  fields: TRIANGLES,
  weights: 'none',
  needsUndirected: true,
  columns: [{ name: 'triangleCount', type: 'INTEGER' }],
  summary: [
    { name: 'globalTriangleCount', type: 'INTEGER' },
    { name: 'nodeCount', type: 'INTEGER' },
  ],
  bytes: ({ nodeCount, relationshipCount, members }) => nodeCount * (8 + 12 * members) + relationshipCount * 2,
  *run({ topology, configuration: { maxDegree }, work }) {
    const { counts, total } = yield* trianglesOf(topology, maxDegree, work);
    return {
      kind: 'nodes',
      properties: { '': numbers('integer', counts) },
      row: (node, id) => [id, counts[node]!],
      summary: { globalTriangleCount: total, nodeCount: topology.nodeCount },
    };
  },
});

interface Closeness {
  readonly counts: ArrayLike<number>;
  readonly degrees: Uint32Array;
  readonly coefficients: Float64Array;
}

const divide: Phase<Closeness> = ({ counts, degrees, coefficients }, from, to) => {
  for (let node = from; node < to; node++) {
    const degree = degrees[node]!;
    coefficients[node] = degree < 2 || counts[node]! < 0 ? 0 : (2 * counts[node]!) / (degree * (degree - 1));
  }
};

/** The local clustering coefficient of undirected graphs. */
export const localClusteringCoefficient: Algorithm<typeof COEFFICIENT, NodeOutcome> = nodeAlgorithm({
  name: 'localClusteringCoefficient',
  description: 'How many of the pairs of neighbours of each node are neighbours themselves.',
  modes: ['stream', 'stats', 'mutate', 'write'],
  fields: COEFFICIENT,
  weights: 'none',
  needsUndirected: true,
  columns: [{ name: 'localClusteringCoefficient', type: 'FLOAT' }],
  summary: [
    { name: 'averageClusteringCoefficient', type: 'FLOAT' },
    { name: 'nodeCount', type: 'INTEGER' },
  ],
  bytes: ({ nodeCount, relationshipCount, members }) => nodeCount * (16 + 12 * members) + relationshipCount * 2,
  *run({ topology, configuration: { triangleCountProperty, maxDegree }, work }) {
    const { nodeCount, csr } = topology;
    const arrays = new Arrays(work);
    const coefficients = arrays.float64(nodeCount);
    if (triangleCountProperty === null) {
      yield* overRange(work, nodeCount, divide, { ...(yield* trianglesOf(topology, maxDegree, work)), coefficients });
    } else {
      const degrees = arrays.uint32(nodeCount);
      yield* overLists(work, csr.offsets, countNeighbours, { csr, degrees });
      yield* overRange(work, nodeCount, divide, { counts: topology.numbers(triangleCountProperty), degrees, coefficients });
    }
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
