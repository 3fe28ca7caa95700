/**
 * Functions on vectors: construction, distances and norms. They take Vectors and Lists of numbers. Vectors of different
 * lengths are an ARGUMENT_ERROR; the cosine with a vector of length zero is null.
 */
import type { measureFacts, vectorFacts } from '../../functions/index.ts';
import { isInRange, scaledLength } from '../../search/index.ts';
import { argumentFault, finiteVector, makeFloat, parseJson, quoted, type Value } from '../../value/index.ts';
import { type Components, compare } from '../vectors/kernel.ts';
import { wrongArgument } from './arguments.ts';
import type { Implementations } from './definition.ts';
import { components, MEASURES, measure } from './measures.ts';

function vector(list: Value): Float32Array {
  const values = components('vector', typeof list === 'string' ? listIn(list) : list);
  return finiteVector(values instanceof Float32Array ? values : Float32Array.from(values));
}

/** Parses a text such as `[1, 2.5]` as a list. @throws ARGUMENT_ERROR if it is no JSON */
function listIn(text: string): Value {
  try {
    return parseJson(text);
  } catch {
    throw argumentFault(`a vector cannot be made of ${quoted(text)}: a list of numbers stands in brackets`);
  }
}

/** Returns the bits of an integer coordinate type; null for a float type. @throws TYPE_ERROR, ARGUMENT_ERROR if there is none */
function integerBits(type: Value): number | null {
  if (typeof type !== 'string') throw wrongArgument('vector', 'the name of a type of coordinates such as FLOAT32', type);
  const parts = /^(?:(FLOAT)(?:32|64)?|INT(?:EGER)?(8|16|32|64)?)$/i.exec(type);
  if (parts === null)
    throw argumentFault(`${quoted(type)} is no type of coordinates; there are FLOAT32, FLOAT64, INTEGER8, INTEGER16, INTEGER32, INTEGER64`);
  return parts[1] === undefined ? Number(parts[2] ?? 64) : null;
}

/** Truncates coordinates to integers if the type requires it. @throws ARGUMENT_ERROR if one exceeds the range of the type */
function withCoordinates(made: Float32Array, type: Value): Float32Array {
  const bits = integerBits(type);
  if (bits === null) return made;
  const bound = 2 ** (bits - 1);
  const integers = made.map(Math.trunc);
  // The largest integer of 32 and of 64 bits is no 32-bit float: it becomes the bound.
  const isInRange = (value: number): boolean => value >= -bound && (value < bound || (value === bound && bits > 24));
  if (integers.every(isInRange)) return integers;
  throw argumentFault(`a coordinate is outside of the range of INTEGER${bits}`, 'NumberOutOfRange');
}

function vectorOf(list: Value, dimension: Value | undefined, type: Value): Value {
  const result = withCoordinates(vector(list), type);
  if (dimension === undefined || result.length === dimension) return result;
  throw argumentFault(`a vector of ${dimension} components cannot be made of ${result.length}`);
}

// ---------------------------------------------------------------- distances and norms

/** A distance of two vectors; null if it is undefined, as the cosine with a vector of length zero. */
type Distance = (one: Components, other: Components) => number | null;

function sumOf(one: Components, other: Components, term: (a: number, b: number) => number): number {
  let sum = 0;
  for (let i = 0; i < one.length; i++) sum += term(one[i]!, other[i]!);
  return sum;
}

const DISTANCES: Readonly<Record<string, Distance>> = {
  EUCLIDEAN: (one, other) => compare('distance', one, other),
  EUCLIDEAN_SQUARED: (one, other) => compare('square', one, other),
  MANHATTAN: (one, other) => sumOf(one, other, (a, b) => Math.abs(a - b)),
  COSINE: (one, other) => {
    const cosine = compare('cosine', one, other);
    return cosine === null ? null : 1 - cosine;
  },
  DOT: (one, other) => -(compare('dot', one, other) ?? 0),
  HAMMING: (one, other) => sumOf(one, other, (a, b) => Number(a !== b)),
};

const NORMS: Readonly<Record<string, (vector: Components) => number>> = {
  EUCLIDEAN: (vector) => {
    const square = sumOf(vector, vector, (a) => a * a);
    return isInRange(square) ? Math.sqrt(square) : scaledLength(vector);
  },
  MANHATTAN: (vector) => sumOf(vector, vector, (a) => Math.abs(a)),
};

function metric<T>(name: 'vector_distance' | 'vector_norm', table: Readonly<Record<string, T>>, given: Value): T {
  if (typeof given !== 'string') throw wrongArgument(name, `the name of a metric such as EUCLIDEAN`, given);
  const key = given.toUpperCase();
  if (Object.hasOwn(table, key)) return table[key]!;
  throw argumentFault(`${name}() knows no metric ${quoted(given)}; there are ${Object.keys(table).join(', ')}`);
}

function distance(vector1: Value, vector2: Value, by: Value): Value {
  const name = 'vector_distance';
  const [one, other] = [components(name, vector1), components(name, vector2)];
  if (one.length !== other.length)
    throw argumentFault(`${name}() expects two vectors of the same length, but got ${one.length} and ${other.length}`);
  const found = metric(name, DISTANCES, by)(one, other);
  return found === null ? null : makeFloat(found);
}

/** The functions on vectors. */
export const vectorFunctions: Implementations<typeof vectorFacts> = {
  vector: (_, list, dimension, type = 'FLOAT32') => vectorOf(list, dimension, type),
  vector_dimension_count: (_, value) => components('vector_dimension_count', value).length,
  vector_distance: (_, vector1, vector2, by) => distance(vector1, vector2, by),
  vector_norm: (_, value, by) => makeFloat(metric('vector_norm', NORMS, by)(components('vector_norm', value))),
};

/** The functions that compute measures, made from the table that the code generator uses as well. */
export const measureFunctions = Object.fromEntries(
  Object.values(MEASURES).map((one) => [one.name, (_: unknown, a: Value, b: Value) => measure(one, a, b)]),
) as unknown as Implementations<typeof measureFacts>; // as: MEASURES has each of these names
