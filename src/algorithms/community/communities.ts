/** What algorithms of communities have in common: a number for each node, how many there are, how large they are. */
import { numbers } from '../graph/node-property.ts';
import type { Column, NodeOutcome, Summary } from '../table/algorithm.ts';
import { communitySummary } from '../table/distribution.ts';
import type { Work } from '../work.ts';

export const COMMUNITY: Column = { name: 'communityId', type: 'INTEGER' };
export const COMMUNITY_SUMMARY: readonly Column[] = [
  { name: 'communityCount', type: 'INTEGER' },
  { name: 'communityDistribution', type: 'MAP' },
];

export function inCommunities(communities: Float64Array, work: Work, summary: Summary = {}): NodeOutcome {
  return {
    kind: 'nodes',
    properties: { '': numbers('integer', communities) },
    communities,
    row: (node) => [communities[node]!],
    summary: { ...summary, ...communitySummary(communities, work, { count: 'communityCount', distribution: 'communityDistribution' }) },
  };
}
