/** Binding of queries, clause by clause: each clause gets the scope that the previous one leaves. */
import { unreachable } from '../../../base/index.ts';
import type { Clause, LoadCsvClause, MatchClause, Projection, Query, SingleQuery, UnwindClause, Variable } from '../../ast.ts';
import type { Analysis } from '../analysis.ts';
import { bindExpression, bindOptionalPredicate, environment, requireType } from '../expressions/expressions.ts';
import { bindSubqueryCall } from '../expressions/subqueries.ts';
import { alreadyBound, bindPatterns } from '../patterns.ts';
import type { Scope } from '../scope.ts';
import { iterated, listOf, MAP, STRING, type Type } from '../types.ts';
import { expandNestedStatement } from './nested-statements.ts';
import { bindProcedureCall } from './procedures.ts';
import { bindProjection } from './projection.ts';
import { expandSearch } from './search.ts';
import { bindUpdate } from './updates.ts';

/** A column of a query: its name for users, and its variable. */
export interface Column {
  readonly name: string;
  readonly variable: string;
  readonly type: Type;
}

/** A query that was bound, with its columns. */
export interface BoundQuery {
  readonly query: Query;
  /** Null for a query that returns nothing. In a union these are the columns of all parts, with the same variables. */
  readonly columns: readonly Column[] | null;
}

/** The rules for a query, which depend on where it is used. */
export interface QueryRules {
  /** True for CALL { … }, whose columns become variables outside and so must have names. */
  readonly aliases: boolean;
  /** True for EXISTS, COUNT and COLLECT, which must not write. */
  readonly readOnly: boolean;
}

/** The rules for a clause. */
export interface ClauseRules extends QueryRules {
  /** True for the first clause of its part of a query, which runs once each time the query runs. */
  readonly isFirst: boolean;
}

interface BoundPart {
  readonly part: SingleQuery;
  readonly columns: readonly Column[] | null;
}

/** Binds a query; `scopeOf` makes the initial scope of each part of a union. */
export function bindQuery(analysis: Analysis, query: Query, scopeOf: (part: number) => Scope, rules: QueryRules): BoundQuery {
  const union = query.parts.length > 1;
  const first = bindPart(analysis, query.parts[0]!, scopeOf(0), rules, { union, columns: null });
  const columns = first.columns === null ? null : new Map(first.columns.map(({ name, variable }) => [name, variable]));
  const others = query.parts.slice(1).map((part, i) => {
    const bound = bindPart(analysis, part, scopeOf(i + 1), rules, { union, columns });
    return inOrder(analysis, part, bound, first.columns);
  });
  const types = (column: Column): Column => ({ ...column, type: union ? analysis.widen(column.variable, column.type) : column.type });
  return { query: { ...query, parts: [first.part, ...others] }, columns: first.columns?.map(types) ?? null };
}

/** Returns a part of a union with its columns in the order of the first part. @throws SEMANTIC_ERROR if the columns differ */
function inOrder(analysis: Analysis, original: SingleQuery, bound: BoundPart, wanted: readonly Column[] | null): SingleQuery {
  const have = new Set(bound.columns?.map(({ name }) => name));
  const same =
    (bound.columns === null) === (wanted === null) &&
    have.size === (wanted?.length ?? 0) &&
    (wanted ?? []).every(({ name }) => have.has(name));
  if (!same) {
    const last = original.clauses.at(-1)!;
    const list = (columns: readonly Column[] | null): string => (columns ?? []).map(({ name }) => `\`${name}\``).join(', ') || 'none';
    throw analysis.fault(
      last,
      'DifferentColumnsInUnion',
      `all parts of a UNION must return the same columns: ${list(wanted)}, not ${list(bound.columns)}`,
    );
  }
  const last = bound.part.clauses.at(-1)!;
  if (last.kind !== 'return' || wanted === null) return bound.part;
  const items = wanted.map(({ name }) => last.projection.items.find((item) => item.column === name)!);
  return { ...bound.part, clauses: [...bound.part.clauses.slice(0, -1), { ...last, projection: { ...last.projection, items } }] };
}

interface UnionContext {
  readonly union: boolean;
  readonly columns: ReadonlyMap<string, string> | null;
}

