/** Finds expressions whose values are known before a statement runs: literals and parameters. */
import type { PlanExpression } from '../../plan/index.ts';
import type { KnownValue } from '../runtime/known-values.ts';

/** Returns the value of a literal, or the name of a parameter; null for any other expression. */
export function knownValue(expression: PlanExpression): KnownValue | null {
  if (expression.kind === 'literal') return { literal: expression.value };
  return expression.kind === 'parameter' ? { parameter: expression.name } : null;
}

/** Returns the known values of expressions, in their order; null when one of them is neither a literal nor a parameter. */
export function knownValues(expressions: readonly PlanExpression[]): readonly KnownValue[] | null {
  const known: KnownValue[] = [];
  for (const expression of expressions) {
    const value = knownValue(expression);
    if (value === null) return null;
    known.push(value);
  }
  return known;
}
