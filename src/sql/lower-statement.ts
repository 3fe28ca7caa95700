/**
 * Lowers read-only Cypher to one SQL statement over tables of nodes and relationships: each clause becomes a common
 * table expression over the one before it. The SQL gives the answer of Cypher; a statement with a part that has no form
 * in SQL is refused before anything runs, with the name and the place of the part.
 */
import { unreachable } from '../base/index.ts';
import { type BoundStatement, type Clause, type Expression, type SingleQuery, type UnwindClause, walk } from '../cypher/index.ts';
import { type ResultValue, type Value, writeJson } from '../value/index.ts';
import { lowerCall } from './call-subqueries.ts';
import { type Constants, NO_CONSTANTS } from './constants.ts';
import { DIALECTS, type DialectName } from './dialect.ts';
import { boolean } from './expressions/conditions.ts';
import { type Environment, type Lowerings, lower } from './expressions/environment.ts';
import { constantOf } from './expressions/literals.ts';
import { lowerExpression } from './expressions/lower-expression.ts';
import { holdsSubquery } from './holds-subquery.ts';
import { lowerMatch } from './patterns/match.ts';
import { lowerSubquery } from './patterns/subqueries.ts';
import { Program, type SqlSource } from './program.ts';
import { type Projected, project, settle } from './projections.ts';
import { allColumns, type Binding, type EntityBinding, type Rows, selectList } from './scope.ts';
import type { GraphShape } from './shape.ts';
import { typed } from './typed.ts';
import { holdsEntities, OPAQUE, type Place, type SqlExpression, type SqlType } from './types.ts';
import { typesOfUnion, unionColumn } from './unions.ts';

/** The options of lowering. */
export interface LoweringOptions {
  /** The text that the statement was parsed from. */
  readonly text: string;
  readonly dialect: DialectName;
  readonly shape: GraphShape;
  readonly parameters: ReadonlyMap<string, Value>;
  /** The prefix of the names of the tables that the SQL reads; absent: none. */
  readonly prefix?: string;
  /** The values of expressions that do not depend on the graph; absent: none are known. */
  readonly constants?: Constants;
  /** Returns the text of a value that has no type in SQL; absent: its JSON. */
  readonly opaqueText?: (value: ResultValue) => string;
}

/** A statement in SQL, with the tables that it reads. */
export interface SqlStatement {
  readonly sql: string;
  /** The tables that the SQL reads, under the names that it uses. */
  readonly sources: readonly SqlSource[];
}

/** Lowers a statement. @throws UNSUPPORTED for a part without a form in SQL, with its name and place */
export function lowerStatement(bound: BoundStatement, options: LoweringOptions): SqlStatement {
  const program = new Program(
    {
      prefix: '',
      constants: NO_CONSTANTS,
      opaqueText: (value) => writeJson(value),
      ...options,
      dialect: DIALECTS[options.dialect],
      keys: keysOf(bound),
      mentions: mentionsOf(bound),
    },
    bound.columns.map(({ name }) => name),
  );
  const { body } = bound.statement;
  if (body.kind !== 'query' || bound.writes) throw program.refuse('a statement that does more than read', bound.statement);
  const parts = body.parts.map((part) => lowerPart(program, part, { table: program.table('SELECT 1 AS unit'), bindings: new Map() }));
  if (parts.length === 1) {
    const { table, bindings, order, limits } = parts[0]!;
    const items = bound.columns.map(
      ({ name, variable }) =>
        `${output(program, bindings.get(variable)!, placeOfColumn(body.parts[0]!, variable))} AS ${program.dialect.quote(name)}`,
    );
    return finish(program, `SELECT ${items.join(', ')} FROM ${table}${order}${limits}`);
  }
  return finish(program, union(program, bound, parts));
}

function finish(program: Program, select: string): SqlStatement {
  return { sql: `WITH ${program.isRecursive ? 'RECURSIVE ' : ''}${program.tables.join(',\n')}\n${select}`, sources: program.sources() };
}

