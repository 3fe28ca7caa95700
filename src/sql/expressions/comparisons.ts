/** Comparisons with Cypher's three-valued logic: values of different types are not equal and have no order; NaN equals nothing. */
import type { ComparisonOperator } from '../../cypher/index.ts';
import { once } from '../once.ts';
import type { Program } from '../program.ts';
import { isNumber, type Place, type SqlExpression, typeText } from '../types.ts';

const NULL_BOOLEAN = 'CAST(NULL AS BOOLEAN)';
const ORDERED = new Set(['integer', 'float', 'string', 'boolean', 'date']);

/** Lowers the equality of two values. */
export function equality(program: Program, a: SqlExpression, b: SqlExpression, at: Place): string {
  return comparison(program, '=', [a, b], at);
}

/** Lowers a comparison of two values. */
export function comparison(
  program: Program,
  operator: ComparisonOperator,
  [a, b]: readonly [SqlExpression, SqlExpression],
  at: Place,
): string {
  if (a.type.kind === 'null' || b.type.kind === 'null') return NULL_BOOLEAN;
  for (const { type } of [a, b]) if (!ORDERED.has(type.kind)) throw program.refuse(`a comparison of ${typeText(type)}`, at);
  const isEquality = operator === '=' || operator === '<>';
  if (a.type.kind !== b.type.kind) {
    if (isNumber(a.type) && isNumber(b.type)) throw program.refuse('a comparison of an Integer with a Float', at);
    // Values of different types are known to be different, but have no order.
    return isEquality
      ? `(CASE WHEN ${a.sql} IS NULL OR ${b.sql} IS NULL THEN NULL ELSE ${operator === '=' ? 'FALSE' : 'TRUE'} END)`
      : NULL_BOOLEAN;
  }
  const plain = `(${a.sql} ${operator} ${b.sql})`;
  if (a.type.kind !== 'float') return plain;
  return once(program, [a.sql, b.sql], (left, right) => {
    const isNan = `isnan(${left}) OR isnan(${right})`;
    return (
      `(CASE WHEN ${left} IS NULL OR ${right} IS NULL THEN NULL WHEN ${isNan} THEN ${operator === '<>' ? 'TRUE' : 'FALSE'} ` +
      `ELSE (${left} ${operator} ${right}) END)`
    );
  });
}
