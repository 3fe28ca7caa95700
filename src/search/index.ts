export { ANALYZER_NAMES, type Analyzer, analyzerNamed, findAnalyzer } from './analysis/analyzers.ts';
export { TextSegment } from './postings/text-segment.ts';
export { parseTextQuery } from './query/parse-query.ts';
export type { TextQuery } from './query/query.ts';
export { type SearchedSegment, searchText } from './scoring/search.ts';
export type { Hit } from './scoring/top-hits.ts';
export {
  type CentroidList,
  centroidsIn,
  type EntryPage,
  entryBytes,
  newCentroidList,
  openCentroidList,
  openEntryPage,
} from './vectors/cluster-pages.ts';
export { ClusteredCodes } from './vectors/clustered-codes.ts';
export { CodeShape, quantiseCentroid, type Similarity } from './vectors/code-shape.ts';
export { type ClusterSource, type Probed, type ProbeRequest, probeClusters } from './vectors/probe-clusters.ts';
export { isInRange, scaledCosine, scaledDistance, scaledDot, scaledLength } from './vectors/scaled-comparison.ts';
export { measureTail, type TailTable } from './vectors/tail-table.ts';
export { ClusterFinder, type TrainedClusters, trainClusters, vectorAt } from './vectors/train-clusters.ts';
