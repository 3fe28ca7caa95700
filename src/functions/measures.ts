/** Facts of measures of two vectors, each of which may be a Vector or a List of numbers. */
import type { FunctionTable } from './facts.ts';
import { checkedWhenCalled, PURE, parameter } from './parameters.ts';

/** The facts of measures of two vectors. */
export const measureFacts = {
  cosine_similarity: {
    ...PURE,
    parameters: [checkedWhenCalled(parameter('a', 'Vector', 'List')), checkedWhenCalled(parameter('b', 'Vector', 'List'))],
    returns: 'Float',
    cost: { linearIn: ['a', 'b'] },
    category: 'Vector',
    description: 'The cosine of the angle between two vectors, -1 to 1.',
  },
  dot_product: {
    ...PURE,
    parameters: [checkedWhenCalled(parameter('a', 'Vector', 'List')), checkedWhenCalled(parameter('b', 'Vector', 'List'))],
    returns: 'Float',
    cost: { linearIn: ['a', 'b'] },
    category: 'Vector',
    description: 'The dot product of two vectors.',
  },
  euclidean_distance: {
    ...PURE,
    parameters: [checkedWhenCalled(parameter('a', 'Vector', 'List')), checkedWhenCalled(parameter('b', 'Vector', 'List'))],
    returns: 'Float',
    cost: { linearIn: ['a', 'b'] },
    category: 'Vector',
    description: 'The Euclidean distance of two vectors.',
  },
  'vector.similarity.cosine': {
    ...PURE,
    parameters: [checkedWhenCalled(parameter('a', 'Vector', 'List')), checkedWhenCalled(parameter('b', 'Vector', 'List'))],
    returns: 'Float',
    cost: { linearIn: ['a', 'b'] },
    category: 'Vector',
    description: 'The cosine similarity of two vectors on the scale 0 to 1: (1 + cosine) / 2.',
  },
  'vector.similarity.euclidean': {
    ...PURE,
    parameters: [checkedWhenCalled(parameter('a', 'Vector', 'List')), checkedWhenCalled(parameter('b', 'Vector', 'List'))],
    returns: 'Float',
    cost: { linearIn: ['a', 'b'] },
    category: 'Vector',
    description: 'The Euclidean similarity of two vectors on the scale 0 to 1: 1 / (1 + distance²).',
  },
} as const satisfies FunctionTable;
