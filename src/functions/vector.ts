/** Vectors. Each function takes Vectors and Lists of numbers. */
import type { FunctionTable } from './facts.ts';
import { checkedWhenCalled, optional, PURE, parameter } from './parameters.ts';

export const vectorFacts = {
  vector: {
    ...PURE,
    parameters: [checkedWhenCalled(parameter('list', 'List', 'Vector')), checkedWhenCalled(optional('dimension', 'Integer'))],
    returns: 'Vector',
    cost: { linearIn: ['list'] },
    category: 'Vector',
    description: 'A vector of 32-bit floats from a list of numbers; with a second argument: of as many as it says.',
  },
  vector_dimension_count: {
    ...PURE,
    parameters: [checkedWhenCalled(parameter('vector', 'Vector', 'List'))],
    returns: 'Integer',
    cost: { linearIn: ['vector'] },
    category: 'Vector',
    description: 'The number of components.',
  },
} as const satisfies FunctionTable;
