/** Nulls and empty lists with a type that SQL knows. */
import type { Program } from './program.ts';
import { isSameType, type SqlExpression, type SqlType } from './types.ts';

/**
 * The value as one of the wanted type, which its own is a part of: where it is nothing but null, or a list of nothing
 * else, SQL is told the type.
 */
export function typed(program: Program, { sql, type }: SqlExpression, wanted: SqlType = type): string {
  if (type.kind === 'null' || sql === 'NULL') return `CAST(NULL AS ${program.dialect.typeName(wanted)})`;
  return isSameType(type, wanted) ? sql : `CAST(${sql} AS ${program.dialect.typeName(wanted)})`;
}
