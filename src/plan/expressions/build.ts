/** Constructors of the expressions that the planner itself writes. */

import { assert } from '../../base/index.ts';
import {
  type ArithmeticOperator,
  arithmeticChain,
  type ComparisonOperator,
  type Expression,
  type FunctionCall,
  type LabelExpression,
  type Literal,
  type LogicalExpression,
  type Span,
  type Variable,
} from '../../cypher/index.ts';
import type { FunctionName } from '../../functions/index.ts';
import type { Value } from '../../value/index.ts';
import type { PlanExpression } from '../plan.ts';
import { asExpression } from './mapping.ts';

/** Of what stands nowhere in the query text. */
export const NOWHERE: Span = { start: 0, end: 0 };

export const variable = (name: string): Variable => ({ kind: 'variable', name, span: NOWHERE });

export const literal = (value: Value): Literal => ({ kind: 'literal', value, span: NOWHERE });

export const property = (subject: PlanExpression, key: string): Expression => ({
  kind: 'property',
  subject: asExpression(subject),
  key,
  span: NOWHERE,
});

export const call = (name: FunctionName, ...args: readonly PlanExpression[]): FunctionCall => ({
  kind: 'function',
  name,
  distinct: false,
  arguments: args.map(asExpression),
  span: NOWHERE,
});

export const list = (...items: readonly PlanExpression[]): Expression => ({ kind: 'list', items: items.map(asExpression), span: NOWHERE });

export function compare(left: PlanExpression, operator: ComparisonOperator, right: PlanExpression): Expression {
  return { kind: 'comparison', operands: [asExpression(left), asExpression(right)], operators: [operator], span: NOWHERE };
}

/** `left + right` and the like. */
export const arithmetic = (left: PlanExpression, operator: ArithmeticOperator, right: PlanExpression): Expression =>
  arithmeticChain(asExpression(left), { operators: [operator], operands: [asExpression(right)] }, NOWHERE);

export const equals = (left: PlanExpression, right: PlanExpression): Expression => compare(left, '=', right);

/** The ordinal of `low` is less than that of `high`. */
export const nodeOrder = (low: string, high: string): PlanExpression => ({ kind: 'nodeOrder', low: variable(low), high: variable(high) });

export const not = (operand: PlanExpression): Expression => ({
  kind: 'unary',
  operator: 'not',
  operand: asExpression(operand),
  span: NOWHERE,
});

export const isNotNull = (operand: PlanExpression): Expression => ({
  kind: 'isNull',
  operand: asExpression(operand),
  negated: true,
  span: NOWHERE,
});

export const hasLabels = (name: string, labels: LabelExpression): Expression => ({
  kind: 'hasLabels',
  subject: variable(name),
  labels,
  span: NOWHERE,
});

/** Of one or more operands. */
export function and(operands: readonly PlanExpression[]): PlanExpression {
  const [first] = operands;
  assert(first !== undefined, 'a conjunction has operands');
  if (operands.length === 1) return first;
  const logical: LogicalExpression = { kind: 'logical', operator: 'and', operands: operands.map(asExpression), span: NOWHERE };
  return logical;
}

export function labelAnd(labels: readonly LabelExpression[]): LabelExpression {
  const [first] = labels;
  assert(first !== undefined, 'a label conjunction has operands');
  return labels.length === 1 ? first : { kind: 'labelAnd', operands: labels, span: NOWHERE };
}
