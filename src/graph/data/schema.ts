/** Indexes and constraints: their definitions, as immutable sets, and their JSON form for the catalog of the manifest. */
import { GraphDBError } from '../../base/index.ts';
import { isValueType } from '../../value/index.ts';
import { INDEX_KIND_NAMES } from '../indexes/index-kinds.ts';
import type { IndexSettings, SearchIndexKindName } from '../view/index-view.ts';
import type { ConstraintDefinition, IndexDefinition, SearchIndexDefinition } from '../view/view.ts';

/** The indexes and constraints of a graph. */
export interface Schema {
  readonly indexes: readonly IndexDefinition[];
  readonly constraints: readonly ConstraintDefinition[];
}

/** A schema without indexes and constraints. */
export const EMPTY_SCHEMA: Schema = { indexes: [], constraints: [] };

const CONSTRAINT_KINDS = ['unique', 'exists', 'key', 'type'] as const;

type Definition = IndexDefinition | ConstraintDefinition;

/** Returns the labels or types of a definition; none for `lookup`, which is over all. */
export function namesIn(definition: DistributivePick<Definition, 'labelOrType' | 'labelsOrTypes'>): readonly string[] {
  if ('labelsOrTypes' in definition) return definition.labelsOrTypes;
  return definition.labelOrType === '' ? [] : [definition.labelOrType];
}

type DistributivePick<T, Key extends PropertyKey> = T extends unknown ? Pick<T, Key & keyof T> : never;

/** Tells whether two definitions have the same entity, the same labels or types, and the same keys in the same order. */
export function haveSameSubject(a: SubjectOf<Definition>, b: SubjectOf<Definition>): boolean {
  return a.entity === b.entity && areSame(namesIn(a), namesIn(b)) && areSame(a.keys, b.keys);
}

/** The fields of a definition that make up its subject. */
export type SubjectOf<T> = T extends unknown ? Pick<T, Extract<keyof T, 'entity' | 'keys' | 'labelOrType' | 'labelsOrTypes'>> : never;

const areSame = (a: readonly string[], b: readonly string[]): boolean => a.length === b.length && a.every((name, i) => name === b[i]);

function describesSame(a: Definition, b: Definition): boolean {
  return a.kind === b.kind && haveSameSubject(a, b);
}

/** Tells whether the name is taken, or there is an index of the same kind with the same subject. */
export function hasIndex(schema: Schema, definition: IndexDefinition): boolean {
  return nameIsTaken(schema, definition.name) || schema.indexes.some((index) => describesSame(index, definition));
}

/** Tells whether the name is taken, or there is a constraint of the same kind with the same subject. */
export function hasConstraint(schema: Schema, definition: ConstraintDefinition): boolean {
  return nameIsTaken(schema, definition.name) || schema.constraints.some((constraint) => describesSame(constraint, definition));
}

function nameIsTaken(schema: Schema, name: string): boolean {
  return schema.indexes.some((index) => index.name === name) || schema.constraints.some((constraint) => constraint.name === name);
}

/** Returns the schema with one more index. */
export function withIndex(schema: Schema, index: IndexDefinition): Schema {
  return { ...schema, indexes: [...schema.indexes, index] };
}

/** Returns the schema with one more constraint. */
export function withConstraint(schema: Schema, constraint: ConstraintDefinition): Schema {
  return { ...schema, constraints: [...schema.constraints, constraint] };
}

/** Returns the schema without an index. */
export function withoutIndex(schema: Schema, name: string): Schema {
  return { ...schema, indexes: schema.indexes.filter((index) => index.name !== name) };
}

/** Returns the schema without a constraint. */
export function withoutConstraint(schema: Schema, name: string): Schema {
  return { ...schema, constraints: schema.constraints.filter((constraint) => constraint.name !== name) };
}

/** Parses the JSON of an index definition in a catalog or the log. @throws CORRUPTION when it is not one */
export function parseIndex(json: unknown): IndexDefinition {
  const kind = (json as { readonly kind?: unknown } | null)?.kind;
  return kind === 'vector' || kind === 'fulltext' ? parseSearchIndex(json, kind) : parseDefinition(json, PROPERTY_KINDS);
}

const PROPERTY_KINDS = INDEX_KIND_NAMES.filter((name) => name !== 'vector' && name !== 'fulltext');

function parseSearchIndex(json: unknown, kind: SearchIndexKindName): SearchIndexDefinition {
  const { labelsOrTypes, settings, ...others } = json as Record<string, unknown>;
  if (!isNames(labelsOrTypes) || labelsOrTypes.length === 0 || !isSettings(settings)) throw unreadable();
  const { name, entity, keys } = parseDefinition({ ...others, labelOrType: labelsOrTypes[0] }, [kind]);
  return { name, entity, labelsOrTypes, keys, kind, settings };
}

const isNames = (json: unknown): json is readonly string[] =>
  Array.isArray(json) && json.every((name) => typeof name === 'string' && name !== '');

const isSettings = (json: unknown): json is IndexSettings =>
  typeof json === 'object' && json !== null && Object.values(json).every((value) => ['string', 'number', 'boolean'].includes(typeof value));

/** Parses the JSON of a constraint definition. @throws CORRUPTION when it is not one */
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
  const isNamed = typeof labelOrType === 'string' && (labelOrType !== '' || kind === 'lookup');
  if (typeof name !== 'string' || !isNamed || !isEntity || !isNames(keys) || known === undefined) {
    throw unreadable();
  }
  return { name, entity: entity as 'node' | 'relationship', labelOrType, keys, kind: known };
}

function unreadable(): GraphDBError {
  return new GraphDBError('CORRUPTION', 'the catalog holds a definition of an index or constraint that cannot be read');
}
