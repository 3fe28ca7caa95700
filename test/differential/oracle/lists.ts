/**
 * Lists, and what stands for one: a vector for the List of its components, each a Float; where a list is iterated, any other value but null
 * for the List of that value alone. Nothing here is shared with the operators of `src/value`, which the engine uses.
 */
import { equals, isInteger, makeFloat, type Truth, type Value } from '../../../src/value/index.ts';
import { fault } from './context.ts';

/** The List that a value is or, as a vector, stands for; null for any other. */
export function asList(value: Value): Value[] | null {
  if (Array.isArray(value)) return value;
  return value instanceof Float32Array ? Array.from(value, makeFloat) : null;
}

/** Returns the elements that are iterated where a value stands for a list: null for null. */
export function elementsOf(value: Value): Value[] | null {
  return value === null ? null : (asList(value) ?? [value]);
}

/** A List with a list or with one more element at its end or beginning; undefined where neither side is a list. */
export function concatenated(left: Value, right: Value): Value | undefined {
  const [first, second] = [asList(left), asList(right)];
  if (first === null && second === null) return undefined;
  if (left === null || right === null) return null;
  return [...(first ?? [left]), ...(second ?? [right])];
}

export function elementAt(list: readonly Value[], index: Value): Value {
  if (index === null) return null;
  if (!isInteger(index)) return fault('a list by something else');
  return list.at(Number(index)) ?? null;
}

/** The elements between two offsets, of which negative ones count from the end; undefined is no bound. */
export function sliced(list: Value, from: Value | undefined, to: Value | undefined): Value {
  if (list === null || from === null || to === null) return null;
  const elements = asList(list) ?? fault('a slice of something else');
  const low = offset(from, 0, elements.length);
  const high = offset(to, elements.length, elements.length);
  return elements.filter((_, i) => i >= low && i < high);
}

function offset(bound: Exclude<Value, null> | undefined, absent: number, length: number): number {
  if (bound === undefined) return absent;
  if (!isInteger(bound)) return fault('a slice by something else');
  return bound < 0 ? Number(bound) + length : Number(bound);
}

export function isMember(value: Value, list: Value): Truth {
  if (list === null) return null;
  const truths = (asList(list) ?? fault('IN of something else')).map((element) => equals(value, element));
  return truths.includes(true) ? true : truths.includes(null) ? null : false;
}
