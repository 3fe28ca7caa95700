/** Counts of flushes, merges and collections; `EngineStatistics` tells what the numbers mean. */
export class BackgroundCounters {
  flushes = 0;
  flushedSsts = 0;
  mergedTables = 0;
  mergedRows = 0;
  /** Flushes, merges and collections under way. */
  backgroundTasks = 0;
  collectedObjects = 0;
  collectedBytes = 0;
  unloads = 0;

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
