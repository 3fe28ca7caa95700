/** Arithmetic of Integers, which fails on overflow, and of Floats, and the concatenation of texts. */
import type { ArithmeticOperator } from '../../cypher/index.ts';
import { once } from '../once.ts';
import type { Program } from '../program.ts';
import { FLOAT, INTEGER, isNumber, NULL, type Place, type SqlExpression, STRING, typeText } from '../types.ts';

/** Lowers an arithmetic operator. */
export function arithmetic(
  program: Program,
  operator: ArithmeticOperator,
  [a, b]: readonly [SqlExpression, SqlExpression],
  at: Place,
): SqlExpression {
  if (a.type.kind === 'null' || b.type.kind === 'null') return { sql: 'NULL', type: NULL };
  if (a.type.kind === 'string' && b.type.kind === 'string' && (operator === '+' || operator === '||')) {
    return { sql: `(${a.sql} || ${b.sql})`, type: STRING };
  }
  if (!isNumber(a.type) || !isNumber(b.type) || operator === '||')
    throw program.refuse(`${operator} between ${typeText(a.type)} and ${typeText(b.type)}`, at);
  if (operator === '^') return { sql: `pow(${double(a)}, ${double(b)})`, type: FLOAT };
  if (a.type.kind === 'integer' && b.type.kind === 'integer') return integers(program, operator, a.sql, b.sql);
  if (operator === '%') throw program.refuse('% of Floats', at);
  if (operator === '/') return { sql: quotient(program, double(a), double(b)), type: FLOAT };
  return { sql: `(${double(a)} ${operator} ${double(b)})`, type: FLOAT };
}

function integers(program: Program, operator: '+' | '-' | '*' | '/' | '%', a: string, b: string): SqlExpression {
  if (operator !== '/' && operator !== '%') return { sql: `(${a} ${operator} ${b})`, type: INTEGER };
  const { dialect } = program;
  const failure = `CAST(${dialect.fail('/ by zero')} AS BIGINT)`;
  const sql = once(program, [a, b], (left, right) => {
    const value = operator === '/' ? dialect.divide(left!, right!) : `(${left} % ${right})`;
    return `(CASE WHEN ${right} = 0 AND ${left} IS NOT NULL THEN ${failure} ELSE ${value} END)`;
  });
  return { sql, type: INTEGER };
}

/** Divides Floats. By zero that is an infinity of the sign of both, or NaN, where SQL fails or answers null. */
function quotient(program: Program, dividend: string, divisor: string): string {
  return once(program, [dividend, divisor], (a, b) => {
    const isNegativeZero = `CAST(${b} AS ${program.dialect.typeName(STRING)}) = '-0.0'`;
    const infinity = `CASE WHEN ${isNegativeZero} THEN CAST('-Infinity' AS DOUBLE) ELSE CAST('Infinity' AS DOUBLE) END`;
    return `(CASE WHEN ${b} = 0 THEN ${a} * (${infinity}) ELSE ${a} / ${b} END)`;
  });
}

function double({ sql, type }: SqlExpression): string {
  return type.kind === 'float' ? sql : `CAST(${sql} AS DOUBLE)`;
}

/** Lowers a sign or NOT. */
export function negate(program: Program, operand: SqlExpression, at: Place & { readonly operator: 'not' | '-' | '+' }): SqlExpression {
  if (operand.type.kind !== 'null' && !isNumber(operand.type)) throw program.refuse(`the sign of ${typeText(operand.type)}`, at);
  return at.operator === '+' || operand.type.kind === 'null' ? operand : { sql: `(-${operand.sql})`, type: operand.type };
}
