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

/** The span of an expression that stands nowhere in the query text. */
export const NOWHERE: Span = { start: 0, end: 0 };

/** Makes a variable. */
export const variable = (name: string): Variable => ({ kind: 'variable', name, span: NOWHERE });

/** Makes a literal. */
export const literal = (value: Value): Literal => ({ kind: 'literal', value, span: NOWHERE });

/** Makes the access to a property. */
export const property = (subject: PlanExpression, key: string): Expression => ({
  kind: 'property',
  subject: asExpression(subject),
  key,
  span: NOWHERE,
});

/** Makes a call of a function. */
export const call = (name: FunctionName, ...args: readonly PlanExpression[]): FunctionCall => ({
  kind: 'function',
  name,
  distinct: false,
  arguments: args.map(asExpression),
  span: NOWHERE,
});

/** Makes a list. */
export const list = (...items: readonly PlanExpression[]): Expression => ({ kind: 'list', items: items.map(asExpression), span: NOWHERE });

/** Makes a comparison. */
export function compare(left: PlanExpression, operator: ComparisonOperator, right: PlanExpression): Expression {
  return { kind: 'comparison', operands: [asExpression(left), asExpression(right)], operators: [operator], span: NOWHERE };
}

/** Makes an arithmetic expression, such as `left + right`. */
export const arithmetic = (left: PlanExpression, operator: ArithmeticOperator, right: PlanExpression): Expression =>
  arithmeticChain(asExpression(left), { operators: [operator], operands: [asExpression(right)] }, NOWHERE);

/** Makes the comparison `left = right`. */
export const equals = (left: PlanExpression, right: PlanExpression): Expression => compare(left, '=', right);

/** Makes the condition that the ordinal of the node `low` is less than that of the node `high`. */
export const nodeOrder = (low: string, high: string): PlanExpression => ({ kind: 'nodeOrder', low: variable(low), high: variable(high) });

/** Makes the negation of a condition. */
export const not = (operand: PlanExpression): Expression => ({
  kind: 'unary',
  operator: 'not',
  operand: asExpression(operand),
  span: NOWHERE,
});

/** Makes the condition that a value is not null. */
export const isNotNull = (operand: PlanExpression): Expression => ({
  kind: 'isNull',
  operand: asExpression(operand),
  negated: true,
  span: NOWHERE,
});

/** Makes the condition that a node has labels. */
export const hasLabels = (name: string, labels: LabelExpression): Expression => ({
  kind: 'hasLabels',
  subject: variable(name),
  labels,
  span: NOWHERE,
});

/** Joins one or more operands by AND. */
export function and(operands: readonly PlanExpression[]): PlanExpression {
  const [first] = operands;
  assert(first !== undefined, 'a conjunction has operands');
  if (operands.length === 1) return first;
  const logical: LogicalExpression = { kind: 'logical', operator: 'and', operands: operands.map(asExpression), span: NOWHERE };
  return logical;
}

/** Joins label expressions by AND. */
export function labelAnd(labels: readonly LabelExpression[]): LabelExpression {
  const [first] = labels;
  assert(first !== undefined, 'a label conjunction has operands');
  return labels.length === 1 ? first : { kind: 'labelAnd', operands: labels, span: NOWHERE };
}
