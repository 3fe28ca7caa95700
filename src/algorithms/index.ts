/** The door of the algorithms: projected graphs, their catalog, and the table of algorithms. Nothing here knows of statements. */

export { algorithms } from './algorithms.ts';
export type { Configured, Field, Fields } from './configuration/fields.ts';
export * as fields from './configuration/fields.ts';
export { type ReadConfiguration, readConfiguration } from './configuration/read-configuration.ts';
export { AGGREGATIONS, buildRelationships, relationshipBytes } from './graph/build-relationships.ts';
export { GraphCatalog } from './graph/graph-catalog.ts';
export type { NodeProperty } from './graph/node-property.ts';
export { ProjectedGraph, type RelationshipSet } from './graph/projected-graph.ts';
export { type CatalogEntry, SharedCatalog, type Task } from './graph/shared-catalog.ts';
export { subgraph, undirected } from './graph/subgraph.ts';
export { nodePropertyFor, type Selection, select, selectionBytes, type Topology } from './graph/topology.ts';
export { generateRelationships } from './projection/generate-relationships.ts';
export type { PageReading } from './projection/page-reading.ts';
export { projectNative } from './projection/project-native.ts';
export { type ProjectedRow, RowProjection } from './projection/project-rows.ts';
export { type ProjectionRequest, projectionRequest } from './projection/projection-request.ts';
export type * from './table/algorithm.ts';
export { LEAST_BYTES_PER_NODE } from './table/algorithm.ts';
export { degreeDistribution } from './table/degree-distribution.ts';
export { AlgorithmThreads } from './threads/algorithm-threads.ts';
export type { Pieces, Work } from './work.ts';
