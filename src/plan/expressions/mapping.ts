/** Rebuilds parts of expressions and operators with other expressions in them: the same objects when nothing changed. */
import { unreachable } from '../../base/index.ts';
import type { Expression, LabelExpression } from '../../cypher/index.ts';
import type { PlanExpression } from '../plan.ts';

/** Casts to the type of bound trees, which does not include the planner's own expressions; code that follows tells these by `kind`. */
export const asExpression = (expression: PlanExpression): Expression => expression as Expression;

/** Returns `base` with some members replaced; `base` itself when it already has those values. */
export function changed<T extends object>(base: T, changes: Partial<T>): T {
  for (const key in changes) if (base[key] !== changes[key]) return { ...base, ...changes };
  return base;
}

/** Maps items. Returns `items` itself when none changed, without making an array: most walks only look. */
export function mapList<T>(items: readonly T[], map: (item: T) => T): readonly T[] {
  let mapped: T[] | null = null;
  for (let at = 0; at < items.length; at++) {
    const item = items[at]!;
    const result = map(item);
    if (mapped === null && result !== item) mapped = items.slice(0, at);
    mapped?.push(result);
  }
  return mapped ?? items;
}

/** Maps an expression that may be absent; null stays null. */
export const mapOptional = (expression: Expression | null, map: (expression: Expression) => Expression): Expression | null =>
  expression === null ? null : map(expression);

/** Maps every expression inside a label expression (`:$(expr)`). */
export function mapLabels(labels: LabelExpression, map: (expression: Expression) => Expression): LabelExpression {
  switch (labels.kind) {
    case 'labelName':
    case 'labelWildcard':
      return labels;
    case 'labelDynamic':
      return changed(labels, { expression: map(labels.expression) });
    case 'labelNot':
      return changed(labels, { operand: mapLabels(labels.operand, map) });
    case 'labelAnd':
    case 'labelOr':
      return changed(labels, { operands: mapList(labels.operands, (operand) => mapLabels(operand, map)) });
    default:
      return unreachable(labels, 'label expression');
  }
}
