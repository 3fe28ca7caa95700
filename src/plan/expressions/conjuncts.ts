/**
 * Splits a predicate into the parts that must all be true. A WHERE keeps a row only when the whole is true, so each
 * part may be tested by itself.
 */
import type { Expression } from '../../cypher/index.ts';

/** Returns the parts of a predicate that must all be true. */
export function conjuncts(predicate: Expression): readonly Expression[] {
  if (predicate.kind === 'logical' && predicate.operator === 'and') return predicate.operands.flatMap(conjuncts);
  if (predicate.kind === 'unary' && predicate.operator === 'not') return negatedConjuncts(predicate.operand) ?? [predicate];
  if (predicate.kind === 'comparison' && predicate.operators.length > 1) return chainLinks(predicate);
  if (predicate.kind === 'literal' && predicate.value === true) return [];
  return [predicate];
}

/** Splits a negation: NOT (a OR b) is NOT a AND NOT b; NOT NOT a is, as a predicate, a. Null for any other operand. */
function negatedConjuncts(operand: Expression): readonly Expression[] | null {
  if (operand.kind === 'logical' && operand.operator === 'or') {
    return operand.operands.flatMap((part) => conjuncts({ kind: 'unary', operator: 'not', operand: part, span: part.span }));
  }
  if (operand.kind === 'unary' && operand.operator === 'not') return conjuncts(operand.operand);
  return null;
}

/** Splits a chain of comparisons: `a < b <= c` is `a < b AND b <= c`. */
function chainLinks(chain: Extract<Expression, { kind: 'comparison' }>): readonly Expression[] {
  return chain.operators.map((operator, at) => ({
    kind: 'comparison',
    operands: chain.operands.slice(at, at + 2),
    operators: [operator],
    span: chain.span,
  }));
}
