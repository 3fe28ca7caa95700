/**
 * A table of facts about each kind of expression; a kind that is left out fails the build. Work that differs for every
 * kind (binding, formatting) is a switch over all kinds in its own file. What the planner needs to know is in a table
 * of its own, `plan/expressions/table.ts`.
 */
import { ARITHMETIC_LEVELS } from './arithmetic-chain.ts';
import type { Expression, ListLiteral, Literal, MapLiteral } from './ast.ts';
import { formatLiteral } from './format/names.ts';
import { LEVELS } from './levels.ts';

/** Expressions that are constant if the expressions inside are. */
export type LiteralForm = Literal | ListLiteral | MapLiteral;

interface ExpressionFacts<E> {
  readonly isLiteralForm: E extends LiteralForm ? true : false;
  /** Returns the precedence of the expression as text, one of `LEVELS`. */
  readonly level: (expression: E) => number;
}

type ExpressionsByKind = { readonly [Kind in Expression['kind']]: Extract<Expression, { kind: Kind }> };

const atom = (): number => LEVELS.atom;

const EXPRESSION_FACTS: { readonly [Kind in Expression['kind']]: ExpressionFacts<ExpressionsByKind[Kind]> } = {
  literal: { isLiteralForm: true, level: ({ value }) => (formatLiteral(value).startsWith('-') ? LEVELS.unary : LEVELS.atom) },
  parameter: { isLiteralForm: false, level: atom },
  variable: { isLiteralForm: false, level: atom },
  property: { isLiteralForm: false, level: atom },
  index: { isLiteralForm: false, level: atom },
  slice: { isLiteralForm: false, level: atom },
  list: { isLiteralForm: true, level: atom },
  map: { isLiteralForm: true, level: atom },
  mapProjection: { isLiteralForm: false, level: atom },
  unary: { isLiteralForm: false, level: ({ operator }) => (operator === 'not' ? LEVELS.not : LEVELS.unary) },
  arithmetic: { isLiteralForm: false, level: ({ operators }) => LEVELS.addition + ARITHMETIC_LEVELS[operators[0]!] - 1 },
  binary: { isLiteralForm: false, level: () => LEVELS.predicate },
  logical: { isLiteralForm: false, level: ({ operator }) => LEVELS[operator] },
  comparison: { isLiteralForm: false, level: () => LEVELS.comparison },
  isNull: { isLiteralForm: false, level: () => LEVELS.predicate },
  hasLabels: { isLiteralForm: false, level: () => LEVELS.labels },
  // Lower than its real precedence, since a `<` after the type would be read as part of the type.
  isTyped: { isLiteralForm: false, level: () => LEVELS.comparison },
  isNormalized: { isLiteralForm: false, level: () => LEVELS.predicate },
  function: { isLiteralForm: false, level: atom },
  countStar: { isLiteralForm: false, level: atom },
  case: { isLiteralForm: false, level: atom },
  listComprehension: { isLiteralForm: false, level: atom },
  patternComprehension: { isLiteralForm: false, level: atom },
  quantifier: { isLiteralForm: false, level: atom },
  reduce: { isLiteralForm: false, level: atom },
  patternExpression: { isLiteralForm: false, level: atom },
  subquery: { isLiteralForm: false, level: atom },
};

/** Returns the facts about an expression's kind. */
export function expressionFacts<E extends Expression>(expression: E): ExpressionFacts<E> {
  // The record under a kind is for expressions of that kind, which the compiler cannot follow through a union.
  return EXPRESSION_FACTS[expression.kind] as unknown as ExpressionFacts<E>;
}

/** Tells whether a node of the tree is an expression. */
export function isExpression(node: { readonly kind: string }): node is Expression {
  return Object.hasOwn(EXPRESSION_FACTS, node.kind);
}

/** Tells whether an expression is a literal, or a list or map of any expressions. */
export function isLiteralForm(expression: Expression): expression is LiteralForm {
  return expressionFacts(expression).isLiteralForm;
}
