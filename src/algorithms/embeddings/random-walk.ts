/** Random walks from all nodes, or from given ones. A node from which no relationship leads on has no walk. O(walks × length). */

import { float, integer, optional, sourceNodes } from '../configuration/fields.ts';
import { sourcesIn } from '../graph/sources.ts';
import { type Algorithm, type PathOutcome, pathAlgorithm } from '../table/algorithm.ts';
import { Arrays } from '../work.ts';
import { bytesOfWalker, Walker } from './walks.ts';

const FIELDS = {
  sourceNodes: sourceNodes(),
  walkLength: integer(80, { min: 2 }),
  walksPerNode: integer(10, { min: 1 }),
  inOutFactor: float(1, { min: 0, above: true }),
  returnFactor: float(1, { min: 0, above: true }),
  randomSeed: optional(integer(undefined, { min: 0 })),
  walkBufferSize: integer(1000, { min: 1 }),
};

/** Random walks. */
export const randomWalk: Algorithm<typeof FIELDS, PathOutcome> = pathAlgorithm({
  name: 'randomWalk',
  description: 'Random walks along relationships.',
  modes: ['stream', 'stats'],
  fields: FIELDS,
  weights: 'optional',
  needsUndirected: false,
  columns: [
    { name: 'nodeIds', type: 'LIST<INTEGER>' },
    { name: 'path', type: 'PATH' },
  ],
  summary: [],
  bytes: (size, { walkLength }) => bytesOfWalker(size) + walkLength * 36,
  leastBytes: bytesOfWalker,
  *run({ topology, configuration, work }) {
    const walker = yield* Walker.over(topology, configuration, work);
    const { walksPerNode, walkLength, sourceNodes } = configuration;
    const sources = sourceNodes === null ? null : sourcesIn(topology, 'sourceNodes', sourceNodes);
    const count = sources === null ? topology.nodeCount : sources.length;
    return {
      kind: 'paths',
      isStepwise: true,
      *paths() {
        const walk = new Arrays(work).uint32(walkLength);
        for (let i = 0; i < count; i++) {
          const node = sources === null ? i : sources[i]!;
          for (let number = 0; number < walksPerNode; number++) {
            if (work.worked(walkLength * 4)) yield null;
            const length = walker.walk(node, number, walk);
            if (length > 1) yield { nodes: Array.from(walk.subarray(0, length)), costs: [] };
          }
          work.progress(i / count);
        }
      },
      summary: {},
    };
  },
});
