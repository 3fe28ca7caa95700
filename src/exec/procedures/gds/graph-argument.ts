/** The first argument of algorithm procedures: the name of a projected graph, or a map that describes one for this call only. */
import {
  type Configured,
  type Fields,
  fields,
  type Pieces,
  type ProjectedGraph,
  type ProjectionRequest,
  projectionRequest,
  projectNative,
  readConfiguration,
  type Work,
} from '../../../algorithms/index.ts';
import type { GraphView } from '../../../graph/index.ts';
import { argumentFault, typeFault, typeName, type Value } from '../../../value/index.ts';
import type { ProcedureContext } from '../../runtime/procedure-context.ts';

/** The configuration fields that every projection has. */
export const PROJECTION_FIELDS = {
  nodeProperties: fields.anything(null),
  relationshipProperties: fields.anything(null),
  readConcurrency: fields.integer(4, { min: 1 }),
  validateRelationships: fields.boolean(false),
  jobId: fields.optional(fields.string(undefined)),
  sudo: fields.boolean(false),
  username: fields.optional(fields.string(undefined)),
  logProgress: fields.boolean(true),
} satisfies Fields;

const ANONYMOUS_FIELDS = {
  ...PROJECTION_FIELDS,
  nodeProjection: fields.anything(undefined),
  relationshipProjection: fields.anything(undefined),
} satisfies Fields;

/** Returns the projection that a map describes. @throws TYPE_ERROR, ARGUMENT_ERROR if the map is invalid */
export function anonymousRequest(map: ReadonlyMap<string, Value>): ProjectionRequest {
  const values: Configured<typeof ANONYMOUS_FIELDS> = readConfiguration(ANONYMOUS_FIELDS, map).values;
  return projectionRequest(values.nodeProjection, values.relationshipProjection, map);
}

/** Returns the graph of an argument, and projects it if it is a map. @throws TYPE_ERROR, ARGUMENT_ERROR if there is no such graph */
export function* graphOf({ view, catalog }: ProcedureContext, given: Value, work: Work): Pieces<ProjectedGraph> {
  if (typeof given === 'string') return catalog.get(given).graph;
  if (given instanceof Map) return yield* projectNative(view, anonymousRequest(given), work);
  throw typeFault(`a graph is given by its name, or as a Map that describes it, not as ${typeName(given)}`);
}

/** Checks that the nodes of a graph are nodes of the database, so that it can be written to it. @throws ARGUMENT_ERROR if not */
export function checkWritable(graph: ProjectedGraph): void {
  if (graph.isOfDatabase) return;
  throw argumentFault(
    'The graph cannot be written to the database: it was generated, or projected from numbers instead of nodes, so that its nodes ' +
      'are none of the database.',
  );
}

/** The size of a graph for which memory is estimated. */
export interface GraphSize {
  readonly nodeCount: number;
  readonly relationshipCount: number;
  readonly isDirected: boolean;
}

/** Returns the size of the graph of an argument: exact for a projected graph, estimated from statistics for a map. */
export function sizeOf({ view, catalog }: ProcedureContext, given: Value): GraphSize {
  if (typeof given === 'string') {
    const { graph } = catalog.get(given);
    const isDirected = [...graph.relationships.values()].some(({ orientation }) => orientation !== 'UNDIRECTED');
    return { nodeCount: graph.nodeCount, relationshipCount: graph.relationshipCount, isDirected };
  }
  if (given instanceof Map) return requestedSize(view, anonymousRequest(given));
  throw typeFault(`a graph is given by its name, or as a Map that describes it, not as ${typeName(given)}`);
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
  return { nodeCount: Math.min(nodeCount, view.nodeCount), relationshipCount, isDirected };
}
