/**
 * Equality (`=`, three-valued), equivalence (DISTINCT, grouping: total, null ≡ null, NaN ≡ NaN) and the hash keys that go with
 * equivalence. Source: CIP2016-06-14 "Comparability, equality, orderability and equivalence".
 *
 * Integers and Floats are compared exactly as mathematical numbers, beyond 2^53 too. Both relations walk lists and maps deeply: O(size).
 */
import { assert } from '../base/index.ts';
import type { Truth } from './logic.ts';
import { CypherFloat } from './numbers.ts';
import { Point } from './spatial/point.ts';
import {
  CypherDate,
  CypherDateTime,
  CypherDuration,
  CypherLocalDateTime,
  CypherLocalTime,
  CypherTime,
  isVirtual,
  Node,
  NodeValue,
  PathValue,
  type Relationship,
  RelationshipValue,
  type Value,
  type ValueMap,
} from './values.ts';

/** Evaluates `a = b`: null if the result depends on a null, false for values of different types. */
export function equals(a: Value, b: Value): Truth {
  if (a === null || b === null) return null;
  if (typeof a !== 'object') {
    if (a === b) return true;
    return typeof b === 'object' ? equalsBoxed(a, b) : numbersEqual(a, b);
  }
  if (typeof b !== 'object') return equalsBoxed(b, a);
  if (Array.isArray(a)) return Array.isArray(b) ? listsEqual(a, b) : false;
  if (a instanceof Map) return b instanceof Map ? mapsEqual(a, b) : false;
  if (a instanceof CypherFloat) return b instanceof CypherFloat && a.value === b.value;
  return sameObject(a, b);
}

/** Compares a primitive with a boxed Float; any other object is never equal to a primitive. */
function equalsBoxed(primitive: Value, boxed: object): boolean {
  // biome-ignore lint/suspicious/noDoubleEquals: the loose comparison of a number with a bigint is the exact mathematical one
  return boxed instanceof CypherFloat && isJsNumber(primitive) && primitive == boxed.value;
}

function numbersEqual(a: Value, b: Value): boolean {
  // biome-ignore lint/suspicious/noDoubleEquals: the loose comparison of a number with a bigint is the exact mathematical one
  return isJsNumber(a) && isJsNumber(b) && a == b;
}

function isJsNumber(value: Value): value is number | bigint {
  return typeof value === 'number' || typeof value === 'bigint';
}

function listsEqual(a: readonly Value[], b: readonly Value[]): Truth {
  if (a.length !== b.length) return false;
  let result: Truth = true;
  for (let i = 0; i < a.length; i++) {
    const same = equals(a[i] as Value, b[i] as Value);
    if (same === false) return false;
    if (same === null) result = null;
  }
  return result;
}

function mapsEqual(a: ValueMap, b: ValueMap): Truth {
  if (a.size !== b.size) return false;
  let result: Truth = true;
  for (const [key, left] of a) {
    const right = b.get(key);
    if (right === undefined) return false;
    const same = equals(left, right);
    if (same === false) return false;
    if (same === null) result = null;
  }
  return result;
}

/** Compares two objects that contain no nulls: temporal values, points, graph references, bytes, vectors. */
function sameObject(a: object, b: object): boolean {
  if (a instanceof NodeValue) return b instanceof NodeValue && a.ordinal === b.ordinal;
  if (a instanceof RelationshipValue) return b instanceof RelationshipValue && sameRelationship(a, b);
  if (a instanceof CypherDate) return b instanceof CypherDate && a.epochDay === b.epochDay;
  if (a instanceof CypherDateTime) return b instanceof CypherDateTime && sameDateTime(a, b);
  if (a instanceof CypherLocalDateTime) {
    return b instanceof CypherLocalDateTime && a.epochDay === b.epochDay && a.nanoOfDay === b.nanoOfDay;
  }
  if (a instanceof CypherLocalTime) return b instanceof CypherLocalTime && a.nanoOfDay === b.nanoOfDay;
  if (a instanceof CypherTime) {
    return b instanceof CypherTime && a.nanoOfDay === b.nanoOfDay && a.offsetSeconds === b.offsetSeconds;
  }
  if (a instanceof CypherDuration) return b instanceof CypherDuration && sameDuration(a, b);
  if (a instanceof Point) return b instanceof Point && samePoint(a, b);
  if (a instanceof PathValue) return b instanceof PathValue && samePath(a, b);
  if (a instanceof Uint8Array) return b instanceof Uint8Array && sameElements(a, b);
  if (a instanceof Float32Array) return b instanceof Float32Array && sameElements(a, b);
  return a === b || (isVirtual(a) && isVirtual(b) && virtualKey(a) === virtualKey(b));
}

/** Tells whether two values are the same relationship. */
export function sameRelationship(a: RelationshipValue, b: RelationshipValue): boolean {
  return a.row === b.row && a.type === b.type;
}

function sameDateTime(a: CypherDateTime, b: CypherDateTime): boolean {
  return a.epochDay === b.epochDay && a.nanoOfDay === b.nanoOfDay && a.offsetSeconds === b.offsetSeconds && a.zone === b.zone;
}

function sameDuration(a: CypherDuration, b: CypherDuration): boolean {
  return a.months === b.months && a.days === b.days && a.seconds === b.seconds && a.nanos === b.nanos;
}

function samePoint(a: Point, b: Point): boolean {
  return a.x === b.x && a.y === b.y && a.z === b.z && a.srid === b.srid;
}

