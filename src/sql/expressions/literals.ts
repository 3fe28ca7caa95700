/** Literals, and values that the engine has computed: constants of the text, parameters, and lists of them. */
import type { Expression } from '../../cypher/index.ts';
import { CypherDate, isFloat, isInteger, type ResultValue, toNumber, type Value } from '../../value/index.ts';
import type { Program } from '../program.ts';
import { typed } from '../typed.ts';
import { BOOLEAN, commonType, FLOAT, INTEGER, NULL, OPAQUE, type Place, type SqlExpression, type SqlType, STRING } from '../types.ts';

/** Returns the value of an expression that does not depend on the graph; undefined: it is not known. */
export function constantOf({ constants }: Program, expression: Expression): ResultValue | undefined {
  return expression.kind === 'variable' ? constants.variables.get(expression.name) : constants.values.get(expression);
}

/** Lowers a value that the engine has computed. A value without a type in SQL becomes text. */
export function constant(program: Program, value: ResultValue, at: Place): SqlExpression {
  if (Array.isArray(value)) {
    const items = value.map((item) => constant(program, item, at));
    const isPlain = items.every(({ type }) => type.kind !== 'opaque') && items.reduce<SqlType | null>(itemType, NULL) !== null;
    if (isPlain) return list(program, items, at);
  } else if (value instanceof CypherDate) return dateLiteral(program, value);
  else if (value === null || typeof value !== 'object' || isFloat(value)) return literal(program, value, at);
  return { sql: program.dialect.text(program.opaqueText(value)), type: OPAQUE };
}

const itemType = (type: SqlType | null, each: SqlExpression): SqlType | null => (type === null ? null : commonType(type, each.type));

/** Lowers a date. Only years of four digits are dates in both dialects; other dates become text. */
function dateLiteral(program: Program, value: CypherDate): SqlExpression {
  const text = value.toString();
  if (/^\d{4}-\d\d-\d\d$/.test(text) && !text.startsWith('0000')) return { sql: `CAST('${text}' AS DATE)`, type: { kind: 'date' } };
  return { sql: program.dialect.text(program.opaqueText(value)), type: OPAQUE };
}

/** Lowers a literal. */
export function literal(program: Program, value: Value, at: Place): SqlExpression {
  if (value === null) return { sql: 'NULL', type: NULL };
  if (typeof value === 'boolean') return { sql: value ? 'TRUE' : 'FALSE', type: BOOLEAN };
  if (typeof value === 'string') {
    if (value.includes('\0')) throw program.refuse('a text with the character NUL', at);
    return { sql: program.dialect.text(value), type: STRING };
  }
  if (isInteger(value)) return { sql: `CAST(${value < 0 ? `'${value}'` : value} AS BIGINT)`, type: INTEGER };
  if (isFloat(value)) return { sql: `CAST('${floatText(toNumber(value))}' AS DOUBLE)`, type: FLOAT };
  if (Array.isArray(value))
    return list(
      program,
      value.map((item) => literal(program, item, at)),
      at,
    );
  throw program.refuse('a literal or parameter of this type', at);
}

/** Formats a Float as both dialects read it. */
function floatText(number: number): string {
  return Object.is(number, -0) ? '-0.0' : String(number);
}

/** Returns the list of values, which must have one type. */
export function list(program: Program, items: readonly SqlExpression[], at: Place): SqlExpression {
  const item = items.reduce<SqlType | null>((type, each) => (type === null ? null : commonType(type, each.type)), NULL);
  if (item === null) throw program.refuse('a list of values of several types', at);
  if (item.kind === 'opaque') throw program.refuse('a list of values that are only passed on', at);
  const type: SqlType = { kind: 'list', item };
  const sql = program.dialect.list(items.map((each) => typed(program, each, item)));
  return { sql: `CAST(${sql} AS ${program.dialect.typeName(type)})`, type };
}
