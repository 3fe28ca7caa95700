/** Degree centrality: relationships of each node, or the sum of their weights. O(nodes + relationships). */
import { oneOf } from '../configuration/fields.ts';
import type { Csr } from '../graph/csr.ts';
import type { Topology } from '../graph/topology.ts';
import { type Algorithm, type NodeOutcome, nodeAlgorithm } from '../table/algorithm.ts';
import { sharedPhase } from '../threads/shared-phase.ts';
import { Arrays, overLists, overRange, type Pieces, type Work } from '../work.ts';
import { DISTRIBUTION, SCORE, scored } from './scores.ts';

const FIELDS = { orientation: oneOf(['NATURAL', 'REVERSE', 'UNDIRECTED'], 'NATURAL') };

interface Sums {
  readonly offsets: Uint32Array;
  readonly sums: Float64Array;
}

const addUp = sharedPhase<Sums & { readonly weights: Float64Array }>('degree.addUp', ({ offsets, weights, sums }, from, to) => {
  for (let node = from; node < to; node++) {
    const end = offsets[node + 1]!;
    let sum = 0;
    for (let i = offsets[node]!; i < end; i++) if (weights[i]! > 0) sum += weights[i]!;
    sums[node]! += sum;
  }
});

const count = sharedPhase<Sums>('degree.count', ({ offsets, sums }, from, to) => {
  for (let node = from; node < to; node++) sums[node]! += offsets[node + 1]! - offsets[node]!;
});

function* add({ offsets }: Csr, weights: Float64Array | null, sums: Float64Array, work: Work): Pieces<void> {
  if (weights === null) yield* overRange(work, sums.length, count, { offsets, sums });
  else yield* overLists(work, offsets, addUp, { offsets, weights, sums });
}

/** Counts the outgoing relationships of each node, or adds up their positive weights. */
export function* weightedDegrees(topology: Topology, weights: Float64Array | null, work: Work): Pieces<Float64Array> {
  const sums = new Arrays(work).float64(topology.nodeCount);
  yield* add(topology.csr, weights, sums, work);
  return sums;
}

/** Degree centrality. */
export const degree: Algorithm<typeof FIELDS, NodeOutcome> = nodeAlgorithm({
  name: 'degree',
  description: 'Number of relationships of each node, or the sum of their positive weights.',
  modes: ['stream', 'stats', 'mutate', 'write'],
  fields: FIELDS,
  weights: 'optional',
  needsUndirected: false,
  columns: SCORE,
  summary: [DISTRIBUTION],
  bytes: ({ nodeCount, relationshipCount, isDirected }, { orientation }) =>
    nodeCount * 16 + (isDirected && orientation !== 'NATURAL' ? nodeCount * 16 + relationshipCount * 20 : 0),
  *run({ topology, configuration: { orientation }, work }) {
    const sums = new Arrays(work).float64(topology.nodeCount);
    if (orientation !== 'REVERSE') yield* add(topology.csr, topology.weights, sums, work);
    if (orientation !== 'NATURAL') {
      const { csr, weights } = yield* topology.inverse(work);
      yield* add(csr, weights, sums, work);
    }
    return scored(sums, work);
  },
});
