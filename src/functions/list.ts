/** Facts of functions on lists and other containers. */
import type { FunctionTable } from './facts.ts';
import { optional, PURE, parameter } from './parameters.ts';

/** The facts of functions on lists. */
export const listFacts = {
  head: {
    ...PURE,
    parameters: [parameter('list', 'List')],
    returns: 'Any',
    infers: 'elementOfFirst',
    cost: 'constant',
    category: 'List',
    description: 'The first element, null for none.',
  },
  last: {
    ...PURE,
    parameters: [parameter('list', 'List')],
    returns: 'Any',
    infers: 'elementOfFirst',
    cost: 'constant',
    category: 'List',
    description: 'The last element, null for none.',
  },
  tail: {
    ...PURE,
    parameters: [parameter('list', 'List')],
    returns: 'List',
    infers: 'first',
    cost: { linearIn: ['list'] },
    category: 'List',
    description: 'All elements but the first.',
  },
  range: {
    ...PURE,
    parameters: [parameter('start', 'Integer'), parameter('end', 'Integer'), optional('step', 'Integer')],
    returns: 'List',
    infers: { listOf: 'Integer' },
    cost: 'answer',
    category: 'List',
    description: 'The Integers from start to end, both included, in steps of 1 or the given one.',
  },
  size: {
    ...PURE,
    parameters: [parameter('input', 'List', 'String', 'Vector', 'Bytes')],
    returns: 'Integer',
    cost: { textOf: ['input'] },
    category: 'List',
    description: 'The number of elements or characters.',
  },
  isEmpty: {
    ...PURE,
    parameters: [parameter('input', 'List', 'Map', 'String')],
    returns: 'Boolean',
    cost: 'constant',
    category: 'Predicate',
    description: 'Whether there is nothing in it.',
  },
  keys: {
    ...PURE,
    reads: 'properties',
    parameters: [parameter('input', 'Map', 'Node', 'Relationship')],
    returns: 'List',
    infers: { listOf: 'String' },
    cost: { linearIn: ['input'] },
    category: 'List',
    description: 'The names of the entries or properties.',
  },
} as const satisfies FunctionTable;
