/** The levels of communities that Louvain and Leiden find, and what the modes report of them. */

import { argumentFault, makeFloat, type Value } from '../../value/index.ts';
import { boolean, float, integer, optional, string } from '../configuration/fields.ts';
import { type NodeProperty, numbers } from '../graph/node-property.ts';
import type { Column, NodeOutcome } from '../table/algorithm.ts';
import { communitySummary, consecutive } from '../table/distribution.ts';
import { Arrays, type Pieces, type Work } from '../work.ts';
import { COMMUNITY, COMMUNITY_SUMMARY } from './communities.ts';
import type { Seeded } from './seeds.ts';

/** The configuration that Louvain and Leiden share. */
export const HIERARCHY_FIELDS = {
  maxLevels: integer(10, { min: 1 }),
  tolerance: float(0.0001, { min: 0 }),
  includeIntermediateCommunities: boolean(false),
  seedProperty: optional(string(undefined)),
  consecutiveIds: boolean(false),
};

/** The columns of `stream` of Louvain and Leiden. */
export const HIERARCHY_COLUMNS: readonly Column[] = [COMMUNITY, { name: 'intermediateCommunityIds', type: 'LIST<INTEGER>' }];

/** The columns of the other modes of Louvain and Leiden. */
export const HIERARCHY_SUMMARY: readonly Column[] = [
  { name: 'modularity', type: 'FLOAT' },
  { name: 'modularities', type: 'LIST<FLOAT>' },
  { name: 'ranLevels', type: 'INTEGER' },
  ...COMMUNITY_SUMMARY,
];

/** A level of the hierarchy: communities of the graph's nodes, and their modularity. */
export interface Level {
  /** The community of each node of the graph: numbers below the number of nodes. */
  readonly communities: Uint32Array;
  readonly modularity: number;
}

interface Shown {
  readonly includeIntermediateCommunities: boolean;
  readonly consecutiveIds: boolean;
}

/** Returns the bytes for each node that naming the communities of all levels takes at most. */
export const shownBytes = ({ includeIntermediateCommunities, maxLevels }: Shown & { readonly maxLevels: number }): number =>
  includeIntermediateCommunities ? 16 * maxLevels : 0;

/** Checks that the options do not contradict each other. @throws ARGUMENT_ERROR */
export function checkShown({ includeIntermediateCommunities, consecutiveIds }: Shown): void {
  if (includeIntermediateCommunities && consecutiveIds)
    throw argumentFault('The `includeIntermediateCommunities` and the `consecutiveIds` option cannot be used at the same time.');
}

/** Names each community by the least seed in it, without seeds by its smallest node. Returns the name for each node. */
function* named({ communities }: Level, { labels, names }: Seeded, work: Work): Pieces<Float64Array> {
  if (work.worked(communities.length * 2)) yield null;
  const arrays = new Arrays(work);
  const least = arrays.float64(communities.length).fill(Number.POSITIVE_INFINITY);
  for (let node = 0; node < communities.length; node++) {
    const name = names[labels[node]!]!;
    if (name < least[communities[node]!]!) least[communities[node]!] = name;
  }
  const result = arrays.float64(communities.length);
  for (let node = 0; node < communities.length; node++) result[node] = least[communities[node]!]!;
  return result;
}

/** Returns the outcome of Louvain and Leiden. @param levels at least one, the finest first */
export function* hierarchyOutcome(
  levels: readonly Level[],
  seeded: Seeded,
  shown: Shown,
  summary: Record<string, Value>,
  work: Work,
): Pieces<NodeOutcome> {
  const { includeIntermediateCommunities, consecutiveIds } = shown;
  const all: Float64Array[] = [];
  for (const level of includeIntermediateCommunities ? levels : levels.slice(-1)) all.push(yield* named(level, seeded, work));
  let last = all.at(-1)!;
  if (consecutiveIds) last = yield* consecutive(last, work);
  return {
    kind: 'nodes',
    properties: { '': includeIntermediateCommunities ? lists(all) : numbers('integer', last) },
    communities: last,
    row: (node, id) => [id, last[node]!, includeIntermediateCommunities ? all.map((level) => level[node]!) : null],
    summary: {
      ...summary,
      modularity: makeFloat(levels.at(-1)!.modularity),
      modularities: levels.map(({ modularity }) => makeFloat(modularity)),
      ranLevels: levels.length,
      ...communitySummary(last, work, { count: 'communityCount', distribution: 'communityDistribution' }),
    },
  };
}

function lists(all: readonly Float64Array[]): NodeProperty {
  const count = all[0]!.length;
  const values = new Float64Array(count * all.length);
  const offsets = new Uint32Array(count + 1);
  for (let node = 0; node < count; node++) {
    for (let level = 0; level < all.length; level++) values[node * all.length + level] = all[level]![node]!;
    offsets[node + 1] = (node + 1) * all.length;
  }
  return { kind: 'integers', values, offsets, stored: false };
}
