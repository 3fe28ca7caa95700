/** The parts of a picture of a graph: the nodes and relationships of rows, and how nodes look. */
import Graph from 'graphology';
import type { Row } from './api.ts';
import type { LabelStyle } from './storage.ts';
import { isNode, type NodeJson, type RelationshipJson, shortText, visitEntities } from './values.ts';

/** More are not drawn. */
export const MOST_NODES = 5_000;
const COLORS = ['#2f7ed8', '#d9793b', '#3f9e5a', '#b5528f', '#8468c9', '#2a9d9d', '#c24f4f', '#9a8a2c', '#5b7083', '#c08a1e'];

export interface Picture {
  readonly graph: Graph;
  readonly nodes: Map<string, NodeJson>;
  readonly relationships: Map<string, RelationshipJson>;
  readonly isCut: boolean;
}

/** Returns the text beside a node. */
export function captionOf(node: NodeJson, styles: Readonly<Record<string, LabelStyle>>): string {
  const chosen = styles[node.labels[0] ?? '']?.caption;
  if (chosen !== undefined) return shortText(node.properties[chosen] ?? node.id);
  for (const key of ['name', 'title', 'id', 'key']) if (node.properties[key] !== undefined) return shortText(node.properties[key]);
  const first = Object.values(node.properties).find((value) => typeof value !== 'object');
  return first === undefined ? (node.labels[0] ?? node.id) : shortText(first);
}

/** Returns the colour of a label: the one that the user chose, or the one of its place among the labels. */
export function colorOf(label: string, labels: readonly string[], styles: Readonly<Record<string, LabelStyle>>): string {
  return styles[label]?.color ?? COLORS[Math.max(0, labels.indexOf(label)) % COLORS.length]!;
}

/** Returns an empty picture. */
export function emptyPicture(): Picture {
  return { graph: new Graph({ multi: true, type: 'directed' }), nodes: new Map(), relationships: new Map(), isCut: false };
}

/** Adds the nodes and relationships of rows to a picture, and returns it; `around`: the node near which they are placed. */
export function draw(picture: Picture, rows: readonly Row[], around?: string): Picture {
  const { graph, nodes, relationships } = picture;
  let { isCut } = picture;
  const added: RelationshipJson[] = [];
  const place = around !== undefined && graph.hasNode(around) ? graph.getNodeAttributes(around) : null;
  for (const row of rows) {
    visitEntities(Object.values(row), (entity) => {
      if (!isNode(entity)) {
        added.push(entity);
        return;
      }
      nodes.set(entity.id, entity);
      if (graph.hasNode(entity.id)) return;
      if (graph.order >= MOST_NODES) {
        isCut = true;
        return;
      }
      const angle = graph.order * 2.399;
      const radius = place === null ? Math.sqrt(graph.order) : 0.5 + Math.random();
      graph.addNode(entity.id, { x: (place?.['x'] ?? 0) + radius * Math.cos(angle), y: (place?.['y'] ?? 0) + radius * Math.sin(angle) });
    });
  }
  for (const relationship of added) {
    relationships.set(relationship.id, relationship);
    const { id, src, dst, edge_type: label } = relationship;
    if (graph.hasNode(src) && graph.hasNode(dst) && !graph.hasEdge(id))
      graph.addEdgeWithKey(id, src, dst, { label, type: 'arrow', size: 1.5 });
  }
  return { graph, nodes, relationships, isCut };
}

/** Returns the property keys of the nodes of a label. */
export function keysOf({ nodes }: Picture, label: string): string[] {
  const keys = new Set<string>();
  for (const node of nodes.values()) if ((node.labels[0] ?? '') === label) for (const key of Object.keys(node.properties)) keys.add(key);
  return [...keys].sort();
}
