/**
 * Large values, whose handling in one piece would block the thread for too long: they are read, written and sent to
 * other threads in parts.
 */
import { Node, Path, Relationship, type ResultValue, type Value } from './values.ts';

/** Characters of a text, or bytes of Bytes or of a Vector, that weigh as much as one value. */
const CHARACTERS_OF_VALUE = 128;

/** The greatest weight, in values, of a value that is handled in one piece, which takes some 50 µs. */
export const LARGE_WEIGHT = 512;

/**
 * The bytes that a value read from a request is charged, about as much as values of statements: for a list or map, an
 * item, an entry, a number, and for a text besides its characters.
 */
export const CHARGED_BYTES = { container: 48, item: 8, entry: 48, number: 8, text: 24 };

/**
 * Tells whether a value weighs more than `LARGE_WEIGHT`, counting the values in lists and maps of any depth. Visits at
 * most `LARGE_WEIGHT` values.
 */
export function isLarge(value: ResultValue | Value): boolean {
  return remaining(value, LARGE_WEIGHT) < 0;
}

/** Tells whether the values of a row together weigh more than `LARGE_WEIGHT`; the columns themselves weigh nothing. */
export function isLargeRow(row: readonly ResultValue[]): boolean {
  let left = LARGE_WEIGHT;
  for (let i = 0; i < row.length && left >= 0; i++) left = remaining(row[i] as ResultValue, left);
  return left < 0;
}

/** Returns `left` minus the weight of the value; stops counting, and returns a negative number, once it weighs more. */
function remaining(value: ResultValue | Value, left: number): number {
  if (typeof value === 'string') return left - Math.floor(value.length / CHARACTERS_OF_VALUE);
  if (typeof value !== 'object' || value === null) return left;
  if (Array.isArray(value)) return remainingOf(value, left - value.length);
  if (value instanceof Map) return remainingOf(value.values(), left - value.size);
  if (value instanceof Node || value instanceof Relationship) return remaining(value.properties, left);
  if (value instanceof Path) return remainingOf(value.nodes, remainingOf(value.relationships, left - value.nodes.length));
  return ArrayBuffer.isView(value) ? left - Math.floor(value.byteLength / CHARACTERS_OF_VALUE) : left;
}

function remainingOf(values: Iterable<ResultValue | Value>, left: number): number {
  let rest = left;
  if (rest < 0) return rest;
  for (const value of values) {
    rest = remaining(value, rest);
    if (rest < 0) return rest;
  }
  return rest;
}
