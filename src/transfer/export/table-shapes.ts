/**
 * The tables of a graph as typed files have them: nodes by label set, relationships by type, each with its keys and what their values are. While there are few tables
 * each gets a file of its own; beyond that all nodes share one, and all relationships.
 */
import type { Node, Relationship } from '../../value/index.ts';
import type { GraphSource } from './graph-source.ts';
import { PropertyShape } from './property-shape.ts';

/** Files that are open at a time. */
const MOST_FILES = 64;

export interface TableShape {
  readonly kind: 'nodes' | 'relationships';
  /** Of its file: `nodes-Person`. */
  readonly name: string;
  readonly properties: ReadonlyMap<string, PropertyShape>;
}

/** By what stands in `tableKey`; several keys may lead to one table. */
export type TableShapes = ReadonlyMap<string, TableShape>;

export function nodeTableKey({ labels }: Node): string {
  return JSON.stringify(labels);
}

export function relationshipTableKey({ type }: Relationship): string {
  return type;
}

interface OpenShape {
  readonly names: readonly string[];
  readonly properties: Map<string, PropertyShape>;
}

class ShapeSet {
  readonly #shapes = new Map<string, OpenShape>();
  readonly #arrayDelimiter: string;

  constructor(arrayDelimiter: string) {
    this.#arrayDelimiter = arrayDelimiter;
  }

  add(key: string, names: readonly string[], properties: Node['properties']): void {
    let shape = this.#shapes.get(key);
    if (shape === undefined) this.#shapes.set(key, (shape = { names, properties: new Map() }));
    this.#addTo(shape.properties, properties);
  }

  #addTo(shapes: Map<string, PropertyShape>, properties: Node['properties']): void {
    for (const [key, value] of properties) {
      let shape = shapes.get(key);
      if (shape === undefined) shapes.set(key, (shape = new PropertyShape(this.#arrayDelimiter)));
      shape.add(value);
    }
  }

  get isWide(): boolean {
    return this.#shapes.size > MOST_FILES;
  }

  tables(kind: TableShape['kind']): TableShapes {
    const taken = new Set<string>();
    return new Map(
      Array.from(this.#shapes, ([key, { names, properties }]) => [key, { kind, name: uniqueName([kind, ...names], taken), properties }]),
    );
  }

  get keys(): Iterable<string> {
    return this.#shapes.keys();
  }
}

/** Reads the graph once. `onRows` is told how many nodes and relationships were looked at. */
export async function findTableShapes(
  source: GraphSource,
  arrayDelimiter: string,
  onRows: (count: number) => void,
): Promise<{ nodes: TableShapes; relationships: TableShapes }> {
  const byLabels = new ShapeSet(arrayDelimiter);
  const anyNode = new ShapeSet(arrayDelimiter);
  for await (const nodes of source.nodes()) {
    for (const node of nodes) {
      byLabels.add(nodeTableKey(node), node.labels, node.properties);
      anyNode.add('', [], node.properties);
    }
    onRows(nodes.length);
  }
  const byType = new ShapeSet(arrayDelimiter);
  const anyRelationship = new ShapeSet(arrayDelimiter);
  for await (const relationships of source.relationships()) {
    for (const relationship of relationships) {
      byType.add(relationshipTableKey(relationship), [relationship.type], relationship.properties);
      anyRelationship.add('', [], relationship.properties);
    }
    onRows(relationships.length);
  }
  return {
    nodes: byLabels.isWide ? shared(byLabels, anyNode.tables('nodes')) : byLabels.tables('nodes'),
    relationships: byType.isWide ? shared(byType, anyRelationship.tables('relationships')) : byType.tables('relationships'),
  };
}

function shared(set: ShapeSet, all: TableShapes): TableShapes {
  const [table] = all.values();
  return new Map(Array.from(set.keys, (key) => [key, table as TableShape])); // A wide set is not empty.
}

/** Letters, digits and underscores of the names; a number is added where that is not unique. Case does not tell two files apart everywhere. */
function uniqueName(names: readonly string[], taken: Set<string>): string {
  const plain = names
    .map((name) => name.replace(/[^\p{L}\p{N}_]/gu, '_').slice(0, 60))
    .join('-')
    .slice(0, 120);
  for (let number = 1; ; number++) {
    const name = number === 1 ? plain : `${plain}-${number}`;
    if (taken.has(name.toLowerCase())) continue;
    taken.add(name.toLowerCase());
    return name;
  }
}
