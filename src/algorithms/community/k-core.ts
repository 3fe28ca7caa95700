/**
 * Core values of an undirected graph: nodes of the least degree are removed first (Batagelj and Zaveršnik 2003), with
 * nodes kept in bins by degree. O(nodes + relationships). Loops do not count.
 */
import type { Csr } from '../graph/csr.ts';
import { numbers } from '../graph/node-property.ts';
import { type Algorithm, type NodeOutcome, nodeAlgorithm } from '../table/algorithm.ts';
import { Arrays, overLists, type Phase } from '../work.ts';

const FIELDS = {};

interface Peeling {
  readonly csr: Csr;
  readonly degrees: Uint32Array;
  /** Nodes by ascending degree; `places` has the place of each node in this order, `bins` where the nodes of each degree begin. */
  readonly order: Uint32Array;
  readonly places: Uint32Array;
  readonly bins: Uint32Array;
}

const countDegrees: Phase<Pick<Peeling, 'csr' | 'degrees'>> = ({ csr, degrees }, from, to) => {
  for (let node = from; node < to; node++) {
    const end = csr.offsets[node + 1]!;
    for (let i = csr.offsets[node]!; i < end; i++) if (csr.targets[i] !== node) degrees[node]!++;
  }
};

const STEPS_TOGETHER = 16_384;

/**
 * Removes nodes in the order of their degrees, for about `STEPS_TOGETHER` neighbours.
 *
 * @returns the place in `order` to continue at
 */
function peel({ csr, degrees, order, places, bins }: Peeling, first: number): number {
  const { offsets, targets } = csr;
  let left = STEPS_TOGETHER;
  let at = first;
  for (; at < order.length && left > 0; at++) {
    const node = order[at]!;
    const degree = degrees[node]!;
    const end = offsets[node + 1]!;
    left -= 1 + end - offsets[node]!;
    for (let i = offsets[node]!; i < end; i++) {
      const other = targets[i]!;
      const own = degrees[other]!;
      if (own <= degree) continue;
      const place = places[other]!;
      const start = bins[own]!;
      const moved = order[start]!;
      order[start] = other;
      order[place] = moved;
      places[other] = start;
      places[moved] = place;
      bins[own] = start + 1;
      degrees[other] = own - 1;
    }
  }
  return at;
}

/** Core values by k-core decomposition. */
export const kcore: Algorithm<typeof FIELDS, NodeOutcome> = nodeAlgorithm({
  name: 'kcore',
  description: 'The largest k for which each node is in a part of the graph where all have k neighbours.',
  modes: ['stream', 'stats', 'mutate', 'write'],
  fields: FIELDS,
  weights: 'none',
  needsUndirected: true,
  columns: [{ name: 'coreValue', type: 'INTEGER' }],
  summary: [{ name: 'degeneracy', type: 'INTEGER' }],
  bytes: ({ nodeCount, relationshipCount }) => nodeCount * 24 + Math.min(relationshipCount, nodeCount) * 4,
  *run({ topology, work }) {
    const { nodeCount, csr } = topology;
    const arrays = new Arrays(work);
    const degrees = arrays.uint32(nodeCount);
    yield* overLists(work, csr.offsets, countDegrees, { csr, degrees });
    let most = 0;
    if (work.worked(nodeCount)) yield null;
    for (const degree of degrees) if (degree > most) most = degree;
    const bins = arrays.uint32(most + 2);
    for (const degree of degrees) bins[degree + 1]!++;
    for (let degree = 0; degree <= most; degree++) bins[degree + 1]! += bins[degree]!;
    const next = bins.slice();
    const order = arrays.uint32(nodeCount);
    const places = arrays.uint32(nodeCount);
    for (let node = 0; node < nodeCount; node++) {
      const place = next[degrees[node]!]!++;
      order[place] = node;
      places[node] = place;
    }
    const state: Peeling = { csr, degrees, order, places, bins };
    for (let at = 0; at < nodeCount; ) {
      if (work.worked(STEPS_TOGETHER)) yield null;
      at = peel(state, at);
      work.progress(at / nodeCount);
    }
    const cores = Float64Array.from(degrees);
    let degeneracy = 0;
    for (const core of cores) if (core > degeneracy) degeneracy = core;
    return { kind: 'nodes', properties: { '': numbers('integer', cores) }, row: (node, id) => [id, cores[node]!], summary: { degeneracy } };
  },
});
