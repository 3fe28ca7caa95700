/** Functions that read nodes, relationships and paths. */
import { NodeValue, PathValue, RelationshipValue, type Value } from '../../value/index.ts';
import { DATABASE_NAME } from '../schema/database-name.ts';
import { wrongArgument } from './arguments.ts';
import { define, parameter } from './define.ts';
import type { FunctionContext, FunctionDefinition } from './definition.ts';

const ENTITY = parameter('input', 'Node', 'Relationship');
const PATH = parameter('path', 'Path');
const RELATIONSHIP = parameter('relationship', 'Relationship');

function nodeArgument(name: string, value: Value): NodeValue {
  if (!(value instanceof NodeValue)) throw wrongArgument(name, 'a Node', value);
  return value;
}

function relationshipArgument(name: string, value: Value): RelationshipValue {
  if (!(value instanceof RelationshipValue)) throw wrongArgument(name, 'a Relationship', value);
  return value;
}

function pathArgument(name: string, value: Value): PathValue {
  if (!(value instanceof PathValue))
    throw wrongArgument(name, name === 'length' ? 'a Path (size() takes text and lists)' : 'a Path', value);
  return value;
}

function identifier(name: string, context: FunctionContext, input: Value): Value {
  if (input instanceof NodeValue) return context.graph.nodeId(input);
  if (input instanceof RelationshipValue) return context.graph.relationshipId(input);
  throw wrongArgument(name, 'a Node or a Relationship', input);
}

function properties(context: FunctionContext, input: Value): Value {
  if (input instanceof Map) return input;
  if (input instanceof NodeValue) return context.graph.nodeProperties(input);
  if (input instanceof RelationshipValue) return context.graph.relationshipProperties(input);
  throw wrongArgument('properties', 'a Map, a Node or a Relationship', input);
}

export const graphFunctions: readonly FunctionDefinition[] = [
  define({
    name: 'db.nameFromElementId',
    parameters: [parameter('elementId', 'String')],
    returns: 'String',
    category: 'Database',
    description: 'The name of the database that an element id is of.',
    evaluate: (_, elementId) => {
      if (typeof elementId !== 'string') throw wrongArgument('db.nameFromElementId', 'a String', elementId);
      return DATABASE_NAME;
    },
  }),
  define({
    name: 'id',
    parameters: [ENTITY],
    returns: 'String',
    category: 'Graph',
    description: 'The internal identifier.',
    volatile: true,
    evaluate: (context, input) => identifier('id', context, input),
  }),
  define({
    name: 'elementId',
    parameters: [ENTITY],
    returns: 'String',
    category: 'Graph',
    description: 'The internal identifier.',
    volatile: true,
    evaluate: (context, input) => identifier('elementId', context, input),
  }),
  define({
    name: 'labels',
    parameters: [parameter('node', 'Node')],
    returns: 'List',
    category: 'Graph',
    description: 'The labels of a node.',
    volatile: true,
    evaluate: (context, node) => context.graph.nodeLabels(nodeArgument('labels', node)),
  }),
  define({
    name: 'type',
    parameters: [RELATIONSHIP],
    returns: 'String',
    category: 'Graph',
    description: 'The type of a relationship.',
    volatile: true,
    evaluate: (context, relationship) => context.graph.relationshipType(relationshipArgument('type', relationship)),
  }),
  define({
    name: 'properties',
    parameters: [parameter('input', 'Node', 'Relationship', 'Map')],
    returns: 'Map',
    category: 'Graph',
    description: 'The properties as a map.',
    volatile: true,
    evaluate: properties,
  }),
  define({
    name: 'startNode',
    parameters: [RELATIONSHIP],
    returns: 'Node',
    category: 'Graph',
    description: 'The node at which a relationship starts.',
    evaluate: (_, relationship) => new NodeValue(relationshipArgument('startNode', relationship).source),
  }),
  define({
    name: 'endNode',
    parameters: [RELATIONSHIP],
    returns: 'Node',
    category: 'Graph',
    description: 'The node at which a relationship ends.',
    evaluate: (_, relationship) => new NodeValue(relationshipArgument('endNode', relationship).target),
  }),
  define({
    name: 'nodes',
    parameters: [PATH],
    returns: 'List',
    category: 'Graph',
    description: 'The nodes of a path, in its order.',
    evaluate: (_, path) => pathArgument('nodes', path).nodes.map((ordinal) => new NodeValue(ordinal)),
  }),
  define({
    name: 'relationships',
    parameters: [PATH],
    returns: 'List',
    category: 'Graph',
    description: 'The relationships of a path, in its order.',
    evaluate: (_, path) => [...pathArgument('relationships', path).relationships],
  }),
  define({
    name: 'length',
    parameters: [PATH],
    returns: 'Integer',
    category: 'Graph',
    description: 'The number of relationships of a path.',
    evaluate: (_, path) => pathArgument('length', path).relationships.length,
  }),
];
