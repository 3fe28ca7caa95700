/** IN, by the equality of each item: lists of SQL do not answer null for a null among their items. */
import type { Expression } from '../../cypher/index.ts';
import { holdsSubquery } from '../holds-subquery.ts';
import { once } from '../once.ts';
import { BOOLEAN, type Place, type SqlExpression } from '../types.ts';
import { equality } from './comparisons.ts';
import { type Environment, lower } from './environment.ts';
import { anyTrue } from './list-conditions.ts';
import { itemsOf, refuseSubqueryItems, writtenItems } from './list-items.ts';

/** Lowers IN. */
export function membership(environment: Environment, left: Expression, right: Expression): SqlExpression {
  const items = writtenItems(environment, right);
  const subject = lower(environment, left);
  if (items === null) return inList(environment, subject, lower(environment, right), right);
  if (items.length === 0) return { sql: 'FALSE', type: BOOLEAN };
  const { program } = environment;
  const any = (value: string): string =>
    `(${items.map((item) => equality(program, { ...subject, sql: value }, item, right)).join(' OR ')})`;
  return {
    sql: items.some(({ sql }) => holdsSubquery(sql)) ? any(subject.sql) : once(program, [subject.sql], (value) => any(value!)),
    type: BOOLEAN,
  };
}

/** Lowers `x IN list`. */
function inList(environment: Environment, subject: SqlExpression, list: SqlExpression, at: Place): SqlExpression {
  const { program } = environment;
  if (list.type.kind === 'null') return { sql: 'CAST(NULL AS BOOLEAN)', type: BOOLEAN };
  const { item } = itemsOf(program, list, at);
  for (const each of [subject, list]) refuseSubqueryItems(program, each, at);
  const sql = once(program, [subject.sql, list.sql], (value, of) => {
    const name = program.fresh('y');
    const isEqual = equality(program, { ...subject, sql: value! }, { sql: name, type: item }, at);
    return anyTrue(program, program.dialect.map(of!, name, isEqual));
  });
  return { sql, type: BOOLEAN };
}
