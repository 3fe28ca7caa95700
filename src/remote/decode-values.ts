/** Decodes values of the typed form of JSON into values of results: nodes, relationships and paths too, also within lists and maps. */
import { fromTypedResult, Node, Path, Relationship, type ResultValue, type Value, type ValueMap } from '../value/index.ts';

/** Decodes a value of a server's answer. */
export function decodeValue(value: Value): ResultValue {
  if (Array.isArray(value)) return value.map(decodeValue);
  if (!(value instanceof Map)) return value as ResultValue; // JSON holds no references into a graph.
  const tag = value.get('$');
  const properties = value.get('properties');
  // as: the server writes nothing else
  if (tag === 'path') return pathOf(decodeValue(value.get('value') ?? null) as (Node | Relationship)[]);
  // as: likewise
  if (tag === 'map') return new Map((value.get('value') as [string, Value][]).map(([key, member]) => [key, decodeValue(member)]));
  if (tag !== undefined) return fromTypedResult(value) as ResultValue; // as: a tagged value is no reference
  if (value.get('_kind') === 'node' && properties instanceof Map) return nodeOf(value, properties);
  if (value.get('_kind') === 'rel' && properties instanceof Map) return relationshipOf(value, properties);
  return new Map(Array.from(value, ([key, member]) => [key, decodeValue(member)]));
}

function nodeOf(members: ValueMap, properties: ValueMap): Node {
  return new Node(String(members.get('id')), -1, (members.get('labels') as Value[]).map(String), propertiesOf(properties));
}

function relationshipOf(members: ValueMap, properties: ValueMap): Relationship {
  return new Relationship({
    id: String(members.get('id')),
    ordinal: -1,
    type: String(members.get('edge_type')),
    sourceId: String(members.get('src')),
    targetId: String(members.get('dst')),
    sourceOrdinal: -1,
    targetOrdinal: -1,
    properties: propertiesOf(properties),
  });
}

/** Decodes properties, which are a map of their own: a tagged one if it has a key `$` or `_kind`. */
function propertiesOf(properties: ValueMap): ValueMap {
  return fromTypedResult(properties) as ValueMap; // as: a server writes properties as a map
}

function pathOf(steps: readonly (Node | Relationship)[]): Path {
  return new Path(
    steps.filter((step) => step instanceof Node),
    steps.filter((step) => step instanceof Relationship),
  );
}
