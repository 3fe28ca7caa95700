/** The door of the graph layer: the store in memory, its views and its transactions. */

export { CommitChanges } from './changes/commit-changes.ts';
export type * from './changes/entity-change.ts';
export { isSameValue } from './changes/same-state.ts';
export { type ClusteredRows, rowAt } from './clusters/clustered-rows.ts';
export { haveSameSubject, namesIn, type SubjectOf } from './data/schema.ts';
export { createGraphStore, GraphStore } from './graph-store.ts';
export type { AutomaticIndex } from './indexes/automatic-indexes.ts';
export { indexKinds } from './indexes/index-kinds.ts';
export type { Flush } from './loading/flush.ts';
export { hasRoom, NoRoomError, type RoomNeed } from './loading/memory-need.ts';
export type { PageLimits } from './loading/page-opener.ts';
export {
  EVERYTHING,
  type RelationshipEnds,
  type Requirements,
  type SearchedIndexes,
} from './loading/requirements.ts';
export { openGraphStore } from './open-graph-store.ts';
export { PageFaults, PagesEndedError } from './paged/page-faults.ts';
export { GraphReplica } from './replica/graph-replica.ts';
export { GraphSharer } from './replica/graph-sharer.ts';
export type { SharedGraph } from './replica/shared-graph.ts';
export { isPropertyColumn, keyOfColumnName } from './tables/table-files.ts';
export { type Violators, violatorsOf } from './transaction/constraints.ts';
export { isAskedByPage, positionOfIndex } from './view/find-index.ts';
export type * from './view/index-view.ts';
export { isNotLoaded } from './view/residency.ts';
export type * from './view/view.ts';
