/** Functions that read nodes, relationships and paths. */
import type { FunctionName, graphFacts } from '../../functions/index.ts';
import { NodeValue, PathValue, RelationshipValue, type Value } from '../../value/index.ts';
import { DATABASE_NAME } from '../schema/database-name.ts';
import { wrongArgument } from './arguments.ts';
import type { GraphReads, Implementations } from './definition.ts';

function nodeArgument(name: FunctionName, value: Value): NodeValue {
  if (!(value instanceof NodeValue)) throw wrongArgument(name, 'a Node', value);
  return value;
}

function relationshipArgument(name: FunctionName, value: Value): RelationshipValue {
  if (!(value instanceof RelationshipValue)) throw wrongArgument(name, 'a Relationship', value);
  return value;
}

function pathArgument(name: FunctionName, value: Value): PathValue {
  if (!(value instanceof PathValue))
    throw wrongArgument(name, name === 'length' ? 'a Path (size() takes text and lists)' : 'a Path', value);
  return value;
}

function identifier(name: FunctionName, { graph }: GraphReads['identifier'], input: Value): Value {
  if (input instanceof NodeValue) return graph.nodeId(input);
  if (input instanceof RelationshipValue) return graph.relationshipId(input);
  throw wrongArgument(name, 'a Node or a Relationship', input);
}

function properties({ graph }: GraphReads['properties'], input: Value): Value {
  if (input instanceof Map) return input;
  if (input instanceof NodeValue) return graph.nodeProperties(input);
  if (input instanceof RelationshipValue) return graph.relationshipProperties(input);
  throw wrongArgument('properties', 'a Map, a Node or a Relationship', input);
}

/** Functions that read nodes, relationships and paths. */
export const graphFunctions: Implementations<typeof graphFacts> = {
  'db.nameFromElementId': (_, elementId) => {
    if (typeof elementId !== 'string') throw wrongArgument('db.nameFromElementId', 'a String', elementId);
    return DATABASE_NAME;
  },
  id: (context, input) => identifier('id', context, input),
  elementId: (context, input) => identifier('elementId', context, input),
  labels: (context, node) => context.graph.nodeLabels(nodeArgument('labels', node)),
  type: (context, relationship) => context.graph.relationshipType(relationshipArgument('type', relationship)),
  properties,
  startNode: (_, relationship) => new NodeValue(relationshipArgument('startNode', relationship).source),
  endNode: (_, relationship) => new NodeValue(relationshipArgument('endNode', relationship).target),
  nodes: (_, path) => pathArgument('nodes', path).nodes.map((ordinal) => new NodeValue(ordinal)),
  relationships: (_, path) => [...pathArgument('relationships', path).relationships],
  length: (_, path) => pathArgument('length', path).relationships.length,
};