/** Returns the property keys that the statement reads; null: all, since a node or relationship is a column of the result. */
function keysOf(bound: BoundStatement): ReadonlySet<string> | null {
  const { columns, variableTypes } = bound;
  if (columns.some(({ variable }) => ['node', 'relationship'].includes(variableTypes.get(variable) ?? 'any'))) return null;
  return mentionedKeys(bound);
}

/** Returns the property keys that a statement mentions. */
export function mentionedKeys({ statement }: BoundStatement): ReadonlySet<string> {
  const keys = new Set<string>();
  walk(statement, (node) => {
    const each = node as Expression;
    if (each.kind === 'property') keys.add(each.key);
    if (each.kind === 'map') for (const { key } of each.entries) keys.add(key);
    return undefined;
  });
  return keys;
}

/** Returns how often the statement mentions each variable, and calls each function. */
function mentionsOf({ statement }: BoundStatement): Program['mentions'] {
  const variables = new Map<string, number>();
  const functions = new Set<string>();
  walk(statement, (node) => {
    const each = node as Expression;
    if (each.kind === 'variable') variables.set(each.name, (variables.get(each.name) ?? 0) + 1);
    if (each.kind === 'function') functions.add(each.name.toLowerCase());
    return undefined;
  });
  return { variables, functions };
}

const LOWERINGS: Lowerings = { expression: lowerExpression, subquery: lowerSubquery };

function environmentOf(program: Program, { bindings }: Pick<Rows, 'bindings'>): Environment {
  return { program, bindings, lowerings: LOWERINGS };
}

function lowerPart(program: Program, part: SingleQuery, outer: Rows): Projected {
  let rows = outer;
  for (const clause of part.clauses) {
    if (clause.kind === 'return') return project(environmentOf(program, rows), rows, clause.projection);
    rows = lowerClause(program, rows, clause);
  }
  throw program.refuse('a query without RETURN', part);
}

function lowerClause(program: Program, rows: Rows, clause: Exclude<Clause, { kind: 'return' }>): Rows {
  const environment = environmentOf(program, rows);
  switch (clause.kind) {
    case 'match':
      return lowerMatch(environment, rows, clause);
    case 'unwind':
      return lowerUnwind(environment, rows, clause);
    case 'with': {
      const projected = project(environment, rows, clause.projection);
      if (projected.keys.length > 0) program.isOrdered = true;
      const settled = settle(program, projected);
      if (clause.where === null) return settled;
      // After a limit, groups or DISTINCT a WHERE can only mention columns of the projection.
      const scope = projected.limits === '' ? new Map([...rows.bindings, ...settled.bindings]) : settled.bindings;
      const condition = boolean(program, lower(environmentOf(program, { bindings: scope }), clause.where), clause.where);
      const kept = [...allColumns(settled.bindings), ...(settled.order ?? []).map(({ column }) => column)];
      return {
        ...settled,
        table: program.table(`SELECT ${selectList(kept)} FROM ${settled.table} WHERE ${condition}`),
      };
    }
    case 'callSubquery':
      return lowerCall(program, rows, clause, lowerPart);
    case 'callProcedure':
    case 'loadCsv':
    case 'finish':
    case 'create':
    case 'merge':
    case 'set':
    case 'remove':
    case 'delete':
    case 'foreach':
      throw program.refuse(`the clause ${clause.kind}`, clause);
    default:
      return unreachable(clause, 'clause');
  }
}

function lowerUnwind(environment: Environment, rows: Rows, { expression, variable }: UnwindClause): Rows {
  const { program } = environment;
  const list = unwound(environment, expression);
  if (list.type.kind !== 'list') throw program.refuse(`UNWIND of ${list.type.kind}`, expression);
  const column = { name: program.fresh('u'), type: list.type.item };
  const columns = allColumns(rows.bindings);
  const { table: source, sql } = withSubqueries(program, rows, { columns, sql: typed(program, list) });
  const items = [...columns, `${program.dialect.explode(sql)} AS ${column.name}`];
  const table = program.table(`SELECT ${items.join(', ')} FROM ${source}`);
  const binding: Binding = { kind: 'scalar', column };
  return { table, bindings: new Map([...rows.bindings, [variable.name, binding]]) };
}

