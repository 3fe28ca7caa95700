/** The size of a graph that a native projection makes, and the memory that making it takes, from the statistics of the graph. */
import type { ProjectionRequest } from '../../../algorithms/index.ts';
import type { GraphView } from '../../../graph/index.ts';

/** The size of a graph for which memory is estimated. */
export interface GraphSize {
  readonly nodeCount: number;
  readonly relationshipCount: number;
  readonly isDirected: boolean;
  /** How many types of relationships the graph has. */
  readonly types: number;
}

/** Returns a lower bound of the size of a projection. Its relationships are not counted, as their ends may not be among the nodes. */
export function leastSize(view: GraphView, { nodes, relationships }: ProjectionRequest): GraphSize {
  return { nodeCount: leastNodes(view, nodes), relationshipCount: 0, isDirected: false, types: relationships.length };
}

/** Returns an upper bound of the size of a projection: a node counts once for each of its labels. */
export function requestedSize(view: GraphView, { nodes, relationships }: ProjectionRequest): GraphSize {
  let nodeCount = 0;
  for (const { label } of nodes) nodeCount += label === null ? view.nodeCount : view.statistics.nodesWithLabel(label);
  let relationshipCount = 0;
  let isDirected = false;
  for (const { type, orientation } of relationships) {
    const count = type === null ? view.relationshipCount : view.statistics.relationshipsOfType(type);
    relationshipCount += orientation === 'UNDIRECTED' ? 2 * count : count;
    isDirected ||= orientation !== 'UNDIRECTED';
  }
  return { nodeCount: Math.min(nodeCount, view.nodeCount), relationshipCount, isDirected, types: relationships.length };
}

/**
 * Returns the bytes that a projection takes at least: those of its nodes, which are at least as many as have one of the
 * labels. Relationships are left out whose ends are not among the nodes.
 */
export function leastProjectionBytes(view: GraphView, { nodes }: ProjectionRequest): number {
  return 4 * leastNodes(view, nodes);
}

/** Returns how many nodes a projection has at least. */
function leastNodes(view: GraphView, nodes: ProjectionRequest['nodes']): number {
  return Math.max(0, ...nodes.map(({ label }) => (label === null ? view.nodeCount : view.statistics.nodesWithLabel(label))));
}

/**
 * Returns the bytes that a projection takes at most while it is made, by part; their sum is the estimate. Lists of nodes
 * are not known before they are read, and count as numbers.
 */
export function projectionBytes(view: GraphView, request: ProjectionRequest): Readonly<Record<string, number>> {
  const { nodeCount } = requestedSize(view, request);
  const labels = new Set(request.nodes.map(({ name }) => name)).size;
  const nodeProperties = new Set(request.nodes.flatMap(({ properties }) => properties.map(({ name }) => name))).size;
  const offsets = 4 * (nodeCount + 1);
  let kept = 0;
  let keptProperties = 0;
  let most = 0;
  for (const { type, orientation, aggregation, properties } of request.relationships) {
    const pairs = type === null ? view.relationshipCount : view.statistics.relationshipsOfType(type);
    const entries = orientation === 'UNDIRECTED' ? 2 * pairs : pairs;
    const own = offsets + 4 * entries;
    const ownProperties = 8 * entries * properties.length;
    const isAggregated = [aggregation, ...properties.map((property) => property.aggregation)].some((each) => (each ?? 'NONE') !== 'NONE');
    const collected = 8 * pairs * (1 + properties.length);
    const sorting = 3 * offsets + 8 * entries + (orientation === 'UNDIRECTED' ? 8 * entries : 0);
    const gathering = own + 4 * entries + ownProperties;
    const joining = isAggregated ? 2 * (own + ownProperties) : 0;
    most = Math.max(most, kept + keptProperties + collected + Math.max(sorting, gathering, joining));
    kept += own;
    keptProperties += ownProperties;
  }
  return {
    nodes: nodeCount * (4 + labels) + view.nodeLimit * 4,
    'node properties': nodeCount * 8 * nodeProperties,
    relationships: kept,
    'relationship properties': keptProperties,
    sorting: Math.max(0, most - kept - keptProperties),
  };
}
