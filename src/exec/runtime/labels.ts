/** Evaluates label expressions against sets of names. */
import { unreachable } from '../../base/index.ts';
import type { LabelExpression } from '../../cypher/index.ts';
import type { GraphView, NodeTableView } from '../../graph/index.ts';

/** Returns the names of a table's labels. */
export function labelNames(view: GraphView, table: NodeTableView): Set<string> {
  return new Set(table.labels.map((label) => view.labels.name(label)));
}

/** Tells whether a label expression has names that are known only at run time. */
export function isDynamic(labels: LabelExpression): boolean {
  return dynamicLabels(labels).length > 0;
}

/** A label whose name is known only at run time. */
export type DynamicLabel = LabelExpression & { readonly kind: 'labelDynamic' };

/** Returns every `$(…)` in the expression, in the order of the text. */
export function dynamicLabels(labels: LabelExpression): readonly DynamicLabel[] {
  switch (labels.kind) {
    case 'labelDynamic':
      return [labels];
    case 'labelNot':
      return dynamicLabels(labels.operand);
    case 'labelAnd':
    case 'labelOr':
      return labels.operands.flatMap(dynamicLabels);
    case 'labelName':
    case 'labelWildcard':
      return [];
    default:
      return unreachable(labels, 'label expression');
  }
}

/**
 * Tells whether names satisfy a label expression.
 *
 * @param dynamic returns the names that a `$(…)` stands for; called only if the expression has one
 */
export function matchesLabels(
  labels: LabelExpression,
  names: ReadonlySet<string>,
  dynamic: (label: DynamicLabel) => readonly string[] = () => [],
): boolean {
  switch (labels.kind) {
    case 'labelName':
      return names.has(labels.name);
    case 'labelWildcard':
      return names.size > 0;
    case 'labelDynamic': {
      const wanted = dynamic(labels);
      return labels.any ? wanted.some((name) => names.has(name)) : wanted.every((name) => names.has(name));
    }
    case 'labelNot':
      return !matchesLabels(labels.operand, names, dynamic);
    case 'labelAnd':
      return labels.operands.every((operand) => matchesLabels(operand, names, dynamic));
    case 'labelOr':
      return labels.operands.some((operand) => matchesLabels(operand, names, dynamic));
  }
}
