/** The model of property tests: a graph in plain Maps, which the store must agree with. */
import type { Value } from '../../value/index.ts';

export interface ModelNode {
  readonly labels: ReadonlySet<string>;
  readonly properties: ReadonlyMap<string, Value>;
  readonly id: string | null;
}

export interface ModelRelationship {
  readonly type: string;
  readonly source: number;
  readonly target: number;
  readonly properties: ReadonlyMap<string, Value>;
}

/** A graph in plain Maps. Entries are replaced, never changed, so that a copy of the Maps is a copy of the graph. */
export class ModelGraph {
  readonly nodes: Map<number, ModelNode>;
  readonly relationships: Map<number, ModelRelationship>;

  constructor(nodes: Iterable<[number, ModelNode]> = [], relationships: Iterable<[number, ModelRelationship]> = []) {
    this.nodes = new Map(nodes);
    this.relationships = new Map(relationships);
  }

  copy(): ModelGraph {
    return new ModelGraph(this.nodes, this.relationships);
  }

  relationshipsOf(node: number): [number, ModelRelationship][] {
    return [...this.relationships].filter(([, { source, target }]) => source === node || target === node);
  }
}

export function withProperty(properties: ReadonlyMap<string, Value>, key: string, value: Value): Map<string, Value> {
  const changed = new Map(properties);
  if (value === null) changed.delete(key);
  else changed.set(key, value);
  return changed;
}
