/** Operators on lists, maps and strings: subscript, slice, IN, STARTS WITH, ENDS WITH and CONTAINS. */
import { equals } from './equality.ts';
import { typeFault } from './faults.ts';
import type { Truth } from './logic.ts';
import { isInteger, makeFloat } from './numbers.ts';
import { pointField } from './spatial/fields.ts';
import { Point } from './spatial/point.ts';
import { temporalField } from './temporal/fields.ts';
import { aType } from './type-name.ts';
import { CypherDuration, isTemporal, type Value } from './values.ts';

/**
 * Returns the elements of a value that is used as a list: those of a List, or the components of a Vector as Floats;
 * null for a value of another type. All code that takes lists calls this, so that a Vector is a list of Floats
 * everywhere. O(length) for a Vector.
 */
export function elementsOf(value: Value): Value[] | null {
  if (Array.isArray(value)) return value;
  return value instanceof Float32Array ? Array.from(value, makeFloat) : null;
}

/**
 * Evaluates `container[index]`: an element of a list or vector (counted from the end if negative), or the value of a
 * map's key or of a component of a temporal value or point. Null if there is none.
 *
 * @throws TYPE_ERROR for another container, and for an index of the wrong type
 */
export function subscript(container: Value, index: Value): Value {
  if (container === null) return null;
  if (Array.isArray(container)) return index === null ? null : (container[position(index, container.length)] ?? null);
  if (container instanceof Map) return mapEntry(container, index);
  if (container instanceof Float32Array) {
    const component = index === null ? undefined : container[position(index, container.length)];
    return component === undefined ? null : makeFloat(component);
  }
  if (isTemporal(container) || container instanceof CypherDuration) {
    if (index === null) return null;
    if (typeof index === 'string') return temporalField(container, index);
  }
  if (container instanceof Point) {
    if (index === null) return null;
    if (typeof index === 'string') return pointField(container, index);
  }
  throw typeFault(`${aType(container)} has no elements`);
}

/** Returns the offset of an element from the beginning, -1 if it is before the beginning or beyond 2^53. */
function position(index: Value, length: number): number {
  if (!isInteger(index)) throw typeFault(`a list is indexed with an Integer, not with ${aType(index)}`, 'ListElementAccessByNonInteger');
  if (typeof index === 'bigint') return -1;
  const offset = index < 0 ? index + length : index;
  return offset < 0 ? -1 : offset;
}

function mapEntry(map: ReadonlyMap<string, Value>, key: Value): Value {
  if (key === null) return null;
  if (typeof key !== 'string') throw typeFault(`a map is indexed with a String, not with ${aType(key)}`, 'MapElementAccessByNonString');
  return map.get(key) ?? null;
}

/** Evaluates `list[from..to]`. An absent bound is undefined; the result is null if the list or a bound is null. */
export function slice(list: Value, from: Value | undefined, to: Value | undefined): Value {
  if (list === null || from === null || to === null) return null;
  const elements = elementsOf(list);
  if (elements === null) throw typeFault(`${aType(list)} cannot be sliced`);
  return elements.slice(bound(from, 0), bound(to, elements.length));
}

/** Returns a bound for Array.slice, where a negative one counts from the end. */
function bound(value: Exclude<Value, null> | undefined, absent: number): number {
  if (value === undefined) return absent;
  if (!isInteger(value)) throw typeFault(`a list is sliced with Integers, not with ${aType(value)}`, 'ListElementAccessByNonInteger');
  return Number(value);
}

/** Evaluates `value IN list`: true if an element equals the value, null if none does but one could, else false. */
export function isIn(value: Value, list: Value): Truth {
  if (list === null) return null;
  const elements = elementsOf(list);
  if (elements === null) throw typeFault(`IN expects a List, not ${aType(list)}`);
  let result: Truth = false;
  for (const element of elements) {
    const same = equals(value, element);
    if (same === true) return true;
    if (same === null) result = null;
  }
  return result;
}

/** Evaluates STARTS WITH; null unless both operands are strings. */
export function startsWith(text: Value, prefix: Value): Truth {
  return typeof text === 'string' && typeof prefix === 'string' ? text.startsWith(prefix) : null;
}

/** Evaluates ENDS WITH; null unless both operands are strings. */
export function endsWith(text: Value, suffix: Value): Truth {
  return typeof text === 'string' && typeof suffix === 'string' ? text.endsWith(suffix) : null;
}

/** Evaluates CONTAINS; null unless both operands are strings. */
export function contains(text: Value, part: Value): Truth {
  return typeof text === 'string' && typeof part === 'string' ? text.includes(part) : null;
}
