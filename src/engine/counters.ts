/** What the parts of an engine count while they work, for whoever watches it. Each part writes its own; `EngineStatistics` tells what they mean. */
export class EngineCounters {
  planCacheHits = 0;
  planCacheMisses = 0;
  flushes = 0;
  flushedSsts = 0;
  mergedTables = 0;
  mergedRows = 0;
  collectedObjects = 0;
  collectedBytes = 0;
}
