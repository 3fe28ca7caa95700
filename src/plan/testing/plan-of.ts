/** The plan of a query text over the fake social network. */
import { analyze, parse } from '../../cypher/index.ts';
import type { GraphStatistics } from '../../graph/index.ts';
import type { Plan } from '../plan.ts';
import { planStatement } from '../plan-statement.ts';
import { fakeStatistics } from './fake-statistics.ts';

const YIELDS_LABEL = { name: 'db.labels', inputs: [], outputs: [{ name: 'label', type: 'STRING' }] };

/** Plans a query text over the given statistics. */
export function planOf(text: string, statistics: GraphStatistics = fakeStatistics()): Plan {
  const bound = analyze(parse(text), text, { procedures: (name) => (name === YIELDS_LABEL.name ? YIELDS_LABEL : undefined) });
  return planStatement(bound, statistics);
}
