/**
 * K-1 colouring: greedy, in the order of nodes, each node gets the smallest colour that none of its neighbours has,
 * whatever the direction of relationships (Çatalyürek and others 2012, without conflicts to repair, since nodes are
 * coloured one after the other). O(nodes + relationships).
 */
import { integer } from '../configuration/fields.ts';
import type { Csr } from '../graph/csr.ts';
import { numbers } from '../graph/node-property.ts';
import { type Algorithm, type NodeOutcome, nodeAlgorithm } from '../table/algorithm.ts';
import { Arrays, overLists, type Phase } from '../work.ts';

const FIELDS = { maxIterations: integer(10, { min: 1 }), batchSize: integer(100_000, { min: 1 }) };

interface Colouring {
  readonly lists: readonly Csr[];
  readonly colours: Float64Array;
  /** For each colour, 1 plus the last node that has a neighbour of this colour. */
  readonly taken: Uint32Array;
  colourCount: number;
}

const colour: Phase<Colouring> = (state, from, to) => {
  const { lists, colours, taken } = state;
  for (let node = from; node < to; node++) {
    for (const { offsets, targets } of lists) {
      const end = offsets[node + 1]!;
      for (let i = offsets[node]!; i < end; i++) if (targets[i]! < node) taken[colours[targets[i]!]!] = node + 1;
    }
    let free = 0;
    while (taken[free] === node + 1) free++;
    colours[node] = free;
    if (free >= state.colourCount) state.colourCount = free + 1;
  }
};

/** Greedy K-1 colouring. */
export const k1coloring: Algorithm<typeof FIELDS, NodeOutcome> = nodeAlgorithm({
  name: 'k1coloring',
  description: 'A colour for each node that none of its neighbours has.',
  modes: ['stream', 'stats', 'mutate', 'write'],
  fields: FIELDS,
  weights: 'none',
  minimumSize: 'minCommunitySize',
  needsUndirected: false,
  columns: [{ name: 'color', type: 'INTEGER' }],
  summary: [
    { name: 'nodeCount', type: 'INTEGER' },
    { name: 'colorCount', type: 'INTEGER' },
    { name: 'ranIterations', type: 'INTEGER' },
    { name: 'didConverge', type: 'BOOLEAN' },
  ],
  bytes: ({ nodeCount, relationshipCount, isDirected }) => nodeCount * 12 + (isDirected ? nodeCount * 16 + relationshipCount * 12 : 0),
  *run({ topology, work }) {
    const { nodeCount, csr } = topology;
    const arrays = new Arrays(work);
    const lists = topology.isUndirected ? [csr] : [csr, (yield* topology.inverse(work)).csr];
    const state: Colouring = { lists, colours: arrays.float64(nodeCount), taken: arrays.uint32(nodeCount + 1), colourCount: 0 };
    yield* overLists(work, csr.offsets, colour, state);
    return {
      kind: 'nodes',
      properties: { '': numbers('integer', state.colours) },
      communities: state.colours,
      row: (node, id) => [id, state.colours[node]!],
      summary: { nodeCount, colorCount: state.colourCount, ranIterations: 1, didConverge: true },
    };
  },
});
