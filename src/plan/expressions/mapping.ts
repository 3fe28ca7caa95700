/** Rebuilds parts of expressions and operators with other expressions in them: the same objects when nothing changed. */
import { unreachable } from '../../base/index.ts';
import type { Expression, LabelExpression } from '../../cypher/index.ts';
import type { PlanExpression } from '../plan.ts';

/** Sub-plans stand where the bound tree's types only know expressions; the compiler and every walker here know them by `kind`. */
export const asExpression = (expression: PlanExpression): Expression => expression as Expression;

/** `base` with some members replaced; `base` itself when they are what it has. */
export function changed<T extends object>(base: T, changes: Partial<T>): T {
  for (const key in changes) if (base[key] !== changes[key]) return { ...base, ...changes };
  return base;
}

/** The items mapped; `items` itself when none changed, and no array is made then: most walks only look. */
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

/** An expression that may be absent, mapped; null stays null. */
export const mapOptional = (expression: Expression | null, map: (expression: Expression) => Expression): Expression | null =>
  expression === null ? null : map(expression);

/** Every expression inside a label expression (`:$(expr)`). */
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
