/** Facts of APOC's functions on nodes, relationships, and values that stand for them. */
import type { FunctionTable } from '../facts.ts';
import { checkedWhenCalled, PURE, parameter } from '../parameters.ts';

/** The facts of APOC's functions on nodes and relationships. */
export const entityFacts = {
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
