/** Indexes and constraints: their definitions, as immutable sets, and their JSON form for the catalog of the manifest. */
import { GraphDBError } from '../../base/index.ts';
import { isValueType } from '../../value/index.ts';
import { INDEX_KIND_NAMES } from '../indexes/index-kinds.ts';
import type { ConstraintDefinition, IndexDefinition } from '../view/view.ts';

export interface Schema {
  readonly indexes: readonly IndexDefinition[];
  readonly constraints: readonly ConstraintDefinition[];
}

export const EMPTY_SCHEMA: Schema = { indexes: [], constraints: [] };

const CONSTRAINT_KINDS = ['unique', 'exists', 'key', 'type'] as const;

interface Definition {
  readonly entity: string;
  readonly labelOrType: string;
  readonly keys: readonly string[];
  readonly kind: string;
}

function describesSame(a: Definition, b: Definition): boolean {
  const sameKeys = a.keys.length === b.keys.length && a.keys.every((key, i) => key === b.keys[i]);
  return a.entity === b.entity && a.kind === b.kind && a.labelOrType === b.labelOrType && sameKeys;
}

/** Is there an index or constraint of that name, or one for the same thing? */
export function hasIndex(schema: Schema, definition: IndexDefinition): boolean {
  return nameIsTaken(schema, definition.name) || schema.indexes.some((index) => describesSame(index, definition));
}

export function hasConstraint(schema: Schema, definition: ConstraintDefinition): boolean {
  return nameIsTaken(schema, definition.name) || schema.constraints.some((constraint) => describesSame(constraint, definition));
}

function nameIsTaken(schema: Schema, name: string): boolean {
  return schema.indexes.some((index) => index.name === name) || schema.constraints.some((constraint) => constraint.name === name);
}

export function withIndex(schema: Schema, index: IndexDefinition): Schema {
  return { ...schema, indexes: [...schema.indexes, index] };
}

export function withConstraint(schema: Schema, constraint: ConstraintDefinition): Schema {
  return { ...schema, constraints: [...schema.constraints, constraint] };
}

export function withoutIndex(schema: Schema, name: string): Schema {
  return { ...schema, indexes: schema.indexes.filter((index) => index.name !== name) };
}

export function withoutConstraint(schema: Schema, name: string): Schema {
  return { ...schema, constraints: schema.constraints.filter((constraint) => constraint.name !== name) };
}

/** Reads an index definition out of a catalog or a log; anything else: CORRUPTION. */
export function parseIndex(json: unknown): IndexDefinition {
  return parseDefinition(json, INDEX_KIND_NAMES);
}

export function parseConstraint(json: unknown): ConstraintDefinition {
  const { kind, ...subject } = parseDefinition(json, CONSTRAINT_KINDS);
  if (kind !== 'type') return { ...subject, kind };
  const { propertyType } = json as { readonly propertyType?: unknown };
  if (!isValueType(propertyType)) throw unreadable();
  return { ...subject, kind, propertyType };
}

function parseDefinition<K extends string>(json: unknown, kinds: readonly K[]) {
  const { name, entity, labelOrType, keys, kind } = (json ?? {}) as Record<string, unknown>;
  const known = kinds.find((candidate) => candidate === kind);
  const isEntity = entity === 'node' || entity === 'relationship';
  const areKeys = Array.isArray(keys) && keys.every((key) => typeof key === 'string' && key !== '');
  const isNamed = typeof labelOrType === 'string' && (labelOrType !== '' || kind === 'lookup');
  if (typeof name !== 'string' || !isNamed || !isEntity || !areKeys || known === undefined) {
    throw unreadable();
  }
  return { name, entity: entity as 'node' | 'relationship', labelOrType, keys: keys as string[], kind: known };
}

function unreadable(): GraphDBError {
  return new GraphDBError('CORRUPTION', 'the catalog holds a definition of an index or constraint that cannot be read');
}