/** Returns a table in which a list with subqueries is a column, since Spark makes rows of no such list; or the rows and the list. */
function withSubqueries(
  program: Program,
  { table }: Rows,
  { columns, sql }: { readonly columns: readonly string[]; readonly sql: string },
): { readonly table: string | null; readonly sql: string } {
  if (!holdsSubquery(sql)) return { table, sql };
  const list = program.fresh('u');
  return { table: program.table(`SELECT ${[...columns, `${sql} AS ${list}`].join(', ')} FROM ${table}`), sql: list };
}

/** Lowers the list of an UNWIND. Where its values have no common type in SQL, the items are JSON text. */
function unwound(environment: Environment, expression: Expression): SqlExpression {
  const { program } = environment;
  const list = lower(environment, expression);
  const value = constantOf(program, expression);
  if (list.type.kind !== 'opaque' || !Array.isArray(value)) return list;
  const items = value.map((item) => (item === null ? 'NULL' : program.dialect.text(program.opaqueText(item))));
  const type: SqlType = { kind: 'list', item: OPAQUE };
  return { sql: `CAST(${program.dialect.list(items)} AS ${program.dialect.typeName(type)})`, type };
}

/** Returns where the result gets a column: the item of RETURN, or RETURN itself where a star stands for it. */
function placeOfColumn({ clauses }: SingleQuery, variable: string): Place {
  const last = clauses.at(-1)!;
  if (last.kind !== 'return') return last;
  return last.projection.items.find((item) => item.variable.name === variable)?.expression ?? last;
}

/**
 * Returns a column of the result. A node or relationship becomes a struct with the members of its JSON, where
 * properties that it does not have are null.
 */
function output(program: Program, binding: Binding, at: Place): string {
  if (binding.kind === 'path' || binding.kind === 'caller') throw program.refuse('a column of paths', at);
  if (binding.kind === 'scalar') {
    if (holdsEntities(binding.column.type)) throw program.refuse('a column of nodes or relationships out of lists', at);
    return binding.column.name;
  }
  const keys = [...binding.properties.keys()];
  if (new Set(keys.map((key) => key.toLowerCase())).size < keys.length)
    throw program.refuse('a column with properties that differ by case alone', at);
  return `CASE WHEN ${binding.ordinal} IS NOT NULL THEN ${program.dialect.struct(membersOf(program, binding))} END`;
}

function membersOf(program: Program, binding: EntityBinding): [string, string][] {
  const { kind, id, labels, ends, properties } = binding;
  const own = [...properties].map(([key, { name }]): [string, string] => [key, name]);
  const head: [string, string][] =
    kind === 'node' || ends === null
      ? [['labels', labels]]
      : [
          ['edge_type', labels],
          ['src', ends.source],
          ['dst', ends.target],
        ];
  return [['id', id], ...head, ...(own.length === 0 ? [] : [['properties', program.dialect.struct(own)] as [string, string]])];
}

function union(program: Program, bound: BoundStatement, parts: readonly Projected[]): string {
  const { body } = bound.statement;
  if (body.kind !== 'query') throw program.refuse('this statement', bound.statement);
  const types = typesOfUnion(
    program,
    parts,
    bound.columns.map(({ variable }) => variable),
    body,
  );
  const selects = parts.map(({ table, bindings, order, limits }) => {
    const items = bound.columns.map(
      ({ name, variable }, index) => `${unionColumn(program, bindings.get(variable)!, types[index]!)} AS ${program.dialect.quote(name)}`,
    );
    return `(SELECT ${items.join(', ')} FROM ${table}${limits === '' ? '' : order}${limits})`;
  });
  return selects.reduce((text, select, index) => `${text} UNION ${body.unions[index - 1] === 'all' ? 'ALL ' : ''}${select}`);
}
