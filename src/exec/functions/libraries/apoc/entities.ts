/** `apoc.any.*`: functions on the properties of nodes, relationships, virtual entities and maps. */
import type { entityFacts, FunctionName } from '../../../../functions/index.ts';
import { NodeValue, RelationshipValue, type Value } from '../../../../value/index.ts';
import { wrongArgument } from '../../arguments.ts';
import type { GraphReads, Implementations } from '../../definition.ts';
import { isVirtual } from '../../virtual.ts';

function propertiesOf({ graph }: GraphReads['properties'], name: FunctionName, thing: Value): ReadonlyMap<string, Value> {
  if (thing instanceof NodeValue) return graph.nodeProperties(thing);
  if (thing instanceof RelationshipValue) return graph.relationshipProperties(thing);
  if (isVirtual(thing)) return thing.properties;
  if (thing instanceof Map) return thing;
  throw wrongArgument(name, 'a Node, a Relationship or a Map', thing);
}

/** The functions `apoc.any.*`. */
export const entityFunctions: Implementations<typeof entityFacts> = {
  'apoc.any.properties': (context, thing) => new Map(propertiesOf(context, 'apoc.any.properties', thing)),
  'apoc.any.property': (context, thing, key) => propertiesOf(context, 'apoc.any.property', thing).get(key) ?? null,
};
