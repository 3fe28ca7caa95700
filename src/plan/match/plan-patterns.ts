/** Plans the patterns of one clause or expression as a sub-plan: from an argument of the outer row's variables to one row per match. */
import type { PlanContext } from '../context.ts';
import { QueryGraphBuilder } from '../pattern/build-query-graph.ts';
import type { MatchPatterns } from '../pattern/query-graph.ts';
import type { Operator } from '../plan.ts';
import { argumentState } from '../row-state.ts';
import { solveQueryGraph } from './solve.ts';

/** Plans patterns as a sub-plan. `scope`: the outer row's variables, of which `narrowArguments` later drops those that are not needed. */
export function planPatterns(context: PlanContext, clause: MatchPatterns, scope: ReadonlySet<string>): Operator {
  const builder = new QueryGraphBuilder(context, scope);
  builder.add(clause);
  return solveQueryGraph(context, builder.build(), argumentState(scope)).plan;
}
