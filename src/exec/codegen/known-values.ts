/** Expressions whose values stand in the statement or are its parameters. */
import type { PlanExpression } from '../../plan/index.ts';
import type { KnownValue } from '../runtime/known-values.ts';

/** null: of any other expression. */
export function knownValue(expression: PlanExpression): KnownValue | null {
  if (expression.kind === 'literal') return { literal: expression.value };
  return expression.kind === 'parameter' ? { parameter: expression.name } : null;
}

/** null where one of them is any other expression. */
export function knownValues(expressions: readonly PlanExpression[]): readonly KnownValue[] | null {
  const known: KnownValue[] = [];
  for (const expression of expressions) {
    const value = knownValue(expression);
    if (value === null) return null;
    known.push(value);
  }
  return known;
}
