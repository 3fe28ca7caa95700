/** The door of the graph layer: the store in memory, its views and its transactions. */

export type { AutomaticIndex } from './automatic-indexes.ts';
export { type Violators, violatorsOf } from './constraints.ts';
export type { Flush } from './flush.ts';
export { createGraphStore, GraphStore } from './graph-store.ts';
export { openGraphStore } from './open-graph-store.ts';
export { GraphReplica } from './replica/graph-replica.ts';
export { GraphSharer } from './replica/graph-sharer.ts';
export type { SharedGraph } from './replica/shared-graph.ts';
export { EVERYTHING, type RelationshipEnds, type Requirements } from './requirements.ts';
export { isPropertyColumn, keyOfColumnName } from './table-files.ts';
export type * from './view.ts';
