/**
 * The parts of one operator, from the facts of its kind: inputs, sub-plan, expressions, the variables it reads and
 * binds, and what it needs in memory.
 */

import type { Load } from '../loads.ts';
import type { Operator, PlanExpression } from '../plan.ts';
import { factsOf } from './kinds/table.ts';

/** Returns the operators whose rows flow into this one, left to right. Sub-plans are not among them. */
export function inputsOf(operator: Operator): readonly Operator[] {
  return factsOf(operator).inputs.of(operator);
}

/** Returns the operator over other inputs; itself when they are the ones it has. */
export function withInputs(operator: Operator, inputs: readonly Operator[]): Operator {
  const access = factsOf(operator).inputs;
  return access.of(operator).every((input, at) => input === inputs[at]) ? operator : access.with(operator, inputs);
}

/** Returns the plan that an operator runs once per row of its input; null if it has none. Plans inside expressions do not count. */
export function subplanOf(operator: Operator): Operator | null {
  return factsOf(operator).subplan?.of(operator) ?? null;
}

/** Returns the operator with another sub-plan. */
export function withSubplan(operator: Operator, plan: Operator): Operator {
  const access = factsOf(operator).subplan;
  return access === null || access.of(operator) === plan ? operator : access.with(operator, plan);
}

const NO_EXPRESSIONS: readonly PlanExpression[] = [];

/** Returns every expression that the operator computes, in the order of its members. */
export function expressionsOf(operator: Operator): readonly PlanExpression[] {
  const { mapExpressions } = factsOf(operator);
  if (mapExpressions === null) return NO_EXPRESSIONS;
  const found: PlanExpression[] = [];
  mapExpressions(operator, (expression) => {
    found.push(expression);
    return expression;
  });
  return found;
}

/** Returns the operator with other expressions: the counterpart of `expressionsOf`. */
export function mapExpressions(operator: Operator, map: (expression: PlanExpression) => PlanExpression): Operator {
  return factsOf(operator).mapExpressions?.(operator, map) ?? operator;
}

/** Returns the variables that the operator reads by name, outside its expressions. */
export function namesReadBy(operator: Operator): readonly string[] {
  return factsOf(operator).reads(operator);
}

/** Returns the variables that the operator itself gives a value to. */
export function namesBoundBy(operator: Operator): readonly string[] {
  return factsOf(operator).binds(operator);
}

/** Returns the loads that must be in memory before the operator runs, apart from those of its expressions. */
export function loadsOf(operator: Operator): readonly Load[] {
  return factsOf(operator).loads(operator);
}
