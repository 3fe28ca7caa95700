/** Values as they leave the engine: references become what they refer to. */
import { Node, NodeValue, Path, PathValue, Relationship, RelationshipValue, type ResultValue, type Value } from '../../value/index.ts';
import type { StatementGraph } from './statement-graph.ts';

/** Nodes that a statement keeps for further rows of its result. */
const CACHED_NODES = 4096;

export class Results {
  private readonly graph: StatementGraph;
  /** What a statement writes may change them, so only one that reads keeps any. */
  private readonly keepsNodes: boolean;
  /** By ordinal. */
  private kept: Map<number, Node> | null = null;

  /** @param nodeCache a node that stands in several rows of the result is read once */
  constructor(graph: StatementGraph, nodeCache: boolean) {
    this.graph = graph;
    this.keepsNodes = nodeCache && graph.readsSnapshot;
  }

  /** A value as it leaves: references become what they refer to. */
  value(value: Value): ResultValue {
    if (typeof value !== 'object' || value === null) return value;
    if (value instanceof NodeValue) return this.nodeOf(value.ordinal);
    if (value instanceof RelationshipValue) return this.materializeRelationship(value);
    if (value instanceof PathValue) {
      return new Path(
        value.nodes.map((ordinal) => this.nodeOf(ordinal)),
        value.relationships.map((one) => this.materializeRelationship(one)),
      );
    }
    if (Array.isArray(value)) return value.map((item) => this.value(item));
    if (value instanceof Map) return new Map([...value].map(([key, item]) => [key, this.value(item)]));
    return value;
  }

  private nodeOf(ordinal: number): Node {
    if (!this.keepsNodes) return this.materializeNode(ordinal);
    this.kept ??= new Map();
    const known = this.kept.get(ordinal);
    if (known !== undefined) return known;
    const node = this.materializeNode(ordinal);
    if (this.kept.size < CACHED_NODES) this.kept.set(ordinal, node);
    return node;
  }

  /** What was deleted comes without labels and properties. */
  private materializeNode(ordinal: number): Node {
    const { view } = this.graph;
    if (!view.nodeExists(ordinal)) return new Node(view.nodeId(ordinal), ordinal, [], new Map());
    return new Node(
      view.nodeId(ordinal),
      ordinal,
      view.nodeLabels(ordinal).map((label) => view.labels.name(label)),
      view.nodeProperties(ordinal),
    );
  }

  private materializeRelationship(value: RelationshipValue): Relationship {
    const { view } = this.graph;
    const exists = view.relationshipExists(value.type, value.row);
    return new Relationship({
      id: view.relationshipId(value.type, value.row),
      ordinal: view.relationshipOrdinal(value.type, value.row),
      type: view.types.name(value.type),
      sourceId: view.nodeId(value.source),
      targetId: view.nodeId(value.target),
      sourceOrdinal: value.source,
      targetOrdinal: value.target,
      properties: exists ? view.relationshipProperties(value.type, value.row) : new Map(),
    });
  }
}
