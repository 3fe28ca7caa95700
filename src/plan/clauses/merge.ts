/** MERGE: a sub-plan that looks for the pattern, and what to create when it finds nothing. */
import type { MergeClause } from '../../cypher/index.ts';
import type { PlanContext } from '../context.ts';
import { solveQueryGraph } from '../match/solve.ts';
import { narrowArguments } from '../operators/arguments.ts';
import { namesIn } from '../operators/free-variables.ts';
import { QueryGraphBuilder } from '../pattern/build-query-graph.ts';
import type { Operator } from '../plan.ts';
import { argumentState, type RowState } from '../row-state.ts';
import { createItems, pathsOf, withPaths } from './create.ts';
import { convertSetItem } from './set.ts';

/** Plans MERGE. */
export function planMerge(context: PlanContext, state: RowState, clause: MergeClause): RowState {
  const pattern = { ...clause.pattern, variable: null };
  const builder = new QueryGraphBuilder(context, state.scope);
  builder.add({ patterns: [pattern], where: null });
  const match = solveQueryGraph(context, builder.build(), { ...argumentState(state.scope), nonNull: state.nonNull });
  const create = createItems(context, [pattern], state.scope);
  const variables = create.map((item) => item.variable);
  const [path = null] = isPathSet(clause) ? pathsOf(context, [clause.pattern]) : [];
  const scope = new Set([...state.scope, ...variables, ...(path === null ? [] : [path.variable])]);
  const plan: Operator = {
    kind: 'merge',
    input: state.plan,
    match: narrowArguments(match.plan),
    create,
    variables,
    path,
    onCreate: clause.onCreate.map((item) => convertSetItem(context, item, scope)),
    onMatch: clause.onMatch.map((item) => convertSetItem(context, item, scope)),
    estimatedRows: state.plan.estimatedRows * Math.max(1, match.plan.estimatedRows),
  };
  const after: RowState = {
    ...state,
    plan,
    scope,
    nonNull: new Set([...state.nonNull, ...variables]),
    single: state.single && match.single,
  };
  // A path that nothing reads before is built after the merge, from variables that either branch has bound.
  return path === null ? withPaths(context, after, [clause.pattern]) : after;
}

/** Tells whether ON CREATE or ON MATCH reads the path of the pattern. */
function isPathSet({ pattern, onCreate, onMatch }: MergeClause): boolean {
  return pattern.variable !== null && namesIn([onCreate, onMatch]).has(pattern.variable.name);
}
