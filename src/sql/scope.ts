/**
 * The variables of a statement in SQL: columns of the common table expression that holds the current rows. Every column
 * has a name that is unique in the whole text.
 */
import type { SortKey } from './dialect.ts';
import type { SqlExpression, SqlType } from './types.ts';

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

/** A variable in SQL. */
export type Binding = ScalarBinding | EntityBinding | PathBinding;

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
  if (binding.kind === 'path')
    return [binding.length, ...[binding.nodes, binding.relationships].flatMap((list) => (list === null ? [] : [list.sql]))];
  const ends = binding.ends === null ? [] : [binding.ends.source, binding.ends.target];
  return [binding.ordinal, binding.id, binding.labels, ...ends, ...[...binding.properties.values()].map(({ name }) => name)];
}

/** Returns the columns of all variables, each once. */
export function allColumns(bindings: Bindings): string[] {
  return [...new Set([...bindings.values()].flatMap(columnsOf))];
}
