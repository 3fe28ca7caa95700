/**
 * A second Cypher engine, as naive as possible: it walks the tree of the parser clause by clause, over a table of rows and a model graph.
 * It knows the part of the language that the generators write, and throws `Unknown` for the rest. Nothing here is shared with `src/plan`
 * and `src/exec`; the parser and the value layer are trusted.
 */
import type { Clause, Query, SingleQuery } from '../../../src/cypher/index.ts';
import { parse } from '../../../src/cypher/index.ts';
import { hashKeyOf, type Value } from '../../../src/value/index.ts';
import { type Context, extend, type Row, Unknown } from './context.ts';
import { evaluate } from './expressions.ts';
import { elementsOf } from './lists.ts';
import type { ModelGraph } from './model.ts';
import { matchPatterns } from './patterns.ts';
import { type Projected, passes, project, rowsOf } from './projection.ts';
import { checkEnds, create, deleteAll, merge, remove, set } from './updates.ts';

const MOST_STEPS = 200_000;
const MOST_ROWS = 5_000;

/** Runs a statement on the graph, which it changes; a statement that fails leaves half of its work behind, so give it a copy. */
export function runOracle(text: string, graph: ModelGraph, parameters: ReadonlyMap<string, Value> = new Map()): Projected {
  const { body } = parse(text);
  if (body.kind !== 'query') throw new Unknown('a command');
  const context: Context = {
    graph,
    parameters,
    budget: { steps: MOST_STEPS },
    runQuery: (query, row) => rowsOf(runQuery(query, row, context)),
  };
  const projected = runQuery(body, new Map(), context);
  checkEnds(context);
  return projected.columns.length === 0 ? { ...projected, ties: [] } : projected;
}

function runQuery(query: Query, row: Row, context: Context): Projected {
  const parts = query.parts.map((part) => runSingle(part, row, context));
  if (parts.length === 1) return parts[0]!;
  const { columns } = parts[0]!;
  let rows = rowsOf(parts[0]!);
  for (const [i, union] of query.unions.entries()) {
    rows = [...rows, ...rowsOf(parts[i + 1]!)];
    if (union === 'distinct') rows = distinctRows(rows, columns);
  }
  return { columns, ties: [rows], skip: 0, limit: Number.POSITIVE_INFINITY, ordered: false };
}

function distinctRows(rows: readonly Row[], columns: readonly string[]): Row[] {
  return [...new Map(rows.map((row) => [hashKeyOf(columns.map((name) => row.get(name)!)), row])).values()];
}

function runSingle({ clauses }: SingleQuery, row: Row, context: Context): Projected {
  let rows: Row[] = [row];
  for (const clause of clauses) {
    if (clause.kind === 'return') return project(clause.projection, rows, context);
    rows = runClause(clause, rows, context);
    if (rows.length > MOST_ROWS) throw new Unknown('too many rows');
  }
  // Without RETURN: a subquery that is only asked how many rows it has, or an update.
  return { columns: [], ties: [rows], skip: 0, limit: Number.POSITIVE_INFINITY, ordered: false };
}

function runClause(clause: Clause, rows: Row[], context: Context): Row[] {
  switch (clause.kind) {
    case 'match':
      return rows.flatMap((row) => match(clause, row, context));
    case 'unwind':
      return rows.flatMap((row) => unwind(clause, row, context));
    case 'with':
      return rowsOf(project(clause.projection, rows, context)).filter((row) => passes(clause.where, row, context));
    case 'create':
      return rows.map((row) => create(clause.patterns, row, context));
    case 'merge':
      return rows.flatMap((row) => merge(clause, row, context));
    case 'set':
      for (const row of rows) for (const item of clause.items) set(item, row, context);
      return rows;
    case 'remove':
      for (const row of rows) remove(clause, row, context);
      return rows;
    case 'delete':
      deleteAll(clause, rows, context);
      return rows;
    case 'foreach':
      for (const row of rows) foreach(clause, row, context);
      return rows;
    case 'callSubquery':
      return rows.flatMap((row) => callSubquery(clause, row, context));
    default:
      throw new Unknown(`the clause ${clause.kind}`);
  }
}

function match(clause: Extract<Clause, { kind: 'match' }>, row: Row, context: Context): Row[] {
  const found = matchPatterns(clause.patterns, row, context).filter((each) => passes(clause.where, each, context));
  if (found.length > 0 || !clause.optional) return found;
  return [new Map([...patternVariables(clause).map((name) => [name, null] as const), ...row])];
}

function patternVariables({ patterns }: Extract<Clause, { kind: 'match' }>): string[] {
  return patterns.flatMap(({ variable, elements }) =>
    [variable, ...elements.map((element) => (element.kind === 'quantifiedPattern' ? null : element.variable))].flatMap((each) =>
      each === null ? [] : each.name,
    ),
  );
}

function unwind({ expression, variable }: Extract<Clause, { kind: 'unwind' }>, row: Row, context: Context): Row[] {
  return (elementsOf(evaluate(expression, row, context)) ?? []).map((item) => extend(row, variable.name, item));
}

function foreach({ list, variable, clauses }: Extract<Clause, { kind: 'foreach' }>, row: Row, context: Context): void {
  for (const item of elementsOf(evaluate(list, row, context)) ?? []) {
    let rows: Row[] = [extend(row, variable.name, item)];
    for (const clause of clauses) rows = runClause(clause, rows, context);
  }
}

function callSubquery(clause: Extract<Clause, { kind: 'callSubquery' }>, row: Row, context: Context): Row[] {
  if (clause.imports === null || clause.imports === '*' || clause.inTransactions !== null) throw new Unknown('CALL of this form');
  const imported = new Map(clause.imports.map(({ name }) => [name, row.get(name)!]));
  const { columns, ...projected } = runQuery(clause.query, imported, context);
  const rows = rowsOf({ columns, ...projected });
  if (columns.length === 0) return [row];
  const joined = rows.map((inner) => new Map([...row, ...columns.map((name) => [name, inner.get(name)!] as const)]));
  return joined.length === 0 && clause.optional ? [new Map([...row, ...columns.map((name) => [name, null] as const)])] : joined;
}
