/**
 * Vectors and their distances. Every function takes Vectors and Lists of numbers, and answers with a Float; vectors of different lengths
 * are an ARGUMENT_ERROR. Cosine with a vector of length zero has no answer: null.
 */
import type { measureFacts, vectorFacts } from '../../functions/index.ts';
import { argumentFault, type Value } from '../../value/index.ts';
import type { Implementations } from './definition.ts';
import { components, MEASURES, measure } from './measures.ts';

function vector(list: Value): Float32Array {
  const values = components('vector', list);
  const result = values instanceof Float32Array ? values : Float32Array.from(values);
  if (!result.every(Number.isFinite)) throw argumentFault('a vector holds finite numbers of 32 bits only', 'NumberOutOfRange');
  return result;
}

function vectorOf(list: Value, dimension: Value | undefined): Value {
  const result = vector(list);
  if (dimension === undefined || result.length === dimension) return result;
  throw argumentFault(`a vector of ${dimension} components cannot be made of ${result.length}`);
}

export const vectorFunctions: Implementations<typeof vectorFacts> = {
  vector: (_, list, dimension) => vectorOf(list, dimension),
  vector_dimension_count: (_, value) => components('vector_dimension_count', value).length,
};

/** Made of the table of measures, which the code generator asks too. */
export const measureFunctions = Object.fromEntries(
  Object.values(MEASURES).map((one) => [one.name, (_: unknown, a: Value, b: Value) => measure(one, a, b)]),
) as unknown as Implementations<typeof measureFacts>; // as: MEASURES has each of these names
