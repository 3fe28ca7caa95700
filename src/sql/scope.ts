/** What the variables of a statement are in SQL: columns of the common table expression that is the current set of rows. Every column has a name of its own in the whole text. */
import type { SqlType } from './types.ts';

export interface Column {
  readonly name: string;
  readonly type: SqlType;
}

export interface ScalarBinding {
  readonly kind: 'scalar';
  readonly column: Column;
}

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

export type Binding = ScalarBinding | EntityBinding;

export type Bindings = ReadonlyMap<string, Binding>;

/** Rows: a table and the variables in it. */
export interface Rows {
  /** Null: one row without columns. */
  readonly table: string | null;
  readonly bindings: Bindings;
}

export function columnsOf(binding: Binding): string[] {
  if (binding.kind === 'scalar') return [binding.column.name];
  const ends = binding.ends === null ? [] : [binding.ends.source, binding.ends.target];
  return [binding.ordinal, binding.id, binding.labels, ...ends, ...[...binding.properties.values()].map(({ name }) => name)];
}

export function allColumns(bindings: Bindings): string[] {
  return [...new Set([...bindings.values()].flatMap(columnsOf))];
}
