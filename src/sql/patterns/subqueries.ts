/** Lowers what reads the graph within an expression. */
import { type Clause, containsAggregate, type Expression, type MatchClause } from '../../cypher/index.ts';
import { isAggregate } from '../aggregates.ts';
import { valueOfEntity } from '../entities.ts';
import { type Environment, lower } from '../expressions/environment.ts';
import { entityOf } from '../expressions/references.ts';
import type { Program } from '../program.ts';
import { typed } from '../typed.ts';
import { BOOLEAN, INTEGER, type Place, type SqlExpression } from '../types.ts';
import type { Joined } from './joined.ts';
import { joinPatterns } from './patterns.ts';

/** Lowers a pattern, EXISTS { … } or COUNT { … } with one MATCH. */
export function lowerSubquery(environment: Environment, expression: Expression): SqlExpression {
  const { program } = environment;
  switch (expression.kind) {
    case 'patternExpression':
      return exists(joinPatterns(environment, { patterns: [expression.pattern], where: null }));
    case 'patternComprehension': {
      refuseOnSpark(program, 'a pattern comprehension', expression);
      const { pattern, where, projection } = expression;
      return collected(joinPatterns(environment, { patterns: [pattern], where }), projection);
    }
    case 'subquery': {
      const clause = onlyMatch(program, expression);
      const joined = joinPatterns(environment, clause);
      if (expression.mode === 'exists') return exists(joined);
      if (expression.mode === 'collect') refuseOnSpark(program, 'COLLECT { }', expression);
      if (expression.mode === 'collect') return collected(joined, onlyItem(program, expression));
      return { sql: `coalesce((SELECT count(*)${sourceOf(joined)}), 0)`, type: INTEGER };
    }
    default:
      throw program.refuse('a subquery of this kind', expression);
  }
}

/** Spark does not let the columns of a correlated subquery refer to rows outside of it. */
function refuseOnSpark(program: Program, what: string, at: Place): void {
  if (program.dialect.name === 'spark') throw program.refuse(what, at);
}

function sourceOf({ from, where }: Joined): string {
  return `${from.length === 0 ? '' : ` FROM ${from.join(', ')}`}${where}`;
}

function exists(joined: Joined): SqlExpression {
  // Spark takes no EXISTS as an operand that stands behind another operator.
  const sql = `EXISTS (SELECT 1${sourceOf(joined)})`;
  return { sql: joined.program.dialect.name === 'spark' ? `(${sql})` : sql, type: BOOLEAN };
}

/** Returns the list of an expression's values for all matches, nulls too. */
function collected(joined: Joined, projection: Expression): SqlExpression {
  const { program, environment } = joined;
  const { dialect } = program;
  const entity = entityOf(environment, projection);
  const value = entity === null ? lower(environment, projection) : valueOfEntity(program, entity, projection);
  if (value.type.kind === 'opaque') throw program.refuse('a list of values that are only passed on', projection);
  const type = { kind: 'list', item: value.type } as const;
  const item = program.fresh('v');
  // An aggregate of nothing but columns from outside would be one of the query around it.
  const rows = `(SELECT ${typed(program, value)} AS ${item}${sourceOf(joined)}) ${program.fresh('t')}`;
  const list = `SELECT ${dialect.collectAll(item, () => program.fresh('y'))} FROM ${rows}`;
  return { sql: `coalesce((${list}), CAST(${dialect.list([])} AS ${dialect.typeName(type)}))`, type };
}

/** Tells whether a clause is a RETURN with rows exactly where there are rows before it: an aggregate has one where there is none. */
function keepsRows(clause: Clause): boolean {
  if (clause.kind !== 'return') return false;
  const { items, skip, limit } = clause.projection;
  return skip === null && limit === null && !items.some(({ expression }) => containsAggregate(expression, isAggregate));
}

function onlyMatch(program: Program, expression: Extract<Expression, { kind: 'subquery' }>): MatchClause {
  const { mode, query } = expression;
  const [part] = query.parts;
  const [clause, ...rest] = part?.clauses ?? [];
  const isPlain =
    query.parts.length === 1 &&
    clause?.kind === 'match' &&
    !clause.optional &&
    rest.every(keepsRows) &&
    (mode !== 'count' || rest.length === 0);
  if (!isPlain) throw program.refuse('a subquery that is more than one MATCH', expression);
  return clause;
}

/** Returns what a COLLECT { … } returns. */
function onlyItem(program: Program, { query, span }: Extract<Expression, { kind: 'subquery' }>): Expression {
  const clause = query.parts[0]?.clauses.at(-1);
  const { items, distinct, orderBy } = clause?.kind === 'return' ? clause.projection : { items: [], distinct: false, orderBy: [] };
  const [item] = items;
  if (item === undefined || distinct || orderBy.length > 0) throw program.refuse('a subquery with an order or DISTINCT', { span });
  return item.expression;
}
