/**
 * Rows of which each is there once, and groups by keys. Keys of groups of Spark have 0.0 for -0.0, so there a key with
 * Floats is read from a row of the group.
 */
import type { Program } from './program.ts';
import type { Binding } from './scope.ts';
import { holdsFloats, type SqlType } from './types.ts';

/** Returns a SELECT of some columns of variables in which each row is there once. @param more further items, which hold no Floats */
export function selectDistinct(
  program: Program,
  {
    table,
    bindings,
    columns,
  }: { readonly table: string | null; readonly bindings: Iterable<Binding>; readonly columns: readonly string[] },
  more: readonly { readonly sql: string; readonly name: string }[] = [],
): string {
  const keys = keyItems(program, bindings, columns);
  const items = [...keys, ...more.map(({ sql, name }) => `${sql} AS ${name}`)];
  if (items.length === 0) return `SELECT DISTINCT 1 AS unit FROM ${table}`;
  if (keys.every((item, index) => item === columns[index])) return `SELECT DISTINCT ${items.join(', ')} FROM ${table}`;
  return `SELECT ${items.join(', ')} FROM ${table} GROUP BY ${[...columns, ...more.map(({ sql }) => sql)].join(', ')}`;
}

/** Returns the items of a SELECT that groups by some columns of variables: the values of the columns. */
export function keyItems({ dialect }: Program, bindings: Iterable<Binding>, columns: readonly string[]): string[] {
  if (dialect.name !== 'spark') return [...columns];
  const withFloats = new Set([...bindings].flatMap(typedColumns).flatMap(({ name, type }) => (holdsFloats(type) ? [name] : [])));
  return columns.map((column) => (withFloats.has(column) ? `first(${column}) AS ${column}` : column));
}

/** Returns the columns of a variable that may hold Floats. */
function typedColumns(binding: Binding): { readonly name: string; readonly type: SqlType }[] {
  if (binding.kind === 'scalar') return [binding.column];
  if (binding.kind === 'caller') return [];
  if (binding.kind !== 'path') return [...binding.properties.values()];
  return [binding.nodes, binding.relationships].flatMap((list) => (list === null ? [] : [{ name: list.sql, type: list.type }]));
}
