/** REMOVE of properties and labels. */
import type { RemoveClause, RemoveItem } from '../../cypher/index.ts';
import type { PlanContext } from '../context.ts';
import { convertExpression } from '../pattern/convert.ts';
import { extend, type RowState } from '../row-state.ts';
import { convertLabelNames } from './set.ts';

/** Plans REMOVE. */
export function planRemove(context: PlanContext, state: RowState, clause: RemoveClause): RowState {
  const items = clause.items.map((item): RemoveItem => {
    if (item.kind === 'removeLabels') return { ...item, labels: convertLabelNames(context, item.labels, state.scope) };
    // Conversion keeps the kind of everything but patterns.
    return { ...item, target: convertExpression(context, item.target, state.scope) as typeof item.target };
  });
  return extend(state, { kind: 'removeItems', input: state.plan, items, estimatedRows: state.plan.estimatedRows });
}
