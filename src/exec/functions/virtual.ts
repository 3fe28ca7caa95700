/**
 * Virtual nodes and relationships: not in the graph, made by procedures that draw a picture of it (`db.schema.visualization`). They have
 * negative ordinals, are handed out as they are, and their properties can be read; nothing else is done with them.
 */
import { Node, Relationship, type Value, type ValueMap } from '../../value/index.ts';

/** Makes a virtual node. */
export function virtualNode(ordinal: number, labels: readonly string[], properties: ValueMap): Value {
  return asValue(new Node(String(ordinal), ordinal, labels, properties));
}

/** The ends of a virtual relationship. */
export interface VirtualEnds {
  readonly source: number;
  readonly target: number;
}

/** Makes a virtual relationship. */
export function virtualRelationship(ordinal: number, type: string, { source, target }: VirtualEnds, properties: ValueMap): Value {
  return asValue(
    new Relationship({
      id: String(ordinal),
      ordinal,
      type,
      sourceId: String(source),
      targetId: String(target),
      sourceOrdinal: source,
      targetOrdinal: target,
      properties,
    }),
  );
}

/** A result value that travels among the values of a running statement: it is given out unchanged. */
export function asValue(virtual: Node | Relationship): Value {
  return virtual as unknown as Value;
}

/** Tells whether a value is a virtual node or relationship. */
export function isVirtual(value: unknown): value is Node | Relationship {
  return value instanceof Node || value instanceof Relationship;
}
