/**
 * The kinds of expressions of the syntax tree, and what is the same question for all of them. A kind that is left out
 * does not compile. What is different for every kind (binding, text) is a switch over all kinds where it is done; what
 * the planner has to know stands in its own table, `plan/expressions/table.ts`.
 */
import { ARITHMETIC_LEVELS } from './arithmetic-chain.ts';
import type { Expression, ListLiteral, Literal, MapLiteral } from './ast.ts';
import { formatLiteral } from './format/names.ts';
import { LEVELS } from './levels.ts';

/** Expressions that are values when the expressions in them are. */
export type LiteralForm = Literal | ListLiteral | MapLiteral;

interface ExpressionFacts<E> {
  readonly isLiteralForm: E extends LiteralForm ? true : false;
  /** How tightly it holds together as text: one of `LEVELS`. */
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
  // Looser than it is: a `<` behind the type would be read as part of it.
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

/** The facts of an expression's kind. */
export function expressionFacts<E extends Expression>(expression: E): ExpressionFacts<E> {
  // The record found under its kind is for expressions of that kind: the compiler does not follow the two through a union.
  return EXPRESSION_FACTS[expression.kind] as unknown as ExpressionFacts<E>;
}

/** Is a node of the tree an expression? */
export function isExpression(node: { readonly kind: string }): node is Expression {
  return Object.hasOwn(EXPRESSION_FACTS, node.kind);
}

/** Is the expression a literal, or a list or map of whatever? */
export function isLiteralForm(expression: Expression): expression is LiteralForm {
  return expressionFacts(expression).isLiteralForm;
}
