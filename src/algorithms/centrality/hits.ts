/**
 * Hubs and authorities (Kleinberg 1999). The authority score of a node adds up the hub scores of the nodes that lead to
 * it, its hub score the authority scores of the nodes that it leads to; each vector of scores is divided by its
 * Euclidean norm. O(iterations × (nodes + relationships)).
 */

import { makeFloat } from '../../value/index.ts';
import { integer, oneOf, string } from '../configuration/fields.ts';
import type { Csr } from '../graph/csr.ts';
import { numbers } from '../graph/node-property.ts';
import { type Algorithm, type NodeOutcome, nodeAlgorithm } from '../table/algorithm.ts';
import { sharedPhase } from '../threads/shared-phase.ts';
import { Arrays, overLists, type Pieces, type Work } from '../work.ts';
import { Norms } from './norms.ts';
import { ITERATIONS } from './scores.ts';

const FIELDS = {
  hitsIterations: integer(20, { min: 1 }),
  partitioning: oneOf(['AUTO', 'RANGE', 'DEGREE'], 'AUTO'),
  authProperty: string('auth'),
  hubProperty: string('hub'),
};

interface Side {
  /** For each node the list of the nodes whose scores it adds up. */
  readonly csr: Csr;
  readonly from: Float64Array;
  readonly into: Float64Array;
}

const gather = sharedPhase<Side>('hits.gather', ({ csr, from, into }, first, end) => {
  for (let node = first; node < end; node++) {
    const stop = csr.offsets[node + 1]!;
    let sum = 0;
    for (let i = csr.offsets[node]!; i < stop; i++) sum += from[csr.targets[i]!]!;
    into[node] = sum;
  }
});

function* update(side: Side, norms: Norms, work: Work): Pieces<void> {
  yield* overLists(work, side.csr.offsets, gather, side);
  yield* norms.normalize(side.into, side.into);
}

/** Hubs and authorities (HITS). */
export const hits: Algorithm<typeof FIELDS, NodeOutcome> = nodeAlgorithm({
  name: 'hits',
  description: 'Hubs, which lead to authorities, and authorities, which hubs lead to.',
  modes: ['stream', 'stats', 'mutate', 'write'],
  fields: FIELDS,
  weights: 'none',
  namesPrefix: true,
  needsUndirected: false,
  columns: [{ name: 'values', type: 'MAP' }],
  summary: ITERATIONS,
  bytes: ({ nodeCount, relationshipCount, isDirected }) => nodeCount * 16 + (isDirected ? nodeCount * 16 + relationshipCount * 12 : 0),
  *run({ topology, configuration: { hitsIterations, authProperty, hubProperty }, work }) {
    const { nodeCount, csr } = topology;
    const arrays = new Arrays(work);
    const inverse = yield* topology.inverse(work);
    const authorities = arrays.float64(nodeCount).fill(1);
    const hubs = arrays.float64(nodeCount).fill(1);
    const toAuthorities: Side = { csr: inverse.csr, from: hubs, into: authorities };
    const toHubs: Side = { csr, from: authorities, into: hubs };
    const norms = new Norms(nodeCount, work);
    for (let iteration = 0; iteration < hitsIterations; iteration++) {
      yield* update(toAuthorities, norms, work);
      yield* update(toHubs, norms, work);
      work.progress((iteration + 1) / hitsIterations);
    }
    return {
      kind: 'nodes',
      properties: { [authProperty]: numbers('float', authorities), [hubProperty]: numbers('float', hubs) },
      row: (node, id) => [
        id,
        new Map([
          [authProperty, makeFloat(authorities[node]!)],
          [hubProperty, makeFloat(hubs[node]!)],
        ]),
      ],
      summary: { ranIterations: hitsIterations, didConverge: false },
    };
  },
});
