/** Static types of expressions, before any data is seen. Every type admits null. */

import { unreachable } from '../../base/index.ts';
import { CypherFloat } from '../../value/index.ts';
import type { Expression, Literal, VariableType } from '../ast.ts';

/** A kind of type. */
export type TypeKind =
  | 'any'
  | 'null'
  | 'boolean'
  | 'integer'
  | 'float'
  | 'number'
  | 'string'
  | 'list'
  | 'map'
  | 'node'
  | 'relationship'
  | 'path';

/** The static type of an expression. */
export interface Type {
  readonly kind: TypeKind;
  /** The type of the elements of a list; null for other kinds. */
  readonly element: Type | null;
}

const simple = (kind: TypeKind): Type => ({ kind, element: null });

/** The type of any value. */
export const ANY = simple('any');

/** The type of null. */
export const NULL = simple('null');

/** The type of Booleans. */
export const BOOLEAN = simple('boolean');

/** The type of Integers. */
export const INTEGER = simple('integer');

/** The type of Floats. */
export const FLOAT = simple('float');

/** The type of Integers and Floats. */
export const NUMBER = simple('number');

/** The type of Strings. */
export const STRING = simple('string');

/** The type of maps. */
export const MAP = simple('map');

/** The type of nodes. */
export const NODE = simple('node');

/** The type of relationships. */
export const RELATIONSHIP = simple('relationship');

/** The type of paths. */
export const PATH = simple('path');

/** Returns the type of lists of elements of a type. */
export function listOf(element: Type): Type {
  return { kind: 'list', element };
}

/** The type of lists of any values. */
export const LIST = listOf(ANY);

/** Returns the type of values that may be of either type. */
export function join(a: Type, b: Type): Type {
  if (a.kind === 'null') return b;
  if (b.kind === 'null') return a;
  if (a.kind === 'list' && b.kind === 'list') return listOf(join(a.element!, b.element!));
  if (a.kind === b.kind) return a;
  return isNumeric(a) && isNumeric(b) ? NUMBER : ANY;
}

/** Tells whether all values of a type are numbers. */
export function isNumeric(type: Type): boolean {
  return type.kind === 'integer' || type.kind === 'float' || type.kind === 'number';
}

/** Tells whether a value of this type can be of one of the kinds; `number` stands for Integer and Float. */
export function canBe(type: Type, ...kinds: readonly TypeKind[]): boolean {
  if (type.kind === 'any' || type.kind === 'null' || kinds.includes(type.kind)) return true;
  if (type.kind === 'number') return kinds.includes('integer') || kinds.includes('float');
  return kinds.includes('number') && isNumeric(type);
}

/** Returns the type of the elements that UNWIND or a comprehension iterates over; a value that is no list is its only element. */
export function iterated(type: Type): Type {
  return type.kind === 'list' ? type.element! : type;
}

/** Returns the type of the elements of a list; ANY where unknown. */
export function elementOf(type: Type): Type {
  return type.kind === 'list' ? type.element! : type.kind === 'null' ? NULL : ANY;
}

/** Returns the type of a literal. */
export function typeOfLiteral(literal: Literal): Type {
  const { value } = literal;
  if (value === null) return NULL;
  if (typeof value === 'boolean') return BOOLEAN;
  if (typeof value === 'string') return STRING;
  if (typeof value === 'bigint' || Number.isSafeInteger(value)) return INTEGER;
  return typeof value === 'number' || value instanceof CypherFloat ? FLOAT : ANY;
}

/** Returns the name of a type for messages. */
export function typeName(type: Type): string {
  if (type.kind === 'list') return type.element!.kind === 'any' ? 'a List' : `a List of ${type.element!.kind}s`;
  const name = type.kind[0]!.toUpperCase() + type.kind.slice(1);
  return /^[AI]/.test(name) ? `an ${name}` : `a ${name}`;
}

/** Returns the type of a variable for the planner. */
export function variableType(type: Type): VariableType {
  switch (type.kind) {
    case 'null':
    case 'number':
      return 'any';
    case 'list':
      return type.element!.kind === 'node' ? 'nodeList' : type.element!.kind === 'relationship' ? 'relationshipList' : 'list';
    case 'any':
    case 'boolean':
    case 'integer':
    case 'float':
    case 'string':
    case 'map':
    case 'node':
    case 'relationship':
    case 'path':
      return type.kind;
    default:
      return unreachable(type.kind, 'type');
  }
}

/** An expression of the bound tree with its type. */
export interface Typed<E extends Expression = Expression> {
  readonly expression: E;
  readonly type: Type;
}
