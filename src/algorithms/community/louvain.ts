/**
 * Louvain (Blondel and others 2008): nodes move to the neighbouring community that raises the modularity most; then
 * communities become nodes, level by level. O(levels × iterations × relationships), in practice near linear.
 */
import { integer } from '../configuration/fields.ts';
import { type Algorithm, type NodeOutcome, nodeAlgorithm } from '../table/algorithm.ts';
import { Arrays } from '../work.ts';
import {
  checkShown,
  HIERARCHY_COLUMNS,
  HIERARCHY_FIELDS,
  HIERARCHY_SUMMARY,
  hierarchyOutcome,
  type Level,
  shownBytes,
} from './hierarchy.ts';
import { contracted, firstLevel, modularity, move, partition, renumber } from './modularity.ts';
import { seeds } from './seeds.ts';

const FIELDS = { ...HIERARCHY_FIELDS, maxIterations: integer(10, { min: 1 }) };

/** Louvain. */
export const louvain: Algorithm<typeof FIELDS, NodeOutcome> = nodeAlgorithm({
  name: 'louvain',
  description: 'Communities of high modularity, found level by level.',
  modes: ['stream', 'stats', 'mutate', 'write'],
  fields: FIELDS,
  weights: 'optional',
  minimumSize: 'minCommunitySize',
  needsUndirected: false,
  columns: HIERARCHY_COLUMNS,
  summary: HIERARCHY_SUMMARY,
  bytes: ({ nodeCount, relationshipCount, isDirected }, configuration) =>
    nodeCount * (108 + shownBytes(configuration)) + relationshipCount * (isDirected ? 88 : 48),
  *run({ topology, configuration, work }) {
    checkShown(configuration);
    const { maxLevels, maxIterations, tolerance, seedProperty } = configuration;
    const arrays = new Arrays(work);
    const seeded = yield* seeds(topology, seedProperty, work);
    let graph = yield* firstLevel(topology, work);
    let communities = seeded.labels.slice();
    let room = seeded.names.length;
    let members = Uint32Array.from({ length: topology.nodeCount }, (_, node) => node);
    const levels: Level[] = [];
    for (let level = 0; level < maxLevels; level++) {
      const parts = partition(graph, communities, room, arrays);
      const moves = yield* move(graph, parts, { gamma: 1, maxIterations, tolerance }, work);
      if (moves === 0 && levels.length > 0) break;
      const reached = yield* modularity(graph, parts, 1, work);
      const count = renumber(communities, room, arrays);
      if (work.worked(topology.nodeCount)) yield null;
      const found = communities;
      members = members.map((member) => found[member]!);
      levels.push({ communities: members, modularity: reached });
      work.charge(members.byteLength);
      work.progress((level + 1) / maxLevels);
      if (count === graph.strengths.length || reached - (levels.at(-2)?.modularity ?? Number.NEGATIVE_INFINITY) < tolerance) break;
      graph = yield* contracted(graph, communities, count, work);
      room = count;
      communities = Uint32Array.from({ length: count }, (_, each) => each);
    }
    return yield* hierarchyOutcome(levels, seeded, configuration, {}, work);
  },
});
