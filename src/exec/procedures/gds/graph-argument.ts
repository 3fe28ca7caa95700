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
import { GraphDBError } from '../../../base/index.ts';
import type { Requirements } from '../../../graph/index.ts';
import { argumentFault, typeFault, typeName, type Value } from '../../../value/index.ts';
import type { ProcedureContext } from '../../runtime/procedure-context.ts';
import { readableBytes, sumOf } from './estimates.ts';
import { openParts } from './open-parts.ts';
import { type GraphSize, leastProjectionBytes, leastSize, projectionBytes, requestedSize } from './projection-size.ts';

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
export function* graphOf(context: ProcedureContext, given: Value, work: Work): Pieces<ProjectedGraph> {
  if (typeof given === 'string') return context.catalog.get(given).graph;
  if (given instanceof Map) return yield* projected(context, anonymousRequest(given), work);
  throw typeFault(`a graph is given by its name, or as a Map that describes it, not as ${typeName(given)}`);
}

/**
 * Projects a graph. What it is made of is loaded, or read by page where there is no room for it.
 *
 * @throws MEMORY_LIMIT, with the bytes that are needed, if there is no room for the projected graph; the errors of `projectNative`
 */
export function* projected(context: ProcedureContext, request: ProjectionRequest, work: Work): Pieces<ProjectedGraph> {
  const bytes = sumOf(projectionBytes(context.view, request));
  checkRoom(context, bytes);
  const pages = yield* openParts(context, partsOf(request), bytes);
  return yield* projectNative({ view: context.view, pages }, request, work);
}

/** Returns the parts of the graph that a projection reads. */
function partsOf({ nodes, relationships }: ProjectionRequest): Requirements {
  const labels = nodes.flatMap(({ label }) => label ?? []);
  const types = relationships.flatMap(({ type }) => type ?? []);
  const keysOf = (all: readonly { readonly properties: ProjectionRequest['nodes'][number]['properties'] }[]): string[] => [
    ...new Set(all.flatMap(({ properties }) => properties.map(({ key }) => key))),
  ];
  return {
    labels: labels.length < nodes.length ? 'all' : labels,
    ends: [],
    types: types.length < relationships.length ? 'all' : types,
    nodeKeys: keysOf(nodes),
    relationshipKeys: keysOf(relationships).filter((key) => key !== '*'),
    ids: false,
    lookups: false,
    writes: false,
  };
}

function checkRoom(context: ProcedureContext, bytes: number): void {
  const available = context.roomFor(bytes);
  if (bytes <= available) return;
  throw new GraphDBError(
    'MEMORY_LIMIT',
    `the projected graph takes ${readableBytes(Math.ceil(bytes))} of memory while it is made, and ${readableBytes(available)} are ` +
      'left to the process; project fewer nodes, relationships or properties, drop other graphs, or give it more memory',
  );
}

/** Checks that the nodes of a graph are nodes of the database, so that it can be written to it. @throws ARGUMENT_ERROR if not */
export function checkWritable(graph: ProjectedGraph): void {
  if (graph.isOfDatabase) return;
  throw argumentFault(
    'The graph cannot be written to the database: it was generated, or projected from numbers instead of nodes, so that its nodes ' +
      'are none of the database.',
  );
}

/** Returns the bytes that the projection of an anonymous graph takes, by part. @throws TYPE_ERROR, ARGUMENT_ERROR if the map is invalid */
export function requestedBytes({ view }: ProcedureContext, given: Value): Readonly<Record<string, number>> {
  return given instanceof Map ? projectionBytes(view, anonymousRequest(given)) : {};
}

/** Returns the bytes that the projection of an anonymous graph takes at least, and the size that the graph has at least. */
export function leastRequested({ view }: ProcedureContext, given: ReadonlyMap<string, Value>): { bytes: number; size: GraphSize } {
  const request = anonymousRequest(given);
  return { bytes: leastProjectionBytes(view, request), size: leastSize(view, request) };
}

/** Returns the size of the graph of an argument: exact for a projected graph, estimated from statistics for a map. */
export function sizeOf({ view, catalog }: ProcedureContext, given: Value): GraphSize {
  if (typeof given === 'string') {
    const { graph } = catalog.get(given);
    const isDirected = [...graph.relationships.values()].some(({ orientation }) => orientation !== 'UNDIRECTED');
    return { nodeCount: graph.nodeCount, relationshipCount: graph.relationshipCount, isDirected, types: graph.relationships.size };
  }
  if (given instanceof Map) return requestedSize(view, anonymousRequest(given));
  throw typeFault(`a graph is given by its name, or as a Map that describes it, not as ${typeName(given)}`);
}
