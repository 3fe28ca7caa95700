/** UNWIND: a row for each element of a list. */
import type { UnwindClause } from '../../cypher/index.ts';
import type { PlanContext } from '../context.ts';
import { knownLength } from '../estimates/estimator.ts';
import { convertExpression } from '../pattern/convert.ts';
import { extend, type RowState } from '../row-state.ts';

/** Estimated elements of a list that is not written down; a parameter is taken to have ten times as many. */
const UNKNOWN_LIST = 10;

/** Plans UNWIND. */
export function planUnwind(context: PlanContext, state: RowState, clause: UnwindClause): RowState {
  const list = convertExpression(context, clause.expression, state.scope);
  const elements = knownLength(clause.expression) ?? (clause.expression.kind === 'parameter' ? 10 * UNKNOWN_LIST : UNKNOWN_LIST);
  const plan = {
    kind: 'unwind',
    input: state.plan,
    variable: clause.variable.name,
    list,
    estimatedRows: state.plan.estimatedRows * elements,
  } as const;
  return { ...extend(state, plan, [clause.variable.name]), single: false };
}
