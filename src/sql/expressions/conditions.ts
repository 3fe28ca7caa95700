/** Expressions that must be Booleans. */
import type { Program } from '../program.ts';
import type { Place, SqlExpression } from '../types.ts';

/** Returns the SQL of a condition. @throws UNSUPPORTED when the expression is not a Boolean */
export function boolean(program: Program, { sql, type }: SqlExpression, at: Place): string {
  if (type.kind === 'null') return 'CAST(NULL AS BOOLEAN)';
  if (type.kind !== 'boolean') throw program.refuse(`a condition that is ${type.kind}`, at);
  return sql;
}
