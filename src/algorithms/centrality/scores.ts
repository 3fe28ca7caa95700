/** Shared parts of the algorithms of centrality: a score for each node, its distribution, its columns. */
import { makeFloat } from '../../value/index.ts';
import { numbers } from '../graph/node-property.ts';
import type { Column, NodeOutcome, Summary } from '../table/algorithm.ts';
import { scoreDistribution } from '../table/distribution.ts';
import type { Work } from '../work.ts';

/** The columns that `stream` returns for a score. */
export const SCORE: readonly Column[] = [{ name: 'score', type: 'FLOAT' }];

/** The column of the distribution of scores. */
export const DISTRIBUTION: Column = { name: 'centralityDistribution', type: 'MAP' };

/** The summary columns of algorithms that iterate. */
export const ITERATIONS: readonly Column[] = [
  { name: 'ranIterations', type: 'INTEGER' },
  { name: 'didConverge', type: 'BOOLEAN' },
];

/** Returns the outcome of an algorithm that gives each node a score. */
export function scored(scores: Float64Array, work: Work, summary: Summary = {}): NodeOutcome {
  return {
    kind: 'nodes',
    properties: { '': numbers('float', scores) },
    row: (node, id) => [id, makeFloat(scores[node]!)],
    summary: { ...summary, centralityDistribution: () => scoreDistribution(scores, work) },
  };
}
