/** What is known of the type of an expression before any data is seen. Every type admits null. */

import { unreachable } from '../../base/index.ts';
import { CypherFloat } from '../../value/index.ts';
import type { Expression, Literal, VariableType } from '../ast.ts';

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

export interface Type {
  readonly kind: TypeKind;
  /** Of a list. */
  readonly element: Type | null;
}

const simple = (kind: TypeKind): Type => ({ kind, element: null });

export const ANY = simple('any');
export const NULL = simple('null');
export const BOOLEAN = simple('boolean');
export const INTEGER = simple('integer');
export const FLOAT = simple('float');
export const NUMBER = simple('number');
export const STRING = simple('string');
export const MAP = simple('map');
export const NODE = simple('node');
export const RELATIONSHIP = simple('relationship');
export const PATH = simple('path');

export function listOf(element: Type): Type {
  return { kind: 'list', element };
}

export const LIST = listOf(ANY);

/** The type of what may be either. */
export function join(a: Type, b: Type): Type {
  if (a.kind === 'null') return b;
  if (b.kind === 'null') return a;
  if (a.kind === 'list' && b.kind === 'list') return listOf(join(a.element!, b.element!));
  if (a.kind === b.kind) return a;
  return isNumeric(a) && isNumeric(b) ? NUMBER : ANY;
}

export function isNumeric(type: Type): boolean {
  return type.kind === 'integer' || type.kind === 'float' || type.kind === 'number';
}

/** Can a value of this type be of one of the kinds? `number` stands for both of its kinds. */
export function canBe(type: Type, ...kinds: readonly TypeKind[]): boolean {
  if (type.kind === 'any' || type.kind === 'null' || kinds.includes(type.kind)) return true;
  if (type.kind === 'number') return kinds.includes('integer') || kinds.includes('float');
  return kinds.includes('number') && isNumeric(type);
}

/** The type of what a list comprehension, UNWIND and their like go through: a value that is no list is the only element of one. */
export function iterated(type: Type): Type {
  return type.kind === 'list' ? type.element! : type;
}

/** The type of the elements of a list; ANY where unknown. */
export function elementOf(type: Type): Type {
  return type.kind === 'list' ? type.element! : type.kind === 'null' ? NULL : ANY;
}

export function typeOfLiteral(literal: Literal): Type {
  const { value } = literal;
  if (value === null) return NULL;
  if (typeof value === 'boolean') return BOOLEAN;
  if (typeof value === 'string') return STRING;
  if (typeof value === 'bigint' || Number.isSafeInteger(value)) return INTEGER;
  return typeof value === 'number' || value instanceof CypherFloat ? FLOAT : ANY;
}

/** How people call it. */
export function typeName(type: Type): string {
  if (type.kind === 'list') return type.element!.kind === 'any' ? 'a List' : `a List of ${type.element!.kind}s`;
  const name = type.kind[0]!.toUpperCase() + type.kind.slice(1);
  return /^[AI]/.test(name) ? `an ${name}` : `a ${name}`;
}

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
