/**
 * Counts of prepared statements and of automatic indexes; `EngineStatistics` says what the numbers mean. The counts
 * outlive the graphs that are served.
 */
export class StatementCounters {
  planCacheHits = 0;
  planCacheMisses = 0;
  readsByPage = 0;
  automaticIndexesMade = 0;
  automaticIndexesDropped = 0;
  automaticIndexSeeks = 0;
}
