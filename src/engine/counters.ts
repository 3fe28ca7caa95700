/** What the parts of an engine count while they work, for whoever watches it. Each part writes its own; `EngineStatistics` tells what they mean. */
export class EngineCounters {
  planCacheHits = 0;
  planCacheMisses = 0;
  automaticIndexesMade = 0;
  automaticIndexesDropped = 0;
  automaticIndexSeeks = 0;
  flushes = 0;
  flushedSsts = 0;
  mergedTables = 0;
  mergedRows = 0;
  /** Flushes, merges and collections under way. */
  backgroundTasks = 0;
  collectedObjects = 0;
  collectedBytes = 0;

  /** Counts the work among `backgroundTasks` until it has ended. */
  async during<T>(work: () => Promise<T>): Promise<T> {
    this.backgroundTasks++;
    try {
      return await work();
    } finally {
      this.backgroundTasks--;
    }
  }
}
