/**
 * Lowers CALL { … }: the subquery is computed for each combination of the variables that it reads from outside, for all
 * of them at once, and joined to the rows that have the combination. So it needs no LATERAL, which dialects have in part.
 */
import { unreachable } from '../base/index.ts';
import type { CallSubqueryClause, SingleQuery } from '../cypher/index.ts';
import { combinationsOf } from './combinations.ts';
import { mentioned } from './expressions/mentioned.ts';
import type { Program } from './program.ts';
import { type Projected, settle } from './projections.ts';
import { allColumns, type Binding, type Column, callerOf, type Rows, selectList } from './scope.ts';
import type { SqlExpression } from './types.ts';
import { typesOfUnion, unionColumn } from './unions.ts';

/** Lowers a part of a query over rows. */
type PartLowering = (program: Program, part: SingleQuery, rows: Rows) => Projected;

/** Lowers a CALL subquery. */
export function lowerCall(program: Program, rows: Rows, clause: CallSubqueryClause, lowerPart: PartLowering): Rows {
  if (clause.inTransactions !== null) throw program.refuse('a subquery in transactions', clause);
  const used = mentioned(rows.bindings, [clause.query]);
  const combinations = combinationsOf(program, rows, used);
  const { keys } = combinations;
  const bindings = new Map([...rows.bindings].filter(([name]) => used.has(name)));
  if (keys.length > 0) bindings.set(program.fresh('#'), { kind: 'caller', table: combinations.table, columns: keys });
  const outer: Rows = { table: keys.length > 0 ? combinations.table : program.table('SELECT 1 AS unit'), bindings };
  const parts = clause.query.parts.map((part) => lowerPart(program, part, outer));
  if (parts.some(({ keys: order }) => order.length > 0)) program.isOrdered = true;
  const found = parts.length === 1 ? single(program, keys, parts[0]!) : union(program, keys, parts, clause);
  const join = `${clause.optional ? 'LEFT' : 'INNER'} JOIN ${found.table} ON ${combinations.isSame}`;
  const columns = selectList([...allColumns(rows.bindings), ...allColumns(found.bindings)]);
  return {
    table: program.table(`SELECT ${columns} FROM ${rows.table} ${join}`),
    bindings: new Map([...rows.bindings, ...found.bindings]),
  };
}

interface Found {
  readonly table: string;
  readonly bindings: Map<string, Binding>;
}

/** Returns the rows of a subquery of one part, in columns that the rows around it do not have. */
function single(program: Program, keys: readonly string[], projected: Projected): Found {
  const settled = settle(program, projected);
  const caller = callerOf(settled.bindings)?.[0];
  const bindings = new Map<string, Binding>();
  const items: string[] = [];
  const renamed = (sql: string): string => {
    const name = program.fresh('s');
    items.push(`${sql} AS ${name}`);
    return name;
  };
  for (const [name, binding] of settled.bindings) if (name !== caller) bindings.set(name, withColumns(binding, renamed));
  return { table: program.table(`SELECT ${selectList([...keys, ...items])} FROM ${settled.table}`), bindings };
}

/** Returns a variable in other columns. */
function withColumns(binding: Binding, column: (sql: string) => string): Binding {
  const own = ({ name, type }: Column): Column => ({ name: column(name), type });
  const list = (value: SqlExpression | null): SqlExpression | null =>
    value === null ? null : { sql: column(value.sql), type: value.type };
  switch (binding.kind) {
    case 'scalar':
      return { kind: 'scalar', column: own(binding.column) };
    case 'path':
      return { kind: 'path', length: column(binding.length), nodes: list(binding.nodes), relationships: list(binding.relationships) };
    case 'caller':
      return { ...binding, columns: binding.columns.map(column) };
    case 'node':
    case 'relationship': {
      const { kind, ordinal, id, labels, ends, properties } = binding;
      return {
        kind,
        ordinal: column(ordinal),
        id: column(id),
        labels: column(labels),
        ends: ends === null ? null : { source: column(ends.source), target: column(ends.target) },
        properties: new Map([...properties].map(([key, each]) => [key, own(each)])),
      };
    }
    default:
      return unreachable(binding, 'binding');
  }
}

function union(program: Program, keys: readonly string[], parts: readonly Projected[], { query }: CallSubqueryClause): Found {
  const caller = callerOf(parts[0]!.bindings)?.[0];
  const variables = [...parts[0]!.bindings.keys()].filter((name) => name !== caller);
  const types = typesOfUnion(program, parts, variables, query);
  const columns = variables.map((_, index): Column => ({ name: program.fresh('s'), type: types[index]! }));
  const selects = parts.map((part) => {
    const { table, bindings } = settle(program, part);
    const items = variables.map((name, index) => `${unionColumn(program, bindings.get(name)!, types[index]!)} AS ${columns[index]!.name}`);
    return `SELECT ${selectList([...keys, ...items])} FROM ${table}`;
  });
  return {
    table: program.table(
      selects.reduce((text, select, index) => `${text} UNION ${query.unions[index - 1] === 'all' ? 'ALL ' : ''}${select}`),
    ),
    bindings: new Map(variables.map((name, index) => [name, { kind: 'scalar', column: columns[index]! }])),
  };
}
