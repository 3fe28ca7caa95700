/** Gives nulls and empty lists a type that SQL knows. */
import type { Program } from './program.ts';
import { isSameType, type SqlExpression, type SqlType } from './types.ts';

/** Returns the value as one of the wanted type, which must include its own: nulls, and lists of nothing else, are cast. */
export function typed(program: Program, { sql, type }: SqlExpression, wanted: SqlType = type): string {
  if (type.kind === 'null' || sql === 'NULL') return `CAST(NULL AS ${program.dialect.typeName(wanted)})`;
  return isSameType(type, wanted) ? sql : `CAST(${sql} AS ${program.dialect.typeName(wanted)})`;
}
