/** The types of SQL columns as lowering knows them: every expression has exactly one, before any data is read. */
import type { Expression } from '../cypher/index.ts';

/** A kind of scalar. */
export type ScalarKind = 'integer' | 'float' | 'string' | 'boolean' | 'date';

/** A type of SQL columns. */
export type SqlType =
  | { readonly kind: ScalarKind }
  /** The type of an expression that is always null. */
  | { readonly kind: 'null' }
  | { readonly kind: 'list'; readonly item: SqlType }
  | EntityType
  | MapType
  /**
   * The type of a column that can only be passed on: its values have several types, or one without operations here, which
   * `name` then tells as the schema does.
   */
  | { readonly kind: 'opaque'; readonly name?: string };

/** The type of nodes or relationships as values: structs, as `entities.ts` makes them. */
export interface EntityType {
  readonly kind: 'entity';
  readonly of: 'node' | 'relationship';
  readonly properties: ReadonlyMap<string, SqlType>;
}

/** The type of maps with certain keys: structs, whose members have the names of the keys. */
export interface MapType {
  readonly kind: 'map';
  readonly entries: ReadonlyMap<string, SqlType>;
}

/** The type of Integers. */
export const INTEGER: SqlType = { kind: 'integer' };

/** The type of Floats. */
export const FLOAT: SqlType = { kind: 'float' };

/** The type of Strings. */
export const STRING: SqlType = { kind: 'string' };

/** The type of Booleans. */
export const BOOLEAN: SqlType = { kind: 'boolean' };

/** The type of null. */
export const NULL: SqlType = { kind: 'null' };

/** The type of values that SQL cannot compute with. */
export const OPAQUE: SqlType = { kind: 'opaque' };

/** A piece of SQL and the type of its value. */
export interface SqlExpression {
  readonly sql: string;
  readonly type: SqlType;
}

/** The type that holds values of both; null: there is none. */
export function commonType(a: SqlType, b: SqlType): SqlType | null {
  if (a.kind === 'null') return b;
  if (b.kind === 'null') return a;
  if (a.kind === 'list' && b.kind === 'list') {
    const item = commonType(a.item, b.item);
    return item === null ? null : { kind: 'list', item };
  }
  if (a.kind === 'entity' || a.kind === 'map') return isSameType(a, b) ? a : null;
  return a.kind === b.kind && a.kind !== 'opaque' ? a : null;
}

/**
 * Tells whether the values of several tables fit into one column. Of values that are only passed on the type must be known,
 * as that of lists is not.
 */
export function haveOneColumn([first, ...others]: readonly SqlType[]): boolean {
  if (first?.kind !== 'opaque') return others.every((type) => type.kind !== 'opaque' && commonType(first!, type) !== null);
  return others.every((type) => type.kind === 'opaque' && type.name === first.name && type.name !== 'List');
}

/** Tells whether two types are the same. */
export function isSameType(a: SqlType, b: SqlType): boolean {
  if (a.kind === 'list' && b.kind === 'list') return isSameType(a.item, b.item);
  if (a.kind === 'entity' && b.kind === 'entity') return a.of === b.of && haveSameTypes(a.properties, b.properties);
  if (a.kind === 'map' && b.kind === 'map') return haveSameTypes(a.entries, b.entries);
  return a.kind === b.kind;
}

function haveSameTypes(own: ReadonlyMap<string, SqlType>, others: ReadonlyMap<string, SqlType>): boolean {
  return own.size === others.size && [...own].every(([key, type]) => others.has(key) && isSameType(type, others.get(key)!));
}

/** Tells whether nodes or relationships are values of a type, or parts of its values. */
export function holdsEntities(type: SqlType): boolean {
  if (type.kind === 'map') return [...type.entries.values()].some(holdsEntities);
  return type.kind === 'list' ? holdsEntities(type.item) : type.kind === 'entity';
}

/** Tells whether Floats are values of a type, or parts of its values. */
export function holdsFloats(type: SqlType): boolean {
  if (type.kind === 'map') return [...type.entries.values()].some(holdsFloats);
  if (type.kind === 'entity') return [...type.properties.values()].some(holdsFloats);
  return type.kind === 'list' ? holdsFloats(type.item) : type.kind === 'float';
}

/** Tells whether a type is that of numbers. */
export function isNumber(type: SqlType): boolean {
  return type.kind === 'integer' || type.kind === 'float';
}

/** Returns a type as text. */
export function typeText(type: SqlType): string {
  return type.kind === 'list' ? `a list of ${typeText(type.item)}` : type.kind;
}

/** The place of a part of the statement, for errors. */
export type Place = Pick<Expression, 'span'>;
