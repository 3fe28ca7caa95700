/**
 * The graph that the oracle works on: plain objects in plain sets, so that nothing of the engine's is believed.
 *
 * In the oracle's rows a node is `NodeValue(key)` and a relationship `RelationshipValue(0, key, …)`: the classes of the engine, so that the
 * equality and order of `src/value` apply, with keys of this model inside.
 */
import { GraphDBError } from '../../../src/base/index.ts';
import { NodeValue, RelationshipValue, type Value } from '../../../src/value/index.ts';

export interface ModelNode {
  readonly key: number;
  readonly labels: Set<string>;
  readonly properties: Map<string, Value>;
}

export interface ModelRelationship {
  readonly key: number;
  readonly type: string;
  readonly source: number;
  readonly target: number;
  readonly properties: Map<string, Value>;
}

export class ModelGraph {
  nodes = new Map<number, ModelNode>();
  relationships = new Map<number, ModelRelationship>();
  private nextKey = 0;

  addNode(labels: Iterable<string>, properties: ReadonlyMap<string, Value>): ModelNode {
    const node = { key: this.nextKey++, labels: new Set(labels), properties: withoutNulls(properties) };
    this.nodes.set(node.key, node);
    return node;
  }

  addRelationship(type: string, ends: { source: number; target: number }, properties: ReadonlyMap<string, Value>): ModelRelationship {
    const relationship = { key: this.nextKey++, type, ...ends, properties: withoutNulls(properties) };
    this.relationships.set(relationship.key, relationship);
    return relationship;
  }

  node(value: NodeValue): ModelNode {
    const node = this.nodes.get(value.ordinal);
    if (node === undefined) throw new GraphDBError('ENTITY_NOT_FOUND', 'the node has been deleted');
    return node;
  }

  relationship(value: RelationshipValue): ModelRelationship {
    const relationship = this.relationships.get(value.row);
    if (relationship === undefined) throw new GraphDBError('ENTITY_NOT_FOUND', 'the relationship has been deleted');
    return relationship;
  }

  /** Relationships that start or end at a node. */
  around(key: number): ModelRelationship[] {
    return [...this.relationships.values()].filter(({ source, target }) => source === key || target === key);
  }

  copy(): ModelGraph {
    const copy = new ModelGraph();
    copy.nextKey = this.nextKey;
    for (const node of this.nodes.values()) {
      copy.nodes.set(node.key, { ...node, labels: new Set(node.labels), properties: new Map(node.properties) });
    }
    for (const relationship of this.relationships.values()) {
      copy.relationships.set(relationship.key, { ...relationship, properties: new Map(relationship.properties) });
    }
    return copy;
  }
}

function withoutNulls(properties: ReadonlyMap<string, Value>): Map<string, Value> {
  return new Map([...properties].filter(([, value]) => value !== null));
}

export function nodeValue(node: { readonly key: number }): NodeValue {
  return new NodeValue(node.key);
}

export function relationshipValue({ key, source, target }: ModelRelationship): RelationshipValue {
  return new RelationshipValue(0, key, source, target);
}
