/** Lists as values: comprehensions, reduce(), and access by place. */
import type { IndexAccess, ListComprehension, Reduce, SliceAccess } from '../../cypher/index.ts';
import { once } from '../once.ts';
import { typed } from '../typed.ts';
import { isSameType, NULL, type SqlExpression } from '../types.ts';
import { boolean } from './conditions.ts';
import { type Environment, lower, withItem } from './environment.ts';
import { itemsOf, refuseSubqueryItems } from './list-items.ts';

/** Lowers a list comprehension. */
export function comprehension(environment: Environment, expression: ListComprehension): SqlExpression {
  const { program } = environment;
  const { variable, where, projection } = expression;
  const list = lower(environment, expression.list);
  if (list.type.kind === 'null') return { sql: 'NULL', type: NULL };
  const { item } = itemsOf(program, list, expression);
  refuseSubqueryItems(program, list, expression);
  const name = program.fresh('y');
  const inner = withItem(environment, variable.name, { name, type: item });
  const kept = where === null ? list.sql : program.dialect.filter(list.sql, boolean(program, lower(inner, where), where), { item: name });
  if (projection === null) return { sql: kept, type: list.type };
  const value = lower(inner, projection);
  if (value.type.kind === 'opaque') throw program.refuse('a list of values that are only passed on', projection);
  return { sql: program.dialect.map(kept, name, typed(program, value)), type: { kind: 'list', item: value.type } };
}

/** Lowers reduce(), whose accumulator must keep its type. */
export function reduced(environment: Environment, expression: Reduce): SqlExpression {
  const { program } = environment;
  const { accumulator, variable } = expression;
  const list = lower(environment, expression.list);
  if (list.type.kind === 'null') return { sql: 'NULL', type: NULL };
  const { item } = itemsOf(program, list, expression);
  const initial = lower(environment, expression.initial);
  for (const each of [list, initial]) refuseSubqueryItems(program, each, expression);
  const names = { accumulator: program.fresh('y'), item: program.fresh('y') };
  const inner = withItem(withItem(environment, accumulator.name, { name: names.accumulator, type: initial.type }), variable.name, {
    name: names.item,
    type: item,
  });
  const step = lower(inner, expression.expression);
  if (initial.type.kind === 'null' || initial.type.kind === 'opaque' || !isSameType(initial.type, step.type))
    throw program.refuse('reduce() to values of several types', expression);
  return { sql: program.dialect.reduce(list.sql, typed(program, initial), step.sql, names), type: initial.type };
}

/** Lowers `list[place]`. Places below 0 count from the end. */
export function itemAt(environment: Environment, expression: IndexAccess): SqlExpression {
  const { program } = environment;
  const list = lower(environment, expression.subject);
  const index = lower(environment, expression.index);
  if (list.type.kind === 'null' || index.type.kind === 'null') return { sql: 'NULL', type: NULL };
  const { item } = itemsOf(program, list, expression);
  if (index.type.kind !== 'integer') throw program.refuse(`a list at a place that is ${index.type.kind}`, expression);
  const sql = once(program, [list.sql, index.sql], (of, place) => {
    const size = `CAST(${program.dialect.size(of!)} AS BIGINT)`;
    // DuckDB counts places below 0 from the end too, and Spark takes numbers of 32 bits.
    const isThere = `${place} < ${size} AND ${place} >= -${size}`;
    const own = `(CASE WHEN ${place} < 0 THEN ${size} + ${place} ELSE ${place} END)`;
    return `(CASE WHEN ${isThere} THEN ${program.dialect.item(of!, own)} END)`;
  });
  return { sql, type: item };
}

/** Lowers `list[from..to]`. */
export function sliced(environment: Environment, expression: SliceAccess): SqlExpression {
  const { program } = environment;
  const list = lower(environment, expression.subject);
  if (list.type.kind === 'null') return { sql: 'NULL', type: NULL };
  itemsOf(program, list, expression);
  const bounds = [expression.from, expression.to].map((bound) => (bound === null ? null : lower(environment, bound)));
  for (const each of [list, ...bounds]) if (each !== null) refuseSubqueryItems(program, each, expression);
  if (bounds.some((bound) => bound?.type.kind === 'null')) return { sql: 'NULL', type: list.type };
  if (bounds.some((bound) => bound !== null && bound.type.kind !== 'integer')) throw program.refuse('a slice by such bounds', expression);
  const texts = bounds.map((bound) => bound?.sql ?? '');
  const sql = once(program, [list.sql, ...texts], (of, from, to) => {
    const place = (bound: string): string =>
      `(CASE WHEN ${bound} < 0 THEN CAST(${program.dialect.size(of!)} AS BIGINT) + ${bound} ELSE ${bound} END)`;
    const [item, index] = [program.fresh('y'), program.fresh('y')];
    const own = program.dialect.firstPlace === 0 ? index : `(${index} - ${program.dialect.firstPlace})`;
    const conditions = [...(from === '' ? [] : [`${own} >= ${place(from!)}`]), ...(to === '' ? [] : [`${own} < ${place(to!)}`])];
    const kept = conditions.length === 0 ? of! : program.dialect.filter(of!, conditions.join(' AND '), { item, index });
    const nulls = [from!, to!].filter((bound) => bound !== '').map((bound) => `${bound} IS NULL`);
    return nulls.length === 0 ? kept : `(CASE WHEN ${nulls.join(' OR ')} THEN NULL ELSE ${kept} END)`;
  });
  return { sql, type: list.type };
}
