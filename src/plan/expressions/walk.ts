/** Questions about whole expressions, answered by walking them: volatility, patterns, sub-plans; and replacement of parts. */

import type { Determinism } from '../../functions/index.ts';
import type { PlanExpression } from '../plan.ts';
import { forEachChild, mapChildren } from './children.ts';
import { expressionFacts, isUnplanned } from './table.ts';

/** Visits an expression and all its parts, depth first, parents before children. */
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

/** Tells whether an expression draws a random value: two evaluations for one row differ. */
export function isRandomExpression(expression: PlanExpression): boolean {
  return dependsOn(expression, 'random');
}

/**
 * Tells whether an expression refers to the row that LOAD CSV gave last. After a sort, or on the other side of a join,
 * that is another row.
 */
export function tellsOfRow(expression: PlanExpression): boolean {
  return dependsOn(expression, 'row');
}

/** Tells whether the value of an expression depends on where and how often it is evaluated, not only on its variables. */
export function isVolatile(expression: PlanExpression): boolean {
  return dependsOn(expression, 'random', 'row');
}

function dependsOn(expression: PlanExpression, ...causes: readonly Determinism[]): boolean {
  return someExpression(expression, (part) => {
    const { determinism } = expressionFacts(part);
    return determinism !== null && causes.includes(determinism(part));
  });
}

/** Tells whether an expression contains a pattern or a query that is no sub-plan yet; the walkers here do not see inside it. */
export function hasPatterns(expression: PlanExpression): boolean {
  return someExpression(expression, isUnplanned);
}

/** Tells whether an expression contains a sub-plan; a replacement would not reach the names inside it. */
export function hasSubplans(expression: PlanExpression): boolean {
  return someExpression(expression, (part) => expressionFacts(part).subplan !== null);
}

/** Replaces parts, top down. An expression that `replace` returns takes the place of the part and is not searched; null keeps the part. */
export function replaceExpressions(expression: PlanExpression, replace: (part: PlanExpression) => PlanExpression | null): PlanExpression {
  return replace(expression) ?? mapChildren(expression, (child) => replaceExpressions(child, replace));
}
