/** Lowers MATCH and OPTIONAL MATCH. */
import type { MatchClause } from '../../cypher/index.ts';
import { combinationsOf } from '../combinations.ts';
import type { Environment } from '../expressions/environment.ts';
import { mentioned } from '../expressions/mentioned.ts';
import type { Program } from '../program.ts';
import { allColumns, type Bindings, columnsOf, type Rows, selectList } from '../scope.ts';
import type { SqlExpression } from '../types.ts';
import type { Joined } from './joined.ts';
import { joinPatterns } from './patterns.ts';

/** Lowers MATCH. */
export function lowerMatch(environment: Environment, rows: Rows, clause: MatchClause): Rows {
  const joined = joinPatterns(environment, clause, rows);
  if (clause.optional) return lowerOptional(environment, rows, joined, mentioned(rows.bindings, [...clause.patterns, clause.where]));
  const { bindings, items } = namedColumns(environment.program, rows.bindings, joined.bindings);
  const columns = [...allColumns(rows.bindings), ...items];
  const table = environment.program.table(`SELECT ${selectList(columns)} FROM ${[rows.table, ...joined.from].join(', ')}${joined.where}`);
  return { table, bindings };
}

/** Joins matches to the rows; they are computed once for each combination of the variables that the pattern mentions. */
function lowerOptional({ program }: Environment, rows: Rows, joined: Joined, used: ReadonlySet<string>): Rows {
  const combinations = combinationsOf(program, rows, used);
  const before = new Set(allColumns(rows.bindings));
  const { bindings, items: foundItems } = namedColumns(program, rows.bindings, joined.bindings);
  const found = allColumns(bindings).filter((column) => !before.has(column));
  const items = [...combinations.keys, ...foundItems];
  const matches = program.table(`SELECT ${selectList(items)} FROM ${[combinations.table, ...joined.from].join(', ')}${joined.where}`);
  const table = program.table(
    `SELECT ${selectList([...before, ...found])} FROM ${rows.table} LEFT JOIN ${matches} ON ${combinations.isSame}`,
  );
  return { table, bindings };
}

/** Returns the variables that a pattern adds, with a column for each expression of its paths, and the items of the SELECT. */
function namedColumns(program: Program, before: Bindings, after: Bindings): { readonly bindings: Bindings; readonly items: string[] } {
  const known = new Set(allColumns(before));
  const bindings = new Map(after);
  const items = new Set<string>();
  for (const [name, binding] of after) {
    if (before.has(name)) continue;
    if (binding.kind !== 'path') {
      for (const column of columnsOf(binding)) if (!known.has(column)) items.add(column);
      continue;
    }
    const column = (sql: string): string => {
      const own = program.fresh('p');
      items.add(`${sql} AS ${own}`);
      return own;
    };
    const list = (value: SqlExpression | null): SqlExpression | null => (value === null ? null : { ...value, sql: column(value.sql) });
    bindings.set(name, {
      ...binding,
      length: column(binding.length),
      nodes: list(binding.nodes),
      relationships: list(binding.relationships),
    });
  }
  return { bindings, items: [...items] };
}
