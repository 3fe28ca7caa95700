/** The parts of a projected graph, found by the names that procedures are given. */
import type { NodeProperty, ProjectedGraph, RelationshipSet } from '../../../algorithms/index.ts';
import { argumentFault, quoted, typeFault, type Value } from '../../../value/index.ts';

/** Returns the different names of an argument, a String or a List of Strings. @throws TYPE_ERROR if it is neither */
export function names(what: string, value: Value | undefined): string[] {
  if (typeof value === 'string') return [value];
  if (Array.isArray(value) && value.every((each) => typeof each === 'string')) return [...new Set(value as string[])]; // as: each is one
  throw typeFault(`\`${what}\` must be a String or a List of Strings`);
}

/** Returns a property of the nodes of a graph. @throws ARGUMENT_ERROR if there is none of the name */
export function propertyOf(graph: ProjectedGraph, name: string): NodeProperty {
  const property = graph.properties.get(name);
  if (property !== undefined) return property;
  throw argumentFault(
    `Node property ${quoted(name)} not found in the graph; it has ${[...graph.properties.keys()].map(quoted).join(', ') || 'none'}`,
  );
}

/** Returns the relationships of some types, or of all for `*`. @throws ARGUMENT_ERROR if there is no such type */
export function setsOf(graph: ProjectedGraph, types: readonly string[]): RelationshipSet[] {
  if (types.includes('*')) return [...graph.relationships.values()];
  return types.map((type) => setOf(graph, type));
}

/** Returns the relationships of one type. @throws ARGUMENT_ERROR if there is no such type */
export function setOf({ relationships: sets }: ProjectedGraph, type: string): RelationshipSet {
  const set = sets.get(type);
  if (set !== undefined) return set;
  throw argumentFault(
    `Relationship type ${quoted(type)} not found in the graph; it has ${[...sets.keys()].map(quoted).join(', ') || 'none'}`,
  );
}

/** Returns a property of relationships: a value for each entry of their CSR. @throws ARGUMENT_ERROR if there is none of the name */
export function weightsOf({ type, properties }: RelationshipSet, name: string): Float64Array {
  const values = properties.get(name);
  if (values !== undefined) return values;
  throw argumentFault(`Relationship property ${quoted(name)} not found in relationship type ${quoted(type)}`);
}

/** Returns a predicate that tells whether a node has one of the labels; `*`: any. @throws ARGUMENT_ERROR if there is no such label */
export function filterOf(graph: ProjectedGraph, labels: readonly string[]): (node: number) => boolean {
  if (labels.includes('*')) return () => true;
  const bitmaps = labels.map((label) => {
    const bitmap = graph.labels.get(label);
    if (bitmap !== undefined) return bitmap;
    throw argumentFault(`Node label ${quoted(label)} not found in the graph; it has ${[...graph.labels.keys()].map(quoted).join(', ')}`);
  });
  return (node) => bitmaps.some((bitmap) => bitmap[node] === 1);
}

/** Returns the labels of a node. */
export function labelsOf(graph: ProjectedGraph, node: number): string[] {
  return [...graph.labels].filter(([, bitmap]) => bitmap[node] === 1).map(([label]) => label);
}
