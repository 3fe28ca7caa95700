/**
 * Values whose handling in one piece would hold up a thread that others wait for: they are read, written and sent to
 * other threads in parts.
 */
import { Node, Path, Relationship, type ResultValue, type Value } from './values.ts';

/** So many characters of a text, bytes or components of a vector weigh as much as one value. */
const CHARACTERS_OF_VALUE = 128;

/** A value that weighs more is handled in parts; one that does not takes some 50 µs. */
export const LARGE_WEIGHT = 512;

/**
 * Charges in bytes of a value that was read from a request, about as values of statements are charged: a list or map,
 * an item, an entry, a number, a text beside its characters.
 */
export const CHARGED_BYTES = { container: 48, item: 8, entry: 48, number: 8, text: 24 };

/**
 * Whether the value weighs more than `LARGE_WEIGHT` values of a few characters, in lists and maps of any depth. Looks
 * at so many values at most.
 */
export function isLarge(value: ResultValue | Value): boolean {
  return remaining(value, LARGE_WEIGHT) < 0;
}

/** Whether the values of a row, its columns not counted, weigh more than `LARGE_WEIGHT`. */
export function isLargeRow(row: readonly ResultValue[]): boolean {
  let left = LARGE_WEIGHT;
  for (let i = 0; i < row.length && left >= 0; i++) left = remaining(row[i] as ResultValue, left);
  return left < 0;
}

/** `left` without the weight of the value; negative as soon as it weighs more. */
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
