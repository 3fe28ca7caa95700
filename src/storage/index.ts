/** Storage: the bucket format and its protocol, with manifest, write-ahead log and SSTs (docs/storage-format.md). */

export type {
  AdjacencyDirection,
  AdjacencyDirectory,
  ArrayName,
  PagedArrayPlace,
} from './adjacency/adjacency-directory.ts';
export { openPagedArrays, type PagedArrays } from './adjacency/paged-arrays.ts';
export type * from './api.ts';
export type { ArtefactKind } from './artefacts/artefact-kind.ts';
export { type ArtefactQuestion, BUILT_IN_KINDS, findArtefacts } from './built-in-kinds.ts';
export { freshCaptureId } from './changes/capture-id.ts';
export { openClusters, type VectorClusters } from './clusters/open-clusters.ts';
export { fenced, gone, isFenced, MissingFileError } from './faults.ts';
export { type CopyOptions, type CopyOutcome, type CopyProgress, copyNamespace } from './maintenance/copy-namespace.ts';
export {
  type ArtefactDescription,
  type FileDescription,
  type InspectOptions,
  inspectNamespace,
  type NamespaceDescription,
  type TableDescription,
  type WalDescription,
} from './maintenance/inspect-namespace.ts';
export { previewManifest } from './manifest/manifest-edit.ts';
export { tableId } from './manifest/table-id.ts';
export { type CatalogueOptions, NamespaceCatalogue } from './namespaces/namespace-catalogue.ts';
export { type OpenNamespaceOptions, openNamespace } from './open-namespace.ts';
export { type CacheUsage, usageOf } from './page-cache/cache-usage.ts';
export { PageCache } from './page-cache/page-cache.ts';
export { openRange, type RangeBounds, type RangeHits, type RangeIndex } from './range/range-index.ts';
export { scanTable } from './scan-table.ts';
export { columnValue } from './sst/column-value.ts';
export { DetachedFiles } from './sst/detached-files.ts';
export { SstCache } from './sst/sst-cache.ts';
export { encodeFiles } from './sst/upload-table.ts';
export type { LogWindow } from './wal/put-pacing.ts';
