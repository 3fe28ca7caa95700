/**
 * The variables of a statement in SQL: columns of the common table expression that is the current set of rows. Every
 * column has a name of its own in the whole text.
 */
import type { SqlType } from './types.ts';

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
  /** The number that identifies it; null where an OPTIONAL MATCH has found nothing. */
  readonly ordinal: string;
  readonly id: string;
  /** Labels of a node: a list; the type of a relationship. */
  readonly labels: string;
  /** Identifiers of the ends of a relationship; null of a node. */
  readonly ends: { readonly source: string; readonly target: string } | null;
  readonly properties: ReadonlyMap<string, Column>;
}

/** A variable in SQL. */
export type Binding = ScalarBinding | EntityBinding;

/** The variables in SQL, by name. */
export type Bindings = ReadonlyMap<string, Binding>;

/** Rows: a table and the variables in it. */
export interface Rows {
  /** Null: one row without columns. */
  readonly table: string | null;
  readonly bindings: Bindings;
}

/** Returns the columns of a variable. */
export function columnsOf(binding: Binding): string[] {
  if (binding.kind === 'scalar') return [binding.column.name];
  const ends = binding.ends === null ? [] : [binding.ends.source, binding.ends.target];
  return [binding.ordinal, binding.id, binding.labels, ...ends, ...[...binding.properties.values()].map(({ name }) => name)];
}

/** Returns the columns of all variables, each once. */
export function allColumns(bindings: Bindings): string[] {
  return [...new Set([...bindings.values()].flatMap(columnsOf))];
}
