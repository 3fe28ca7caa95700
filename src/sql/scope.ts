/**
 * The variables of a statement in SQL: columns of the common table expression that holds the current rows. Every column
 * has a name that is unique in the whole text.
 */
import type { SortKey } from './dialect.ts';
import { holdsFloats, type SqlExpression, type SqlType, STRING } from './types.ts';

/** A column of SQL. */
export interface Column {
  readonly name: string;
  readonly type: SqlType;
}

/** A variable that is a scalar. */
export interface ScalarBinding {
  readonly kind: 'scalar';
  readonly column: Column;
}

/** A variable that is a node or relationship. */
export interface EntityBinding {
  readonly kind: 'node' | 'relationship';
  /** The column with the ordinal of the entity; null where an OPTIONAL MATCH has found nothing. */
  readonly ordinal: string;
  readonly id: string;
  /** The column with the list of labels of a node, or with the type of a relationship. */
  readonly labels: string;
  /** The columns with the identifiers of a relationship's ends; null for a node. */
  readonly ends: { readonly source: string; readonly target: string } | null;
  readonly properties: ReadonlyMap<string, Column>;
}

/** A variable that is a path. Each member is a column, or within the pattern itself an expression. */
export interface PathBinding {
  readonly kind: 'path';
  /** The number of its relationships; null where an OPTIONAL MATCH has found nothing. */
  readonly length: string;
  /** Its nodes, from its start to its end; null: the statement does not read them. Likewise relationships. */
  readonly nodes: SqlExpression | null;
  readonly relationships: SqlExpression | null;
}

/**
 * The rows that a CALL subquery is computed for, all at once: what it groups, deduplicates, orders and limits, it does for
 * each combination of these columns. No expression mentions it, and every projection passes it on.
 */
export interface CallerBinding {
  readonly kind: 'caller';
  /** The table of the combinations, each once. */
  readonly table: string;
  readonly columns: readonly string[];
}

/** A variable in SQL. */
export type Binding = ScalarBinding | EntityBinding | PathBinding | CallerBinding;

/** The variables in SQL, by name. */
export type Bindings = ReadonlyMap<string, Binding>;

/** The current rows: a table, and the variables in it. */
export interface Rows {
  /** The name of the table; null: one row without columns. */
  readonly table: string | null;
  readonly bindings: Bindings;
  /** The order that the clause before has put the rows in, by columns of the table; absent: none, or no longer known. */
  readonly order?: readonly SortKey[];
}

/** Returns the columns of a variable. */
export function columnsOf(binding: Binding): string[] {
  if (binding.kind === 'scalar') return [binding.column.name];
  if (binding.kind === 'caller') return [...binding.columns];
  if (binding.kind === 'path')
    return [binding.length, ...[binding.nodes, binding.relationships].flatMap((list) => (list === null ? [] : [list.sql]))];
  const ends = binding.ends === null ? [] : [binding.ends.source, binding.ends.target];
  return [binding.ordinal, binding.id, binding.labels, ...ends, ...[...binding.properties.values()].map(({ name }) => name)];
}

/** Returns the name and the binding of the rows that a CALL subquery is computed for; null: the rows are not within one. */
export function callerOf(bindings: Bindings): readonly [string, CallerBinding] | null {
  for (const [name, binding] of bindings) if (binding.kind === 'caller') return [name, binding];
  return null;
}

/**
 * Returns expressions that tell the values of a variable apart. Floats are told apart by their texts, as 0.0 and -0.0 are
 * equal.
 */
export function keysOf(binding: Binding, typeName: (type: SqlType) => string): string[] {
  if (binding.kind === 'node' || binding.kind === 'relationship') return [binding.ordinal];
  if (binding.kind !== 'scalar' || !holdsFloats(binding.column.type)) return columnsOf(binding);
  return [binding.column.name, `CAST(${binding.column.name} AS ${typeName(STRING)})`];
}

/** Returns the columns of all variables, each once. */
export function allColumns(bindings: Bindings): string[] {
  return [...new Set([...bindings.values()].flatMap(columnsOf))];
}

/** Returns the items of a SELECT, which cannot be empty. */
export function selectList(columns: readonly string[]): string {
  return columns.length === 0 ? '1 AS unit' : columns.join(', ');
}
