/**
 * Vectors and their distances. Every function takes Vectors and Lists of numbers, and answers with a Float; vectors of different lengths
 * are an ARGUMENT_ERROR. Cosine with a vector of length zero has no answer: null.
 */
import { argumentFault, type Value } from '../../value/index.ts';
import { components, MEASURES, type Measure, measure } from '../vectors/measures.ts';
import { define, optional, parameter } from './define.ts';
import type { FunctionDefinition } from './definition.ts';

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

function definitionOf(one: Measure): FunctionDefinition {
  return define({
    name: one.name,
    parameters: [parameter('a', 'Vector', 'List'), parameter('b', 'Vector', 'List')],
    returns: 'Float',
    category: 'Vector',
    description: one.description,
    evaluate: (_, a, b) => measure(one, a, b),
  });
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
  ...MEASURES.map(definitionOf),
];
