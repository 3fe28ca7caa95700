/**
 * Where the nodes and relationships of a script or of GraphML come from, as objects: the graph of a namespace, batch by
 * batch, or those in a query's result, which are kept in memory.
 */
import { Node, Path, Relationship, type ResultValue } from '../../value/index.ts';
import type { RowSource } from './api.ts';
import { exportedTables } from './exported-table.ts';
import { PropertyShape } from './property-shape.ts';
import { nodesOf, relationshipsOf, type StoredGraph } from './stored-graph.ts';

/** The shape of each property, by its key. */
export type Shapes = ReadonlyMap<string, PropertyShape>;

/** The source of nodes and relationships. */
export interface GraphSource {
  readonly nodeCount: number;
  readonly relationshipCount: number;
  /** The statements that create the graph's indexes and constraints. */
  readonly schema: readonly string[];
  eachNode(take: (nodes: readonly Node[]) => Promise<void>): Promise<void>;
  /** Calls `take` for all relationships, batch by batch. To be called after `eachNode`. */
  eachRelationship(take: (relationships: readonly Relationship[]) => Promise<void>): Promise<void>;
  /** Returns the shapes of the properties of nodes and of relationships. */
  shapes(onRows: (count: number) => void): Promise<{ readonly nodes: readonly Shapes[]; readonly relationships: readonly Shapes[] }>;
}

const NO_DELIMITER = '\0';

/** Returns the source that reads a stored graph. */
export function storedSource(graph: StoredGraph): GraphSource {
  return {
    nodeCount: graph.nodeCount,
    relationshipCount: graph.relationshipCount,
    schema: graph.schema,
    eachNode: async (take) => {
      for (const table of graph.nodes) {
        await table.scan((batch) => {
          graph.ids.add(batch);
          return take(nodesOf(table, batch, graph.ids));
        });
      }
    },
    eachRelationship: async (take) => {
      for (const table of graph.relationships) await table.scan((batch) => take(relationshipsOf(table, batch, graph.ids)));
    },
    shapes: async (onRows) => {
      const [nodes, relationships] = [
        await exportedTables(graph.nodes, NO_DELIMITER, onRows),
        await exportedTables(graph.relationships, NO_DELIMITER, onRows),
      ];
      return { nodes: nodes.map(({ properties }) => properties), relationships: relationships.map(({ properties }) => properties) };
    },
  };
}

/**
 * Gathers every node, relationship and path of the rows, each once. A relationship whose ends are in no row is left
 * out, and counted in `leftOut`.
 */
export async function graphOfRows({ batches }: RowSource): Promise<GraphSource & { readonly leftOut: number }> {
  const nodes = new Map<string, Node>();
  const relationships = new Map<string, Relationship>();
  for await (const batch of batches) for (const row of batch) for (const value of row) collect(value, nodes, relationships);
  const complete = [...relationships.values()].filter(({ sourceId, targetId }) => nodes.has(sourceId) && nodes.has(targetId));
  const allNodes = [...nodes.values()];
  return {
    nodeCount: allNodes.length,
    relationshipCount: complete.length,
    eachNode: (take) => take(allNodes),
    eachRelationship: (take) => take(complete),
    shapes: async () => ({ nodes: [shapesOf(allNodes)], relationships: [shapesOf(complete)] }),
    schema: [],
    leftOut: relationships.size - complete.length,
  };
}

function shapesOf(entities: readonly (Node | Relationship)[]): Shapes {
  const shapes = new Map<string, PropertyShape>();
  for (const { properties } of entities) {
    for (const [key, value] of properties) {
      let shape = shapes.get(key);
      if (shape === undefined) shapes.set(key, (shape = new PropertyShape(NO_DELIMITER)));
      shape.add(value);
    }
  }
  return shapes;
}

/** Collects entities by their identifiers: those that a server has sent have no ordinals. */
function collect(value: ResultValue, nodes: Map<string, Node>, relationships: Map<string, Relationship>): void {
  if (value instanceof Node) nodes.set(value.id, value);
  else if (value instanceof Relationship) relationships.set(value.id, value);
  else if (value instanceof Path) {
    for (const node of value.nodes) nodes.set(node.id, node);
    for (const relationship of value.relationships) relationships.set(relationship.id, relationship);
  } else if (Array.isArray(value)) for (const element of value) collect(element, nodes, relationships);
  else if (value instanceof Map) for (const member of value.values()) collect(member, nodes, relationships);
}
