/** Values that SQL mentions several times, and computes once: their text would else grow with each level that repeats it. */
import { holdsSubquery } from './holds-subquery.ts';
import type { Program } from './program.ts';

/** The longest text that may be repeated: a column, a literal, or a cast of one. */
const LONGEST_REPEATED = 48;

/**
 * Returns the SQL that `write` makes of values; for those with a longer text it is given names, unless the dialect cannot
 * name a subquery.
 */
export function once(program: Program, values: readonly string[], write: (...names: string[]) => string): string {
  const { dialect } = program;
  const isLong = (value: string): boolean => value.length > LONGEST_REPEATED && (dialect.bindsSubqueries || !holdsSubquery(value));
  const long = values.filter(isLong);
  if (long.length === 0) return write(...values);
  const scope = program.fresh('y');
  const names = new Map([...new Set(long)].map((value, index) => [value, `x${index}`]));
  const body = write(...values.map((value) => (names.has(value) ? dialect.member(scope, names.get(value)!) : value)));
  return `(${dialect.bind(scope, dialect.struct([...names].map(([value, name]): [string, string] => [name, value])), body)})`;
}
