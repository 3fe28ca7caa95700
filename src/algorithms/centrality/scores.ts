/** What algorithms of centrality have in common: a score for each node, its distribution, its columns. */
import { makeFloat } from '../../value/index.ts';
import { numbers } from '../graph/node-property.ts';
import type { Column, NodeOutcome, Summary } from '../table/algorithm.ts';
import { scoreDistribution } from '../table/distribution.ts';
import type { Work } from '../work.ts';

export const SCORE: readonly Column[] = [{ name: 'score', type: 'FLOAT' }];
export const DISTRIBUTION: Column = { name: 'centralityDistribution', type: 'MAP' };
export const ITERATIONS: readonly Column[] = [
  { name: 'ranIterations', type: 'INTEGER' },
  { name: 'didConverge', type: 'BOOLEAN' },
];

export function scored(scores: Float64Array, work: Work, summary: Summary = {}): NodeOutcome {
  return {
    kind: 'nodes',
    properties: { '': numbers('float', scores) },
    row: (node) => [makeFloat(scores[node]!)],
    summary: { ...summary, centralityDistribution: () => scoreDistribution(scores, work) },
  };
}
