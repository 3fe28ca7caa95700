/** Functions of Neo4j's APOC library that LangChain and LlamaIndex call. */
import type { FunctionTable } from './facts.ts';
import { checkedWhenCalled, PURE, parameter } from './parameters.ts';

export const apocFacts = {
  'apoc.map.clean': {
    ...PURE,
    parameters: [
      checkedWhenCalled(parameter('map', 'Map')),
      checkedWhenCalled(parameter('keys', 'List')),
      checkedWhenCalled(parameter('values', 'List')),
    ],
    returns: 'Map',
    cost: { productOf: ['map', 'keys', 'values'] },
    category: 'Scalar',
    description: 'The map without the given keys, the given values, and nulls.',
  },
  'apoc.any.properties': {
    ...PURE,
    reads: 'properties',
    parameters: [parameter('thing', 'Any')],
    returns: 'Map',
    cost: { linearIn: ['thing'] },
    category: 'Scalar',
    description: 'The properties of a node, a relationship, a virtual one of these, or a map.',
  },
  'apoc.any.property': {
    ...PURE,
    reads: 'properties',
    parameters: [parameter('thing', 'Any'), checkedWhenCalled(parameter('key', 'String'))],
    returns: 'Any',
    cost: { linearIn: ['thing'] },
    category: 'Scalar',
    description: 'One property of a node, a relationship, a virtual one of these, or a map.',
  },
} as const satisfies FunctionTable;
