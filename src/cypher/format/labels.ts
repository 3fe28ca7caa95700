/** Label expressions and lists of labels as canonical text. */
import { unreachable } from '../../base/index.ts';
import type { LabelExpression, LabelName } from '../ast.ts';
import { formatExpression } from './expressions.ts';
import { formatName } from './names.ts';

/** Formats a label expression. `barEnds` is set where a bare `|` could end the surrounding expression, so that it gets parentheses. */
export function formatLabels(labels: LabelExpression, options: { readonly barEnds: boolean }): string {
  const text = format(labels);
  return options.barEnds && labels.kind === 'labelOr' ? `(${text})` : text;
}

function format(labels: LabelExpression): string {
  switch (labels.kind) {
    case 'labelName':
      return formatName(labels.name);
    case 'labelWildcard':
      return '%';
    case 'labelDynamic':
      return `$${labels.any ? 'any' : ''}(${formatExpression(labels.expression)})`;
    case 'labelNot':
      return `!${formatOperand(labels.operand, 'labelNot')}`;
    case 'labelAnd':
      return labels.operands.map((operand) => formatOperand(operand, 'labelAnd')).join('&');
    case 'labelOr':
      return labels.operands.map((operand) => formatOperand(operand, 'labelOr')).join('|');
    default:
      return unreachable(labels, 'label expression');
  }
}

function formatOperand(operand: LabelExpression, outer: 'labelNot' | 'labelAnd' | 'labelOr'): string {
  const loose = operand.kind === 'labelOr' || (operand.kind === 'labelAnd' && outer !== 'labelOr');
  return loose ? `(${format(operand)})` : format(operand);
}

/** Formats a list of labels as `:A:B`. */
export function formatLabelNames(labels: readonly LabelName[]): string {
  return labels.map((label) => `:${typeof label === 'string' ? formatName(label) : `$(${formatExpression(label)})`}`).join('');
}
