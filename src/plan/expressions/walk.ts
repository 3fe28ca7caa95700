/** Questions about whole expressions, answered by walking them: volatility, patterns, sub-plans; and replacement of parts. */

import { type Determinism, functionNamed } from '../../functions/index.ts';
import type { PlanExpression } from '../plan.ts';
import { forEachChild, mapChildren } from './children.ts';

/** Depth first, parents before children. */
export function forEachExpression(expression: PlanExpression, visit: (expression: PlanExpression) => void): void {
  visit(expression);
  forEachChild(expression, (child) => forEachExpression(child, visit));
}

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
  return callsAny(expression, 'random');
}

/** Tells of the row that LOAD CSV has given last: after a sort, or on the other side of a join, it would tell of another one. */
export function tellsOfRow(expression: PlanExpression): boolean {
  return callsAny(expression, 'row');
}

/** Depends on where and how often it is evaluated, not only on its variables. */
export function isVolatile(expression: PlanExpression): boolean {
  return callsAny(expression, 'random', 'row');
}

function callsAny(expression: PlanExpression, ...kinds: readonly Determinism[]): boolean {
  return someExpression(expression, (part) => {
    const determinism = part.kind === 'function' ? functionNamed(part.name)?.facts.determinism : undefined;
    return determinism !== undefined && kinds.includes(determinism);
  });
}

/** Contains a pattern or a query that is no sub-plan yet: the walkers here do not see what is in it. */
export function hasPatterns(expression: PlanExpression): boolean {
  return someExpression(
    expression,
    (part) => part.kind === 'patternExpression' || part.kind === 'patternComprehension' || part.kind === 'subquery',
  );
}

/** Contains a sub-plan, whose own names a replacement would not reach. */
export function hasSubplans(expression: PlanExpression): boolean {
  return someExpression(expression, (part) => part.kind === 'planSubquery');
}

/** Top down: where `replace` answers an expression, it stands there instead and is not looked into. */
export function replaceExpressions(expression: PlanExpression, replace: (part: PlanExpression) => PlanExpression | null): PlanExpression {
  return replace(expression) ?? mapChildren(expression, (child) => replaceExpressions(child, replace));
}
