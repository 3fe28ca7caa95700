/** FOREACH: its updating clauses as a sub-plan that runs for every element. */
import type { ForeachClause } from '../../cypher/index.ts';
import type { PlanContext } from '../context.ts';
import { narrowArguments } from '../operators/arguments.ts';
import { convertExpression } from '../pattern/convert.ts';
import { argumentState, extend, type RowState } from '../row-state.ts';

/** Plans FOREACH. */
export function planForeach(context: PlanContext, state: RowState, clause: ForeachClause): RowState {
  const list = convertExpression(context, clause.list, state.scope);
  const start: RowState = { ...argumentState(new Set([...state.scope, clause.variable.name])), nonNull: state.nonNull };
  const inner = clause.clauses.reduce((before, update) => context.planClause(before, update), start);
  return extend(state, {
    kind: 'foreach',
    input: state.plan,
    variable: clause.variable.name,
    list,
    plan: narrowArguments(inner.plan),
    estimatedRows: state.plan.estimatedRows,
  });
}
