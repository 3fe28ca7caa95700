/** What an engine counts while it prepares statements and builds automatic indexes; `EngineStatistics` tells what the numbers mean. It outlives the graphs that are served. */
export class StatementCounters {
  planCacheHits = 0;
  planCacheMisses = 0;
  automaticIndexesMade = 0;
  automaticIndexesDropped = 0;
  automaticIndexSeeks = 0;
}
