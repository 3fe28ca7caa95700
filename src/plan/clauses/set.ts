/** SET, and the SET items of MERGE and FOREACH. */
import { unreachable } from '../../base/index.ts';
import type { LabelName, SetClause, SetItem } from '../../cypher/index.ts';
import type { PlanContext } from '../context.ts';
import { asExpression } from '../expressions/mapping.ts';
import { convertExpression } from '../pattern/convert.ts';
import { extend, type RowState } from '../row-state.ts';

/** Plans SET. */
export function planSet(context: PlanContext, state: RowState, clause: SetClause): RowState {
  const items = clause.items.map((item) => convertSetItem(context, item, state.scope));
  return extend(state, { kind: 'setProperties', input: state.plan, items, estimatedRows: state.plan.estimatedRows });
}

/** Converts an item of SET: patterns and queries in its expressions become sub-plans. */
export function convertSetItem(context: PlanContext, item: SetItem, scope: ReadonlySet<string>): SetItem {
  switch (item.kind) {
    case 'setProperty':
      return {
        ...item,
        // Conversion keeps the kind of everything but patterns.
        target: convertExpression(context, item.target, scope) as typeof item.target,
        value: asExpression(convertExpression(context, item.value, scope)),
      };
    case 'setAll':
      return { ...item, value: asExpression(convertExpression(context, item.value, scope)) };
    case 'setLabels':
      return { ...item, labels: convertLabelNames(context, item.labels, scope) };
    default:
      return unreachable(item, 'SET item');
  }
}

/** Converts names of labels; patterns and queries in dynamic ones become sub-plans. */
export function convertLabelNames(context: PlanContext, labels: readonly LabelName[], scope: ReadonlySet<string>): readonly LabelName[] {
  return labels.map((label) => (typeof label === 'string' ? label : asExpression(convertExpression(context, label, scope))));
}
