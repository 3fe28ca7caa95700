/** Functions of Neo4j's Graph Data Science library. */
import type { FunctionTable } from './facts.ts';
import { checkedWhenCalled, PURE, parameter } from './parameters.ts';

export const gdsFacts = {
  'gds.version': {
    ...PURE,
    parameters: [],
    returns: 'String',
    cost: 'constant',
    category: 'Graph',
    description: 'The version of Graph Data Science whose names and columns the algorithms have.',
  },
  'gds.util.asNode': {
    ...PURE,
    parameters: [checkedWhenCalled(parameter('nodeId', 'Integer'))],
    returns: 'Node',
    cost: 'constant',
    category: 'Graph',
    description: 'The node of a number that a procedure of algorithms gave.',
  },
  'gds.util.asNodes': {
    ...PURE,
    parameters: [checkedWhenCalled(parameter('nodeIds', 'List'))],
    returns: 'List',
    infers: { listOf: 'Node' },
    cost: { linearIn: ['nodeIds'] },
    category: 'Graph',
    description: 'The nodes of numbers that a procedure of algorithms gave.',
  },
  'gds.util.NaN': {
    ...PURE,
    parameters: [],
    returns: 'Float',
    cost: 'constant',
    category: 'Numeric',
    description: 'The Float that is not a number.',
  },
  'gds.util.infinity': {
    ...PURE,
    parameters: [],
    returns: 'Float',
    cost: 'constant',
    category: 'Numeric',
    description: 'The infinite Float.',
  },
  'gds.util.isFinite': {
    ...PURE,
    parameters: [checkedWhenCalled(parameter('value', 'Number'))],
    returns: 'Boolean',
    cost: 'constant',
    category: 'Numeric',
    description: 'Whether a number is neither infinite nor NaN.',
  },
} as const satisfies FunctionTable;
