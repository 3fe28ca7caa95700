/** Maps with keys that the text tells, whose values have one type each. */
import type { Expression } from '../../cypher/index.ts';
import { typed } from '../typed.ts';
import { NULL, type SqlExpression, type SqlType, typeText } from '../types.ts';
import { type Environment, lower } from './environment.ts';

/** Lowers a map. */
export function map(environment: Environment, { entries, span }: Extract<Expression, { kind: 'map' }>): SqlExpression {
  const { program } = environment;
  const { dialect } = program;
  const keys = new Set(entries.map(({ key }) => key.toLowerCase()));
  if (keys.size < entries.length) throw program.refuse('a map with keys that differ by case alone', { span });
  if (keys.size === 0) throw program.refuse('an empty map', { span });
  const types = new Map<string, SqlType>();
  const members = entries.map(({ key, value }): [string, string] => {
    const member = lower(environment, value);
    if (isOpaque(member.type)) throw program.refuse('a map of values that are only passed on', value);
    // A name is quoted where it is read.
    dialect.quote(key);
    types.set(key, member.type);
    return [key, typed(program, member)];
  });
  return { sql: dialect.struct(members), type: { kind: 'map', entries: types } };
}

/** Lowers an access to a key of a map. A key that the map does not have is null. */
export function mapEntry(environment: Environment, { subject, key, span }: Extract<Expression, { kind: 'property' }>): SqlExpression {
  const { program } = environment;
  const isName = subject.kind === 'variable' && environment.bindings.get(subject.name)?.kind !== 'scalar';
  const value = isName ? null : lower(environment, subject);
  if (value?.type.kind === 'null') return { sql: 'NULL', type: NULL };
  if (value?.type.kind !== 'map')
    throw program.refuse(`a property of what is no variable of a pattern${value === null ? '' : `, but ${typeText(value.type)},`}`, {
      span,
    });
  const type = value.type.entries.get(key);
  return type === undefined ? { sql: 'NULL', type: NULL } : { sql: program.dialect.member(value.sql, program.dialect.quote(key)), type };
}

function isOpaque(type: SqlType): boolean {
  return type.kind === 'list' ? isOpaque(type.item) : type.kind === 'opaque';
}
