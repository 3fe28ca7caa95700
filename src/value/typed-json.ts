/**
 * Reads the typed form of JSON (json.ts) from the tree that `parseJson` makes: each `{"$": <type>, "value": …}` in it
 * is replaced by the value that it stands for.
 *
 *   date, time, localtime, datetime, localdatetime, duration   ISO 8601 text
 *   bytes   base64 text          vector   list of numbers
 *   point   map of srid, x, y and, in three dimensions, z
 *   float   "NaN", "Infinity", "-Infinity"
 *   map     a map with a key `$` or `_kind` of its own, as a list of pairs
 */
import { argumentFault } from './faults.ts';
import { isLarge } from './large-values.ts';
import { CypherFloat, finiteVector, makeFloat } from './numbers.ts';
import { pointFromMap } from './spatial/construct.ts';
import { parseDuration } from './temporal/duration.ts';
import { parseTemporal } from './temporal/parse.ts';
import type { Value, ValueMap } from './values.ts';

/** The values of a large list or map that are converted between two pauses. */
const PART_VALUES = 64;

/** A check of a vector that was read: returns it, or throws. */
type VectorCheck = (vector: Float32Array) => Float32Array;

/** Converts a value. @throws ARGUMENT_ERROR for an unknown type, and for text that is not of its type */
export function fromTypedJson(value: Value): Value {
  return converted(value, finiteVector);
}

/**
 * Converts a value of a result or an export as `fromTypedJson` does, but keeps vectors with components that are not
 * finite: a graph may hold them from versions that accepted them.
 */
export function fromTypedResult(value: Value): Value {
  return converted(value, (vector) => vector);
}

function converted(value: Value, check: VectorCheck): Value {
  if (Array.isArray(value)) return value.map((item) => converted(item, check));
  if (!(value instanceof Map)) return value;
  const type = value.get('$');
  return type === undefined ? convertedMap(value, check) : untagged(type, value.get('value') ?? null, check);
}

function convertedMap(map: ValueMap, check: VectorCheck): ValueMap {
  return new Map(Array.from(map, ([key, member]) => [key, converted(member, check)]));
}

/** Converts a value as `fromTypedJson` does, in parts. */
function* fromTypedParts(value: Value): Generator<void, Value, void> {
  if (!isLarge(value)) return fromTypedJson(value);
  if (Array.isArray(value)) return yield* listInParts(value);
  if (!(value instanceof Map)) return value;
  const type = value.get('$');
  if (type === undefined) return yield* fromTypedMapInParts(value);
  return type === 'map' ? yield* pairsInParts(value.get('value') ?? null) : untagged(type, value.get('value') ?? null, finiteVector);
}

function* listInParts(list: readonly Value[]): Generator<void, Value[], void> {
  const made: Value[] = [];
  for (const item of list) {
    if (made.push(isLarge(item) ? yield* fromTypedParts(item) : fromTypedJson(item)) % PART_VALUES === 0) yield;
  }
  return made;
}

/** Converts the members of a map as `fromTypedMap` does, with a pause after every few values of a large one. */
export function* fromTypedMapInParts(map: ValueMap): Generator<void, ValueMap, void> {
  const made: ValueMap = new Map();
  for (const [key, member] of map) {
    made.set(key, isLarge(member) ? yield* fromTypedParts(member) : fromTypedJson(member));
    if (made.size % PART_VALUES === 0) yield;
  }
  return made;
}

function* pairsInParts(pairs: Value): Generator<void, ValueMap, void> {
  if (!Array.isArray(pairs)) throw argumentFault('a typed map must be a list of pairs');
  const made: ValueMap = new Map();
  let count = 0;
  for (const item of pairs) {
    const [key, member] = pairOf(item);
    made.set(key, isLarge(member) ? yield* fromTypedParts(member) : fromTypedJson(member));
    if (++count % PART_VALUES === 0) yield;
  }
  return made;
}

/** Converts the members of a map from their typed form. */
export function fromTypedMap(map: ValueMap): ValueMap {
  return convertedMap(map, finiteVector);
}

function untagged(type: Value, value: Value, check: VectorCheck): Value {
  switch (type) {
    case 'date':
    case 'time':
    case 'localtime':
    case 'datetime':
    case 'localdatetime':
      return parseTemporal(type, text(type, value));
    case 'duration':
      return parseDuration(text(type, value));
    case 'bytes':
      return bytes(text(type, value));
    case 'vector':
      return check(vector(value));
    case 'point':
      return point(value);
    case 'float':
      return makeFloat(nonFinite(text(type, value)));
    case 'map':
      return fromPairs(value, check);
    default:
      throw argumentFault(`${JSON.stringify(type)} is not a type of a typed value`);
  }
}

/** Matches Base64 if the length is a multiple of four. It has no repeated group, which would need stack for each repetition. */
const BASE64 = /^[A-Za-z0-9+/]*={0,2}$/;

/** Returns the bytes that a text in Base64 stands for; null: the text is no Base64. Padding is required. */
export function bytesOfBase64(text: string): Uint8Array | null {
  return text.length % 4 === 0 && BASE64.test(text) ? new Uint8Array(Buffer.from(text, 'base64')) : null;
}

function bytes(base64: string): Value {
  const made = bytesOfBase64(base64);
  if (made === null) throw argumentFault('typed bytes must be Base64');
  return made;
}

function point(value: Value): Value {
  const made = value instanceof Map ? pointFromMap(fromTypedMap(value)) : null;
  if (made === null) throw argumentFault('a typed point must be a map of srid, x, y and z');
  return made;
}

function fromPairs(value: Value, check: VectorCheck): ValueMap {
  if (!Array.isArray(value)) throw argumentFault('a typed map must be a list of pairs');
  return new Map(
    value.map((item): [string, Value] => {
      const [key, member] = pairOf(item);
      return [key, converted(member, check)];
    }),
  );
}

function pairOf(pair: Value): [key: string, member: Value] {
  if (!Array.isArray(pair) || pair.length !== 2 || typeof pair[0] !== 'string') throw argumentFault('a typed map must be a list of pairs');
  return [pair[0], pair[1]!];
}

function text(type: string, value: Value): string {
  if (typeof value !== 'string') throw argumentFault(`a typed ${type} must be a string`);
  return value;
}

function nonFinite(word: string): number {
  if (word === 'NaN' || word === 'Infinity' || word === '-Infinity') return Number(word);
  throw argumentFault(`${JSON.stringify(word)} is neither NaN, Infinity nor -Infinity`);
}

function vector(value: Value): Float32Array {
  if (!Array.isArray(value)) throw argumentFault('a typed vector must be a list');
  return Float32Array.from(value, (item) => {
    if (item instanceof CypherFloat) return item.value;
    if (typeof item === 'number') return item;
    const special = fromTypedJson(item);
    if (typeof special === 'number') return special;
    throw argumentFault('a typed vector must hold numbers only');
  });
}
