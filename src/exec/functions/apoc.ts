/** The functions of Neo4j's APOC library that LangChain and LlamaIndex call. */
import { equals, NodeValue, RelationshipValue, type Value, type ValueMap } from '../../value/index.ts';
import { wrongArgument } from './arguments.ts';
import { define, parameter } from './define.ts';
import type { FunctionContext, FunctionDefinition } from './definition.ts';
import { isVirtual } from './virtual.ts';

function clean(map: Value, keys: Value, values: Value): ValueMap {
  if (!(map instanceof Map)) throw wrongArgument('apoc.map.clean', 'a Map', map);
  if (!Array.isArray(keys)) throw wrongArgument('apoc.map.clean', 'a List of Strings', keys);
  if (!Array.isArray(values)) throw wrongArgument('apoc.map.clean', 'a List of values', values);
  const isUnwanted = (value: Value): boolean => value === null || values.some((each) => equals(each, value) === true);
  return new Map([...map].filter(([key, value]) => !keys.includes(key) && !isUnwanted(value)));
}

function propertiesOf(context: FunctionContext, name: string, thing: Value): ReadonlyMap<string, Value> {
  if (thing instanceof NodeValue) return context.graph.nodeProperties(thing);
  if (thing instanceof RelationshipValue) return context.graph.relationshipProperties(thing);
  if (isVirtual(thing)) return thing.properties;
  if (thing instanceof Map) return thing;
  throw wrongArgument(name, 'a Node, a Relationship or a Map', thing);
}

export const apocFunctions: readonly FunctionDefinition[] = [
  define({
    name: 'apoc.map.clean',
    parameters: [parameter('map', 'Map'), parameter('keys', 'List'), parameter('values', 'List')],
    returns: 'Map',
    category: 'Scalar',
    description: 'The map without the given keys, the given values, and nulls.',
    evaluate: (_, map, keys, values) => clean(map, keys, values),
  }),
  define({
    name: 'apoc.any.properties',
    parameters: [parameter('thing', 'Any')],
    returns: 'Map',
    category: 'Scalar',
    description: 'The properties of a node, a relationship, a virtual one of these, or a map.',
    volatile: true,
    evaluate: (context, thing) => new Map(propertiesOf(context, 'apoc.any.properties', thing)),
  }),
  define({
    name: 'apoc.any.property',
    parameters: [parameter('thing', 'Any'), parameter('key', 'String')],
    returns: 'Any',
    category: 'Scalar',
    description: 'One property of a node, a relationship, a virtual one of these, or a map.',
    volatile: true,
    evaluate: (context, thing, key) => propertiesOf(context, 'apoc.any.property', thing).get(key) ?? null,
  }),
];
