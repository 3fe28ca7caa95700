/** Nulls with a type that SQL knows. */
import type { Program } from './program.ts';
import type { SqlExpression, SqlType } from './types.ts';

/** The value; where it is nothing but null, a null of the wanted type. */
export function typed(program: Program, { sql, type }: SqlExpression, wanted: SqlType = type): string {
  return type.kind === 'null' || sql === 'NULL' ? `CAST(NULL AS ${program.dialect.typeName(wanted)})` : sql;
}
