/**
 * OPTIONAL MATCH: the pattern and its WHERE as a sub-plan; a row without a match is kept, with nulls for what the
 * pattern would have bound.
 */
import type { MatchClause } from '../../cypher/index.ts';
import type { PlanContext } from '../context.ts';
import { solveQueryGraph } from '../match/solve.ts';
import { narrowArguments } from '../operators/arguments.ts';
import { QueryGraphBuilder } from '../pattern/build-query-graph.ts';
import { graphVariables } from '../pattern/query-graph.ts';
import { argumentState, type RowState } from '../row-state.ts';
import { isSelectedAmongPaths, planSelectedMatch } from './selected-match.ts';

/** Plans OPTIONAL MATCH. */
export function planOptionalMatch(context: PlanContext, state: RowState, clause: MatchClause): RowState {
  const { matched, names } = planInner(context, { ...argumentState(state.scope), nonNull: state.nonNull }, clause);
  const nullVariables = [...new Set(names)].filter((name) => !state.scope.has(name));
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

function planInner(
  context: PlanContext,
  start: RowState,
  clause: MatchClause,
): { readonly matched: RowState; readonly names: Iterable<string> } {
  if (isSelectedAmongPaths(context, start.scope, clause)) {
    const matched = planSelectedMatch(context, start, clause);
    return { matched, names: matched.scope };
  }
  const builder = new QueryGraphBuilder(context, start.scope);
  builder.add(clause);
  const graph = builder.build();
  return { matched: solveQueryGraph(context, graph, start), names: graphVariables(graph) };
}
