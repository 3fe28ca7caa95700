/**
 * Virtual nodes and relationships, which are not in the graph: procedures such as `db.schema.visualization` make them.
 * They have negative ordinals and are returned unchanged; only their properties can be read.
 */
import { Node, Relationship, type Value, type ValueMap } from '../../value/index.ts';

export { isVirtual } from '../../value/index.ts';

/** Makes a virtual node. */
export function virtualNode(ordinal: number, labels: readonly string[], properties: ValueMap): Value {
  return asValue(new Node(String(ordinal), ordinal, labels, properties));
}

/** The ordinals of the nodes that a virtual relationship connects. */
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

/** Lets a result entity pass as a value of the running statement, which returns it unchanged. */
export function asValue(virtual: Node | Relationship): Value {
  return virtual as unknown as Value;
}
