/** Questions about whole expressions, answered by walking them: volatility, patterns, sub-plans; and replacement of parts. */

import type { Determinism } from '../../functions/index.ts';
import type { PlanExpression } from '../plan.ts';
import { forEachChild, mapChildren } from './children.ts';
import { expressionFacts, isUnplanned } from './table.ts';

/** Depth first, parents before children. */
export function forEachExpression(expression: PlanExpression, visit: (expression: PlanExpression) => void): void {
  visit(expression);
  forEachChild(expression, (child) => forEachExpression(child, visit));
}

/** Tells whether a test holds for some part of an expression. */
export function someExpression(expression: PlanExpression, test: (expression: PlanExpression) => boolean): boolean {
  if (test(expression)) return true;
  let found = false;
  forEachChild(expression, (child) => {
    found ||= someExpression(child, test);
  });
  return found;
}

/** Draws a random value: two evaluations in one row differ. */
export function isRandomExpression(expression: PlanExpression): boolean {
  return dependsOn(expression, 'random');
}

/** Tells of the row that LOAD CSV has given last: after a sort, or on the other side of a join, it would tell of another one. */
export function tellsOfRow(expression: PlanExpression): boolean {
  return dependsOn(expression, 'row');
}

/** Depends on where and how often it is evaluated, not only on its variables. */
export function isVolatile(expression: PlanExpression): boolean {
  return dependsOn(expression, 'random', 'row');
}

function dependsOn(expression: PlanExpression, ...causes: readonly Determinism[]): boolean {
  return someExpression(expression, (part) => {
    const { determinism } = expressionFacts(part);
    return determinism !== null && causes.includes(determinism(part));
  });
}

/** Contains a pattern or a query that is no sub-plan yet: the walkers here do not see what is in it. */
export function hasPatterns(expression: PlanExpression): boolean {
  return someExpression(expression, isUnplanned);
}

/** Contains a sub-plan, whose own names a replacement would not reach. */
export function hasSubplans(expression: PlanExpression): boolean {
  return someExpression(expression, (part) => expressionFacts(part).subplan !== null);
}

/** Top down: where `replace` answers an expression, it stands there instead and is not looked into. */
export function replaceExpressions(expression: PlanExpression, replace: (part: PlanExpression) => PlanExpression | null): PlanExpression {
  return replace(expression) ?? mapChildren(expression, (child) => replaceExpressions(child, replace));
}
