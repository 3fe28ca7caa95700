/** Gives nulls and empty lists a type that SQL knows. */
import type { Program } from './program.ts';
import { isSameType, type SqlExpression, type SqlType } from './types.ts';

/**
 * Returns the value as one of the wanted type, which must include its own: nulls, and lists of nothing else, are cast. A
 * null beside values that are only passed on has no type, since theirs is not known.
 */
export function typed(program: Program, { sql, type }: SqlExpression, wanted: SqlType = type): string {
  const cast = (value: string): string => `CAST(${value} AS ${program.dialect.typeName(wanted)})`;
  if (type.kind === 'null' || sql === 'NULL') return wanted.kind === 'opaque' ? 'NULL' : cast('NULL');
  return isSameType(type, wanted) ? sql : cast(sql);
}
