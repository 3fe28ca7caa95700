/**
 * Vectors and their distances. Every function takes Vectors and Lists of numbers, and answers with a Float; vectors of different lengths
 * are an ARGUMENT_ERROR. Cosine with a vector of length zero has no answer: null.
 */
import { argumentFault, isNumber, makeFloat, toNumber, type Value } from '../../value/index.ts';
import { wrongArgument } from './arguments.ts';
import { define, optional, parameter } from './define.ts';
import type { FunctionDefinition } from './definition.ts';

type Components = ArrayLike<number>;

function components(name: string, value: Value): Components {
  if (value instanceof Float32Array) return value;
  if (!Array.isArray(value)) throw wrongArgument(name, 'a Vector or a List of numbers', value);
  return value.map((element) => {
    if (!isNumber(element)) throw wrongArgument(name, 'a Vector or a List of numbers, but the list holds something that is', element);
    return toNumber(element);
  });
}

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

function dotProduct(a: Components, b: Components): number {
  let sum = 0;
  for (let i = 0; i < a.length; i++) sum += (a[i] as number) * (b[i] as number);
  return sum;
}

function squaredDistance(a: Components, b: Components): number {
  let sum = 0;
  for (let i = 0; i < a.length; i++) {
    const difference = (a[i] as number) - (b[i] as number);
    sum += difference * difference;
  }
  return sum;
}

function cosine(a: Components, b: Components): number | null {
  const norms = Math.sqrt(dotProduct(a, a) * dotProduct(b, b));
  return norms === 0 ? null : Math.max(-1, Math.min(1, dotProduct(a, b) / norms));
}

function measure(name: string, description: string, compute: (a: Components, b: Components) => number | null): FunctionDefinition {
  return define({
    name,
    parameters: [parameter('a', 'Vector', 'List'), parameter('b', 'Vector', 'List')],
    returns: 'Float',
    category: 'Vector',
    description,
    evaluate: (_, a, b) => {
      const left = components(name, a);
      const right = components(name, b);
      if (left.length !== right.length) throw argumentFault(`${name}() got vectors of ${left.length} and ${right.length} components`);
      const result = compute(left, right);
      return result === null ? null : makeFloat(result);
    },
  });
}

/** Onto 0 … 1, as Neo4j answers it. */
function normalisedCosine(a: Components, b: Components): number | null {
  const similarity = cosine(a, b);
  return similarity === null ? null : (1 + similarity) / 2;
}

export const vectorFunctions: readonly FunctionDefinition[] = [
  define({
    name: 'vector',
    parameters: [parameter('list', 'List', 'Vector'), optional('dimension', 'Integer')],
    returns: 'Vector',
    category: 'Vector',
    description: 'A vector of 32-bit floats from a list of numbers; with a second argument: of as many as it says.',
    evaluate: (_, list, dimension) => vectorOf(list, dimension),
  }),
  define({
    name: 'vector_dimension_count',
    parameters: [parameter('vector', 'Vector', 'List')],
    returns: 'Integer',
    category: 'Vector',
    description: 'The number of components.',
    evaluate: (_, value) => components('vector_dimension_count', value).length,
  }),
  measure('cosine_similarity', 'The cosine of the angle between two vectors, -1 to 1.', cosine),
  measure('dot_product', 'The dot product of two vectors.', dotProduct),
  measure('euclidean_distance', 'The Euclidean distance of two vectors.', (a, b) => Math.sqrt(squaredDistance(a, b))),
  measure('vector.similarity.cosine', 'The cosine similarity of two vectors on the scale 0 to 1: (1 + cosine) / 2.', normalisedCosine),
  measure(
    'vector.similarity.euclidean',
    'The Euclidean similarity of two vectors on the scale 0 to 1: 1 / (1 + distance²).',
    (a, b) => 1 / (1 + squaredDistance(a, b)),
  ),
];
