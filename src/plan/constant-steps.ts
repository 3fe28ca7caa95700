/**
 * S1: proves that a plan takes only steps of constant cost, from the facts of its operators and expressions. A thread
 * that others wait for may begin such a plan, and leave it between two steps.
 *
 * The proof takes the parameters of the statement to be small; its user has to check their values.
 */
import type { VariableType } from '../cypher/index.ts';
import type { SizeOf, ValueSize } from './expressions/facts.ts';
import { expressionFacts } from './expressions/table.ts';
import { someExpression } from './expressions/walk.ts';
import { factsOf } from './operators/kinds/table.ts';
import { expressionsOf, inputsOf, subplanOf } from './operators/references.ts';
import type { Operator, Plan, PlanExpression } from './plan.ts';

/** Tells whether a plan takes steps of constant cost only. */
export function hasConstantSteps({ root, variableTypes }: Pick<Plan, 'root' | 'variableTypes'>): boolean {
  const isConstant = constantExpressions(variableTypes);
  return everyOperator(root, (operator) => factsOf(operator).hasConstantSteps && expressionsOf(operator).every(isConstant));
}

/**
 * Tells whether the code of a plan gives way after a bounded amount of work, wherever it is. Operators that read by
 * page pause, walks among them, and so do sub-plans of expressions whose code stands in place. Every other expression,
 * and each condition that a walk tests at a step, must be of constant cost.
 */
export function givesWaySoon({ root, variableTypes }: Pick<Plan, 'root' | 'variableTypes'>): boolean {
  const isConstant = constantExpressions(variableTypes);
  const pauses = (operator: Operator): boolean => {
    const { hasConstantSteps: isPlain, readsByPage } = factsOf(operator);
    if (!readsByPage) return false;
    return expressionsOf(operator).every((expression) => isConstant(expression) || (isPlain && isSubplan(expression)));
  };
  const isSubplan = (expression: PlanExpression): boolean =>
    !someExpression(expression, (part) => {
      const { subplan } = expressionFacts(part);
      return subplan === null ? !isConstantItself(part) : !everyOperator(subplan(part), pauses);
    });
  const isConstantItself = constantParts(variableTypes);
  return everyOperator(root, pauses);
}

type Test = (expression: PlanExpression) => boolean;

/** Tests an expression with all its parts. */
function constantExpressions(variableTypes: Plan['variableTypes']): Test {
  const isConstant = constantParts(variableTypes);
  return (expression) => !someExpression(expression, (part) => !isConstant(part));
}

/** Tests what an expression does beside its parts. */
function constantParts(variableTypes: Plan['variableTypes']): Test {
  const sizes = new Map<PlanExpression, ValueSize>();
  const sizeOf: SizeOf = (expression) => {
    const known = sizes.get(expression);
    if (known !== undefined) return known;
    const size =
      expression.kind === 'variable'
        ? SIZES[variableTypes.get(expression.name) ?? 'any']
        : expressionFacts(expression).size(expression, sizeOf);
    sizes.set(expression, size);
    return size;
  };
  return (part) => expressionFacts(part).isConstant(part, sizeOf);
}

/** Tests the operator and all below it, sub-plans of operators included. */
function everyOperator(operator: Operator, test: (operator: Operator) => boolean): boolean {
  if (!test(operator)) return false;
  const subplan = subplanOf(operator);
  return inputsOf(operator).every((input) => everyOperator(input, test)) && (subplan === null || everyOperator(subplan, test));
}

/** Sizes of the values of variables, by the types that the binder found. Entities have values that the graph holds. */
const SIZES: Readonly<Record<VariableType, ValueSize>> = {
  node: 'stored',
  relationship: 'stored',
  integer: 'small',
  float: 'small',
  boolean: 'small',
  path: 'any',
  nodeList: 'any',
  relationshipList: 'any',
  list: 'any',
  map: 'any',
  string: 'any',
  any: 'any',
};
