/**
 * Binding of WITH and RETURN: expands `*`, binds items, names columns, checks the rules of aggregation, and binds ORDER
 * BY and WHERE, which see both the new names and the old ones.
 *
 * In the bound tree an item that passes a variable on under its own name keeps the variable (`n AS n`); any other item
 * makes a new one. Where ORDER BY, the WHERE after WITH, or an aggregating item repeats an expression that is a column,
 * the variable of the column replaces it. So after an aggregation or DISTINCT these use projected variables only.
 */

import type { Expression, Projection, ProjectionItem, SortItem, Variable } from '../../ast.ts';
import { containsAggregate } from '../../walk.ts';
import type { Analysis } from '../analysis.ts';
import { bindExpression, bindPredicate, type Environment } from '../expressions/expressions.ts';
import { isAggregate } from '../expressions/functions.ts';
import { Scope } from '../scope.ts';
import type { Typed } from '../types.ts';
import { bindConstant } from './constants.ts';
import { Columns } from './grouping.ts';

/** A bound projection, with the scope after it. */
export interface BoundProjection {
  readonly projection: Projection;
  readonly where: Expression | null;
  /** The scope of the next clause. */
  readonly scope: Scope;
}

/** The rules for a projection, which depend on where it is used. */
export interface ProjectionRules {
  /** True for WITH and for RETURN of CALL { … }, where every expression must have a name. */
  readonly aliases: boolean;
  /** The meaning of `*` in a scope without variables of its own: no columns, the outer variables that a subquery sees, or a fault. */
  readonly emptyStar: 'nothing' | 'outer' | 'fault';
  /** The variables for columns by name, from the first part of a union; null if there are none. */
  readonly columns: ReadonlyMap<string, string> | null;
  /** True if every column is a new variable, even one that is passed on. */
  readonly freshColumns: boolean;
}

/** An item with its bound expression and type. */
interface BoundItem extends Typed {
  readonly item: ProjectionItem;
}

/** Binds the projection of WITH or RETURN. */
export function bindProjection(
  analysis: Analysis,
  scope: Scope,
  projection: Projection,
  where: Expression | null,
  rules: ProjectionRules,
): BoundProjection {
  const items = [...expandStar(analysis, scope, projection, rules), ...projection.items];
  const env: Environment = { scope, aggregates: 'allowed', predicate: false };
  const bound = items.map((item) => ({ item, ...bindExpression(analysis, env, item.expression) }));
  refuseEqualNames(analysis, bound);
  const after = new Scope(scope.outer);
  const named = bound.map((item) => nameColumn(analysis, scope, after, item, rules));

  const aggregating = bound.some(({ expression }) => containsAggregate(expression, isAggregate));
  const columns = new Columns(analysis, named, { visible: scope.uniqueNames(), aggregating, distinct: projection.distinct });
  const regrouped = named.map((item) =>
    containsAggregate(item.expression, isAggregate) ? { ...item, expression: columns.regroup(item.expression) } : item,
  );

  const both = bothScopes(scope, after);
  const aggregated = bothScopes(after, scope);
  const orderBy = projection.orderBy.map((sort) => bindSort(analysis, { scope: both, aggregated }, sort, columns));
  const skip = projection.skip === null ? null : bindConstant(analysis, projection.skip, 'SKIP');
  const limit = projection.limit === null ? null : bindConstant(analysis, projection.limit, 'LIMIT');
  const condition =
    where === null ? null : columns.outside(bindPredicate(analysis, { scope: both, aggregates: 'refused', predicate: true }, where));
  if (rules.aliases) requireAliases(analysis, items);
  return { projection: { ...projection, items: regrouped, orderBy, skip, limit }, where: condition, scope: after };
}

function expandStar(analysis: Analysis, scope: Scope, projection: Projection, rules: ProjectionRules): ProjectionItem[] {
  if (!projection.star) return [];
  const span = { start: projection.span.start, end: projection.span.start };
  const isEmpty = scope.own.size === 0;
  const names = [...(isEmpty && rules.emptyStar === 'outer' ? scope.names() : scope.own.keys())].sort();
  if (names.length === 0 && rules.emptyStar !== 'nothing') {
    throw analysis.fault(projection, 'NoVariablesInScope', 'there is no variable that * could stand for');
  }
  return names.map((name) => {
    const variable: Variable = { kind: 'variable', name, span };
    return { expression: variable, variable, column: name, aliased: false, span };
  });
}

function refuseEqualNames(analysis: Analysis, items: readonly BoundItem[]): void {
  const seen = new Set<string>();
  for (const { item } of items) {
    if (seen.has(item.column)) throw analysis.fault(item, 'ColumnNameConflict', `there are two columns \`${item.column}\``);
    seen.add(item.column);
  }
}

function requireAliases(analysis: Analysis, items: readonly ProjectionItem[]): void {
  for (const item of items) {
    if (!item.aliased && item.expression.kind !== 'variable' && item.expression.kind !== 'mapProjection') {
      throw analysis.fault(item, 'NoExpressionAlias', `this expression needs a name: ${item.column} AS name`);
    }
  }
}

/** Returns an item with its variable, which is bound in `after`. */
function nameColumn(
  analysis: Analysis,
  scope: Scope,
  after: Scope,
  { item, expression, type }: BoundItem,
  rules: ProjectionRules,
): ProjectionItem {
  refuseShadowing(analysis, after, item, expression);
  const variable = { ...item.variable, name: columnVariable(analysis, scope, { item, expression, type }, rules) };
  after.bind(item.column, { name: variable.name, type });
  return { ...item, expression, variable };
}

/** Refuses an alias that is the name of an outer variable, since that stays visible in the whole subquery. */
function refuseShadowing(analysis: Analysis, { outer }: Scope, item: ProjectionItem, expression: Expression): void {
  const known = item.aliased || item.expression.kind === 'mapProjection' ? outer?.lookup(item.column) : undefined;
  if (known === undefined || (expression.kind === 'variable' && expression.name === known.name)) return;
  throw analysis.fault(
    item.variable,
    'VariableAlreadyBound',
    `variable \`${item.column}\` is already defined outside of the subquery: give this one another name`,
  );
}

function columnVariable(analysis: Analysis, scope: Scope, { item, expression, type }: BoundItem, rules: ProjectionRules): string {
  const given = rules.columns?.get(item.column);
  if (given !== undefined) {
    analysis.widen(given, type);
    return given;
  }
  if (!rules.freshColumns && expression.kind === 'variable' && scope.lookup(item.column)?.name === expression.name) return expression.name;
  return item.column.length > 60 ? analysis.generate('c', type).name : analysis.fresh(item.column, type).name;
}

/** Returns a scope of the variables of one scope that falls back to another one. */
function bothScopes(second: Scope, first: Scope): Scope {
  const both = second.inner();
  for (const [name, binding] of first.own) both.bind(name, binding);
  return both;
}

/** The scopes of ORDER BY: a name is first that of a column, but inside an aggregate that of a variable before the projection. */
type SortScopes = Required<Pick<Environment, 'scope' | 'aggregated'>>;

function bindSort(analysis: Analysis, scopes: SortScopes, sort: SortItem, columns: Columns): SortItem {
  const aggregates = columns.aggregating ? 'allowed' : 'refused';
  const { expression } = bindExpression(analysis, { ...scopes, aggregates, predicate: false }, sort.expression);
  return { ...sort, expression: columns.outside(expression) };
}
