/** Facts of functions on vectors, which may be Vectors or Lists of numbers. */
import type { FunctionTable } from './facts.ts';
import { checkedWhenCalled, optional, PURE, parameter } from './parameters.ts';

/** The facts of functions on vectors. */
export const vectorFacts = {
  vector: {
    ...PURE,
    parameters: [
      checkedWhenCalled(parameter('list', 'List', 'Vector', 'String')),
      checkedWhenCalled(optional('dimension', 'Integer')),
      checkedWhenCalled(optional('coordinateType', 'String')),
    ],
    returns: 'Vector',
    cost: { linearIn: ['list'] },
    category: 'Vector',
    description:
      'A vector of 32-bit floats from a list of numbers, or a text such as [1, 2]; of as many as the second argument says, and ' +
      'with the range of the third: FLOAT32, FLOAT64, INTEGER8 to INTEGER64.',
  },
  vector_dimension_count: {
    ...PURE,
    parameters: [checkedWhenCalled(parameter('vector', 'Vector', 'List'))],
    returns: 'Integer',
    cost: { linearIn: ['vector'] },
    category: 'Vector',
    description: 'The number of components.',
  },
  vector_distance: {
    ...PURE,
    parameters: [
      checkedWhenCalled(parameter('vector1', 'Vector', 'List')),
      checkedWhenCalled(parameter('vector2', 'Vector', 'List')),
      checkedWhenCalled(parameter('metric', 'String')),
    ],
    returns: 'Float',
    cost: { linearIn: ['vector1', 'vector2'] },
    category: 'Vector',
    description: 'The distance of two vectors by EUCLIDEAN, EUCLIDEAN_SQUARED, MANHATTAN, COSINE, DOT or HAMMING.',
  },
  vector_norm: {
    ...PURE,
    parameters: [checkedWhenCalled(parameter('vector', 'Vector', 'List')), checkedWhenCalled(parameter('metric', 'String'))],
    returns: 'Float',
    cost: { linearIn: ['vector'] },
    category: 'Vector',
    description: 'The length of a vector by EUCLIDEAN or MANHATTAN.',
  },
} as const satisfies FunctionTable;
