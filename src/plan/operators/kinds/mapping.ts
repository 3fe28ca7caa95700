/** Rebuilds parts of operators with other expressions in them: the same objects when nothing changed. */
import { assert } from '../../../base/index.ts';
import type { Variable } from '../../../cypher/index.ts';
import { mapList } from '../../expressions/mapping.ts';
import type { PlanExpression } from '../../plan.ts';
import type { ExpressionMapper } from './facts.ts';

/** Maps the expressions of items. */
export function mapItems<T extends { readonly expression: PlanExpression }>(items: readonly T[], map: ExpressionMapper): readonly T[] {
  return mapList(items, (item) => {
    const expression = map(item.expression);
    return expression === item.expression ? item : { ...item, expression };
  });
}

/** Maps the predicates of tests. */
export function mapPredicates<T extends { readonly predicate: PlanExpression }>(tests: readonly T[], map: ExpressionMapper): readonly T[] {
  return mapList(tests, (test) => mapPredicate(test, map));
}

/** Maps the predicate of a test. */
export function mapPredicate<T extends { readonly predicate: PlanExpression }>(test: T, map: ExpressionMapper): T {
  const predicate = map(test.predicate);
  return predicate === test.predicate ? test : { ...test, predicate };
}

/** Maps the value of a bound. */
export function mapBound<T extends { readonly value: PlanExpression }>(bound: T | null, map: ExpressionMapper): T | null {
  if (bound === null) return null;
  const value = map(bound.value);
  return value === bound.value ? bound : { ...bound, value };
}

/** Maps an expression that may be absent; null stays null. */
export const mapOrNull = (expression: PlanExpression | null, map: ExpressionMapper): PlanExpression | null =>
  expression === null ? null : map(expression);

/** Maps a variable to a variable, where nothing else can stand. */
export function mapVariable(variable: Variable, map: ExpressionMapper): Variable {
  const mapped = map(variable);
  assert(mapped.kind === 'variable', 'what labels and properties are set on is a variable');
  return mapped;
}
