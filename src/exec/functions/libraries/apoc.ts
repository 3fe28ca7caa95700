/** The functions of Neo4j's APOC library that LangChain and LlamaIndex call. */
import type { apocFacts, FunctionName } from '../../../functions/index.ts';
import { equals, NodeValue, RelationshipValue, type Value, type ValueMap } from '../../../value/index.ts';
import { wrongArgument } from '../arguments.ts';
import type { GraphReads, Implementations } from '../definition.ts';
import { isVirtual } from '../virtual.ts';

function clean(map: Value, keys: Value, values: Value): ValueMap {
  if (!(map instanceof Map)) throw wrongArgument('apoc.map.clean', 'a Map', map);
  if (!Array.isArray(keys)) throw wrongArgument('apoc.map.clean', 'a List of Strings', keys);
  if (!Array.isArray(values)) throw wrongArgument('apoc.map.clean', 'a List of values', values);
  const isUnwanted = (value: Value): boolean => value === null || values.some((each) => equals(each, value) === true);
  return new Map([...map].filter(([key, value]) => !keys.includes(key) && !isUnwanted(value)));
}

function propertiesOf({ graph }: GraphReads['properties'], name: FunctionName, thing: Value): ReadonlyMap<string, Value> {
  if (thing instanceof NodeValue) return graph.nodeProperties(thing);
  if (thing instanceof RelationshipValue) return graph.relationshipProperties(thing);
  if (isVirtual(thing)) return thing.properties;
  if (thing instanceof Map) return thing;
  throw wrongArgument(name, 'a Node, a Relationship or a Map', thing);
}

export const apocFunctions: Implementations<typeof apocFacts> = {
  'apoc.map.clean': (_, map, keys, values) => clean(map, keys, values),
  'apoc.any.properties': (context, thing) => new Map(propertiesOf(context, 'apoc.any.properties', thing)),
  'apoc.any.property': (context, thing, key) => propertiesOf(context, 'apoc.any.property', thing).get(key) ?? null,
};
