/**
 * Merges `n.x = 1 OR n.x = 2 OR n.x IN [3]` into `n.x IN [1, 2, 3]`: a seek instead of a test per row. The two are
 * equal in three-valued logic.
 */
import type { Expression } from '../../cypher/index.ts';
import { NOWHERE } from './build.ts';
import { mapChildren } from './children.ts';
import { fingerprint } from './fingerprint.ts';
import { asExpression } from './mapping.ts';
import { isVolatile } from './walk.ts';

/** Merges equalities of a predicate. Looks through AND only, since only there an index could use the result. */
export function mergeEqualities(predicate: Expression): Expression {
  if (predicate.kind !== 'logical') return predicate;
  if (predicate.operator === 'and') return asExpression(mapChildren(predicate, (part) => mergeEqualities(asExpression(part))));
  return predicate.operator === 'or' ? (asMembership(predicate.operands) ?? predicate) : predicate;
}

interface Alternatives {
  readonly subject: Expression;
  readonly values: readonly Expression[];
}

function asMembership(operands: readonly Expression[]): Expression | null {
  const alternatives = operands.map(alternativesOf);
  const [first] = alternatives;
  if (first === undefined || first === null || isVolatile(first.subject)) return null;
  const text = fingerprint(first.subject);
  if (!alternatives.every((each) => each !== null && fingerprint(each.subject) === text)) return null;
  const items = alternatives.flatMap((each) => each?.values ?? []);
  return { kind: 'binary', operator: 'in', left: first.subject, right: { kind: 'list', items, span: NOWHERE }, span: NOWHERE };
}

/** Returns the values of `property = value` and `property IN [values]`, where they are literals or parameters. */
function alternativesOf(operand: Expression): Alternatives | null {
  if (operand.kind === 'comparison' && operand.operators.length === 1 && operand.operators[0] === '=') {
    const [left, right] = operand.operands as [Expression, Expression];
    if (left.kind === 'property' && isConstant(right)) return { subject: left, values: [right] };
    if (right.kind === 'property' && isConstant(left)) return { subject: right, values: [left] };
  }
  if (operand.kind === 'binary' && operand.operator === 'in' && operand.left.kind === 'property' && operand.right.kind === 'list') {
    return operand.right.items.every(isConstant) ? { subject: operand.left, values: operand.right.items } : null;
  }
  return null;
}

const isConstant = (expression: Expression): boolean => expression.kind === 'literal' || expression.kind === 'parameter';
