/**
 * One level of an expression: visit its direct sub-expressions, or rebuild it with other ones. Everything that walks
 * expressions is written on these two.
 *
 * Patterns and queries inside expressions (pattern comprehensions, EXISTS, …) are leaves here: they become sub-plans
 * (`pattern/convert.ts`) before anything else looks at the tree. A sub-plan is a leaf too; what it needs of its row
 * stands in its argument (`operators/free-variables.ts`).
 */
import { countWork } from '../../base/index.ts';
import type { PlanExpression } from '../plan.ts';
import type { ChildMapper } from './facts.ts';
import { expressionFacts } from './table.ts';

/** Maps the children of an expression; returns the same object when no child changed. */
export function mapChildren(expression: PlanExpression, map: (child: PlanExpression) => PlanExpression): PlanExpression {
  countWork(1);
  // Children are typed as expressions of the bound tree: see `asExpression`.
  return expressionFacts(expression).mapChildren?.(expression, map as ChildMapper) ?? expression;
}

/** Visits the children of an expression. */
export function forEachChild(expression: PlanExpression, visit: (child: PlanExpression) => void): void {
  mapChildren(expression, (child) => {
    visit(child);
    return child;
  });
}
