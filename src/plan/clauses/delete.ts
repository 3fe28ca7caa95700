/** DELETE and DETACH DELETE of nodes, relationships and paths. */
import type { DeleteClause } from '../../cypher/index.ts';
import type { PlanContext } from '../context.ts';
import { convertExpression } from '../pattern/convert.ts';
import { extend, type RowState } from '../row-state.ts';

/** Plans DELETE. */
export function planDelete(context: PlanContext, state: RowState, clause: DeleteClause): RowState {
  const expressions = clause.expressions.map((expression) => convertExpression(context, expression, state.scope));
  return extend(state, { kind: 'delete', input: state.plan, expressions, detach: clause.detach, estimatedRows: state.plan.estimatedRows });
}
