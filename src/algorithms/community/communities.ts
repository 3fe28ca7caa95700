/** Shared parts of the algorithms of communities: a number for each node, the number of communities, and their sizes. */
import { numbers } from '../graph/node-property.ts';
import type { Column, NodeOutcome, Summary } from '../table/algorithm.ts';
import { communitySummary } from '../table/distribution.ts';
import type { Work } from '../work.ts';

/** The column of communities. */
export const COMMUNITY: Column = { name: 'communityId', type: 'INTEGER' };

/** The summary columns of the modes that return no row per node. */
export const COMMUNITY_SUMMARY: readonly Column[] = [
  { name: 'communityCount', type: 'INTEGER' },
  { name: 'communityDistribution', type: 'MAP' },
];

/** Returns the outcome of an algorithm that gives each node a community. */
export function inCommunities(communities: Float64Array, work: Work, summary: Summary = {}): NodeOutcome {
  return {
    kind: 'nodes',
    properties: { '': numbers('integer', communities) },
    communities,
    row: (node, id) => [id, communities[node]!],
    summary: { ...summary, ...communitySummary(communities, work, { count: 'communityCount', distribution: 'communityDistribution' }) },
  };
}