function bindPart(analysis: Analysis, part: SingleQuery, start: Scope, rules: QueryRules, context: UnionContext): BoundPart {
  let scope = start;
  let columns: readonly Column[] | null = null;
  const written = part.clauses.flatMap((clause, i) => expandNestedStatement(analysis, clause, i === 0) ?? [clause]);
  const clauses: Clause[] = [];
  const bindOne = (clause: Clause): Clause => {
    if (clause.kind === 'return') {
      const emptyStar = rules.readOnly && !rules.aliases ? 'outer' : 'fault';
      const projectionRules = { aliases: rules.aliases, emptyStar, columns: context.columns, freshColumns: context.union } as const;
      const bound = bindProjection(analysis, scope, clause.projection, null, projectionRules);
      columns = columnsOf(bound.projection, bound.scope);
      return { ...clause, projection: bound.projection };
    }
    const bound = bindClause(analysis, scope, clause, { ...rules, isFirst: clauses.length === 0 });
    scope = bound.scope;
    if (clause.kind === 'callProcedure' && clause.standalone)
      columns = [...scope.own].map(([name, binding]) => ({ name, variable: binding.name, type: binding.type }));
    return bound.clause;
  };
  for (const clause of written) for (const each of expandSearch(analysis, clause, scope)) clauses.push(bindOne(each));
  return { part: { ...part, clauses }, columns };
}

/** Returns the columns of a bound projection. */
export function columnsOf(projection: Projection, scope: Scope): readonly Column[] {
  return projection.items.map(({ column, variable }) => ({ name: column, variable: variable.name, type: scope.lookup(column)!.type }));
}

interface BoundClause {
  readonly clause: Clause;
  readonly scope: Scope;
}

/** Binds a clause. WITH returns a new scope; all other clauses change `scope` in place. */
export function bindClause(analysis: Analysis, scope: Scope, clause: Clause, rules: ClauseRules): BoundClause {
  switch (clause.kind) {
    case 'match':
      return { clause: bindMatch(analysis, scope, clause), scope };
    case 'unwind':
      return { clause: bindUnwind(analysis, scope, clause), scope };
    case 'with': {
      const projectionRules = { aliases: true, emptyStar: 'nothing', columns: null, freshColumns: false } as const;
      const bound = bindProjection(analysis, scope, clause.projection, clause.where, projectionRules);
      return { clause: { ...clause, projection: bound.projection, where: bound.where }, scope: bound.scope };
    }
    case 'callProcedure':
      return { clause: bindProcedureCall(analysis, scope, clause, rules), scope };
    case 'callSubquery':
      return { clause: bindSubqueryCall(analysis, scope, clause, rules), scope };
    case 'loadCsv':
      return { clause: bindLoadCsv(analysis, scope, clause), scope };
    case 'finish':
      return { clause, scope };
    case 'create':
    case 'merge':
    case 'set':
    case 'remove':
    case 'delete':
    case 'foreach':
      if (rules.readOnly)
        throw analysis.fault(
          clause,
          'InvalidClauseComposition',
          `${clause.kind.toUpperCase()} cannot stand inside EXISTS, COUNT or COLLECT`,
        );
      analysis.noteWrite(clause);
      return { clause: bindUpdate(analysis, scope, clause), scope };
    case 'return':
      throw analysis.fault(clause, 'InvalidClauseComposition', 'RETURN must be the last clause');
    default:
      return unreachable(clause, 'clause');
  }
}

function bindMatch(analysis: Analysis, scope: Scope, clause: MatchClause): MatchClause {
  const patterns = bindPatterns(analysis, scope, clause.patterns);
  return { ...clause, patterns, where: bindOptionalPredicate(analysis, environment(scope), clause.where) };
}

function bindUnwind(analysis: Analysis, scope: Scope, clause: UnwindClause): UnwindClause {
  const { expression, type } = bindExpression(analysis, environment(scope), clause.expression);
  // A value that is no list counts as a list of one element.
  const element = iterated(type);
  return { ...clause, expression, variable: declareNew(analysis, scope, clause.variable, element) };
}

/** Declares a variable that must not exist in its scope yet. */
export function declareNew(analysis: Analysis, scope: Scope, variable: Variable, type: Type): Variable {
  if (scope.lookup(variable.name) !== undefined) throw alreadyBound(analysis, variable);
  return { ...variable, name: analysis.declare(scope, variable.name, type).name };
}

function bindLoadCsv(analysis: Analysis, scope: Scope, clause: LoadCsvClause): LoadCsvClause {
  const from = bindExpression(analysis, environment(scope), clause.from);
  requireType(analysis, clause.from, from.type, ['string'], 'LOAD CSV takes the URL of a file');
  return {
    ...clause,
    from: from.expression,
    variable: declareNew(analysis, scope, clause.variable, clause.withHeaders ? MAP : listOf(STRING)),
  };
}
