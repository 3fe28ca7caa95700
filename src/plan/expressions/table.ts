/**
 * The facts of each kind of expression. Walkers that are the same for all kinds fold them; code that is different for
 * every kind (`format-expression.ts`, the code generator) is a switch over all kinds. Deleting an entry does not
 * compile.
 */
import type { PlanExpression } from '../plan.ts';
import type { ConstantForm, ExpressionFacts, UnplannedExpression } from './facts.ts';
import { hasLabels, index, property, slice } from './kinds/access.ts';
import { caseExpression, countStar, functionCall, listComprehension, quantifier, reduce } from './kinds/calls.ts';
import { arithmetic, binary, comparison, isNormalized, isNull, isTyped, logical, unary } from './kinds/operations.ts';
import { nodeOrder, pathBuild, patternComprehension, patternExpression, planSubquery, subquery } from './kinds/subqueries.ts';
import { list, literal, map, mapProjection, parameter, variable } from './kinds/values.ts';

/** A kind of expression. */
export type ExpressionKind = PlanExpression['kind'];

type ExpressionsByKind = { readonly [Kind in ExpressionKind]: Extract<PlanExpression, { kind: Kind }> };

/** The facts of each kind of expression. */
export const EXPRESSION_FACTS: { readonly [Kind in ExpressionKind]: ExpressionFacts<ExpressionsByKind[Kind]> } = {
  literal,
  parameter,
  variable,
  property,
  index,
  slice,
  list,
  map,
  mapProjection,
  unary,
  arithmetic,
  binary,
  logical,
  comparison,
  isNull,
  hasLabels,
  isTyped,
  isNormalized,
  function: functionCall,
  countStar,
  case: caseExpression,
  listComprehension,
  patternComprehension,
  quantifier,
  reduce,
  patternExpression,
  subquery,
  planSubquery,
  pathBuild,
  nodeOrder,
};

/** Returns the facts of an expression's kind. */
export function expressionFacts<E extends PlanExpression>(expression: E): ExpressionFacts<E> {
  // The record found under its kind is for expressions of that kind: the compiler does not follow the two through a union.
  return EXPRESSION_FACTS[expression.kind] as unknown as ExpressionFacts<E>;
}

const BINDING: ReadonlySet<unknown> = new Set(
  Object.entries(EXPRESSION_FACTS).flatMap(([kind, { binds }]) => (binds === null ? [] : [kind])),
);

/** Tells whether a node of any tree is an expression that gives values to variables of its own. */
export function isBinding(node: { readonly kind?: unknown }): node is PlanExpression {
  return BINDING.has(node.kind);
}

/** Returns the variables that an expression gives values to while it computes its children. */
export function namesBoundBy(expression: PlanExpression): readonly string[] {
  return expressionFacts(expression).binds?.(expression) ?? [];
}

/** Tells whether an expression is a pattern or a query that has to become a sub-plan. */
export function isUnplanned(expression: PlanExpression): expression is UnplannedExpression {
  return !expressionFacts(expression).isPlanned;
}

/**
 * Tells whether an expression is of a kind whose value is known before any row if those of its children are written
 * out. For a unary operator that holds only as a sign before a number.
 */
export function isConstantForm(expression: PlanExpression): expression is ConstantForm {
  return expressionFacts(expression).isConstantForm;
}
