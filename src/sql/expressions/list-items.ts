/** The items of lists: those that the text writes out, and the type of others. */
import type { Expression } from '../../cypher/index.ts';
import { holdsSubquery } from '../holds-subquery.ts';
import type { Program } from '../program.ts';
import type { Place, SqlExpression, SqlType } from '../types.ts';
import { type Environment, lower } from './environment.ts';
import { constant, constantOf, literal } from './literals.ts';

/** Returns the items of a list that is a constant, a parameter or written out, which may be of several types; null: it is none of these. */
export function writtenItems(environment: Environment, list: Expression): SqlExpression[] | null {
  const { program } = environment;
  if (list.kind === 'list') return list.items.map((item) => lower(environment, item));
  const computed = constantOf(program, list);
  if (Array.isArray(computed)) return computed.map((item) => constant(program, item, list));
  const value = list.kind === 'parameter' ? program.parameter(list.name) : list.kind === 'literal' ? list.value : null;
  if (!Array.isArray(value)) return null;
  return value.map((item) => literal(program, item, list));
}

/** Refuses a list with a subquery in it, where the dialect computes nothing on its items. */
export function refuseSubqueryItems(program: Program, { sql }: SqlExpression, at: Place): void {
  if (!program.dialect.bindsSubqueries && holdsSubquery(sql))
    throw program.refuse('an expression on each item of a list with subqueries', at);
}

/** Returns the type of a list's items. @throws UNSUPPORTED when the expression is not a list of one known type */
export function itemsOf(program: Program, { type }: SqlExpression, at: Place): { readonly item: SqlType } {
  if (type.kind !== 'list') throw program.refuse(`a list that is ${type.kind}`, at);
  if (type.item.kind === 'opaque') throw program.refuse('a list of values that are only passed on', at);
  return type;
}
