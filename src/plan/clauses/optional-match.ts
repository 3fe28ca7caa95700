/** OPTIONAL MATCH: the pattern and its WHERE as a sub-plan; a row without a match is kept, with nulls for what the pattern would have bound. */
import type { MatchClause } from '../../cypher/index.ts';
import type { PlanContext } from '../context.ts';
import { solveQueryGraph } from '../match/solve.ts';
import { argumentState, type RowState } from '../match/state.ts';
import { narrowArguments } from '../operators/arguments.ts';
import { QueryGraphBuilder } from '../pattern/build-query-graph.ts';
import { graphVariables } from '../pattern/query-graph.ts';

export function planOptionalMatch(context: PlanContext, state: RowState, clause: MatchClause): RowState {
  const builder = new QueryGraphBuilder(context, state.scope);
  builder.add(clause);
  const graph = builder.build();
  const matched = solveQueryGraph(context, graph, { ...argumentState(state.scope), nonNull: state.nonNull });
  const nullVariables = [...new Set(graphVariables(graph))].filter((name) => !state.scope.has(name));
  return {
    ...state,
    plan: {
      kind: 'optionalApply',
      input: state.plan,
      plan: narrowArguments(matched.plan),
      nullVariables,
      estimatedRows: state.plan.estimatedRows * Math.max(1, matched.plan.estimatedRows),
    },
    scope: new Set([...state.scope, ...nullVariables]),
    single: state.single && matched.single,
  };
}
