/** Binding of label expressions, of which only `$(expression)` contains variables. */
import { unreachable } from '../../base/index.ts';
import type { LabelExpression, LabelName } from '../ast.ts';
import type { Analysis } from './analysis.ts';
import { bindPlain, type Environment } from './expressions/expressions.ts';

/** Binds a label expression. */
export function bindLabels(analysis: Analysis, env: Environment, labels: LabelExpression): LabelExpression {
  switch (labels.kind) {
    case 'labelDynamic':
      return { ...labels, expression: bindPlain(analysis, env, labels.expression) };
    case 'labelNot':
      return { ...labels, operand: bindLabels(analysis, env, labels.operand) };
    case 'labelAnd':
    case 'labelOr':
      return { ...labels, operands: labels.operands.map((operand) => bindLabels(analysis, env, operand)) };
    case 'labelName':
    case 'labelWildcard':
      return labels;
    default:
      return unreachable(labels, 'label expression');
  }
}

/** Binds a label expression; null stays null. */
export function bindOptionalLabels(analysis: Analysis, env: Environment, labels: LabelExpression | null): LabelExpression | null {
  return labels === null ? null : bindLabels(analysis, env, labels);
}

/** Binds a list of labels, of which each may be dynamic. */
export function bindLabelNames(analysis: Analysis, env: Environment, labels: readonly LabelName[]): readonly LabelName[] {
  return labels.map((label) => (typeof label === 'string' ? label : bindPlain(analysis, env, label)));
}