function samePath(a: PathValue, b: PathValue): boolean {
  if (a.relationships.length !== b.relationships.length || a.nodes[0] !== b.nodes[0]) return false;
  for (let i = 0; i < a.relationships.length; i++) {
    if (a.nodes[i + 1] !== b.nodes[i + 1]) return false;
    if (!sameRelationship(a.relationships[i] as RelationshipValue, b.relationships[i] as RelationshipValue)) return false;
  }
  return true;
}

function sameElements(a: Uint8Array | Float32Array, b: Uint8Array | Float32Array): boolean {
  if (a.length !== b.length) return false;
  for (let i = 0; i < a.length; i++) if (a[i] !== b[i]) return false;
  return true;
}

/** Tells whether two values are equivalent: whether DISTINCT and grouping treat them as one value. */
export function equivalent(a: Value, b: Value): boolean {
  if (a === b) return true;
  if (typeof a !== 'object' && typeof b !== 'object' && typeof a !== 'number' && typeof b !== 'number') return false;
  return Object.is(hashKeyWithoutZeroSign(a), hashKeyWithoutZeroSign(b));
}

function hashKeyWithoutZeroSign(value: Value): HashKey {
  const key = hashKey(value);
  return key === 0 ? 0 : key;
}

/** A key for a JS Map or Set: two values have the same key (by SameValueZero) exactly when they are equivalent. */
export type HashKey = string | number | bigint | boolean | null;

const MARK = '\u0001';

/** Returns the hash key of a value. A scalar is its own key where possible; any other key is text that begins with a mark. O(size). */
export function hashKey(value: Value): HashKey {
  switch (typeof value) {
    case 'string':
      return value.charCodeAt(0) === 1 ? `${MARK}s${value}` : value;
    case 'number':
    case 'boolean':
      return value;
    case 'bigint':
      return integerKey(value);
    default:
      if (value === null) return null;
      return value instanceof CypherFloat ? value.value : MARK + objectKey(value);
  }
}

/** Returns one hash key for several values, such as the columns of DISTINCT or the grouping keys. O(size). */
export function hashKeyOf(values: readonly Value[]): HashKey {
  if (values.length === 1) return hashKey(values[0] as Value);
  let key = MARK;
  for (const value of values) key += elementKey(value);
  return key;
}

/** Returns the key of a bigint: the double that is exactly equal to it, if there is one. */
function integerKey(value: bigint): number | bigint {
  const rounded = Number(value);
  return BigInt(rounded) === value ? rounded : value;
}

/** Returns the key of a value inside a list, map or row. Its text says where it ends, so that keys can be concatenated. */
function elementKey(value: Value): string {
  switch (typeof value) {
    case 'string':
      return `s${value.length}:${value}`;
    case 'number':
      return `n${value};`;
    case 'bigint':
      return `n${integerKey(value)};`;
    case 'boolean':
      return value ? 't' : 'f';
    default:
      if (value === null) return '0';
      return value instanceof CypherFloat ? `n${value.value};` : objectKey(value);
  }
}

function objectKey(value: object): string {
  if (Array.isArray(value)) return listKey(value);
  if (value instanceof Map) return mapKey(value);
  if (value instanceof NodeValue) return `N${value.ordinal};`;
  if (value instanceof RelationshipValue) return relationshipKey(value);
  if (value instanceof PathValue)
    return `P${value.relationships.length}:${value.nodes.join()};${value.relationships.map(relationshipKey).join('')}`;
  if (value instanceof CypherDate) return `D${value.epochDay};`;
  if (value instanceof CypherLocalTime) return `L${value.nanoOfDay};`;
  if (value instanceof CypherTime) return `T${value.nanoOfDay},${value.offsetSeconds};`;
  if (value instanceof CypherLocalDateTime) return `C${value.epochDay},${value.nanoOfDay};`;
  if (value instanceof CypherDateTime) return `Z${value.epochDay},${value.nanoOfDay},${value.offsetSeconds},${value.zone ?? ''};`;
  if (value instanceof CypherDuration) return `U${value.months},${value.days},${value.seconds},${value.nanos};`;
  if (value instanceof Point) return `G${value.srid},${value.x},${value.y},${value.z ?? ''};`;
  if (value instanceof Uint8Array)
    return `B${value.length}:${Buffer.from(value.buffer, value.byteOffset, value.length).toString('latin1')}`;
  if (value instanceof Float32Array) return `V${value.length}:${value.join()};`;
  if (isVirtual(value)) return virtualKey(value);
  assert(value instanceof CypherFloat, 'a value of no known class');
  return `n${value.value};`;
}

/** Returns the key of a virtual entity. Procedures number theirs from -1 on, so labels or the type and the ends tell several apart. */
function virtualKey(value: Node | Relationship): string {
  if (value instanceof Node) return `X${value.ordinal},${listKey(value.labels)}`;
  return `Y${value.ordinal},${value.sourceOrdinal},${value.targetOrdinal},${elementKey(value.type)}`;
}

function listKey(list: readonly Value[]): string {
  let key = `l${list.length}:`;
  for (const element of list) key += elementKey(element);
  return key;
}

function mapKey(map: ValueMap): string {
  let key = `m${map.size}:`;
  for (const name of [...map.keys()].sort()) key += `${name.length}:${name}${elementKey(map.get(name) as Value)}`;
  return key;
}

/** Returns the key of a relationship, which in the path of an algorithm is a virtual one. */
function relationshipKey(value: RelationshipValue): string {
  return isVirtual(value) ? virtualKey(value) : `R${value.type},${value.row};`;
}
