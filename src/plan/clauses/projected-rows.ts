/** The rows after a projection: their state, and their WHERE. */
import type { Expression, Projection } from '../../cypher/index.ts';
import type { PlanContext } from '../context.ts';
import { and } from '../expressions/build.ts';
import { conjuncts } from '../expressions/conjuncts.ts';
import { convertExpression } from '../pattern/convert.ts';
import type { PlanExpression } from '../plan.ts';
import { extend, type RowState } from '../row-state.ts';

/** Returns the state after rows have been cut down to the items. Facts about a variable hold for its new name too. */
export function projectedState(context: PlanContext, before: RowState, after: RowState, projection: Projection): RowState {
  const nonNull = new Set<string>();
  for (const { expression, variable: target } of projection.items) {
    if (expression.kind !== 'variable') continue;
    if (before.nonNull.has(expression.name)) nonNull.add(target.name);
    const labels = context.labels.get(expression.name);
    if (labels !== undefined) context.labels.set(target.name, labels);
  }
  return { ...after, scope: new Set(projection.items.map((item) => item.variable.name)), nonNull };
}

/** Plans the WHERE of a projection. */
export function planWhere(context: PlanContext, state: RowState, scope: ReadonlySet<string>, where: Expression | null): RowState {
  if (where === null) return state;
  const parts = conjuncts(where).map((part): PlanExpression => convertExpression(context, part, scope));
  if (parts.length === 0) return state;
  return extend(state, { kind: 'filter', input: state.plan, predicate: and(parts), estimatedRows: state.plan.estimatedRows * 0.5 });
}
