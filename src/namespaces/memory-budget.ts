/** The memory budget of the process, which closing idle namespaces helps to keep. */

/** A limit on the memory of the process. */
export interface MemoryBudget {
  /** Tells whether the process holds more than its budget. `graphBytes` returns the bytes of all open graphs; called only if needed. */
  isExceeded(graphBytes: () => number): boolean;
}

/** Share of the budget that heap and graphs must take: below it, closing graphs would gain nothing, since the memory is elsewhere. */
const LEAST_SHARE = 0.25;

/**
 * Returns a budget that measures resident memory, since V8 counts shared arrays by their initial size, not as they have
 * grown. Resident memory falls late, after V8 has collected garbage and the C library has returned memory; so the
 * budget counts as exceeded only while heap and graphs take a good part of it.
 */
export function processMemoryBudget(budgetBytes: number): MemoryBudget {
  return {
    isExceeded: (graphBytes) =>
      process.memoryUsage.rss() > budgetBytes && process.memoryUsage().heapUsed + graphBytes() > LEAST_SHARE * budgetBytes,
  };
}

/** Bytes that may always be loaded (16 MiB): a process beyond its budget still answers over small tables. */
const ALWAYS_LEFT = 2 ** 24;

/**
 * Returns how many bytes the process may still take: the rest of its budget, or of the memory of the container or the
 * machine if that is less; at least 16 MiB. Measures resident memory: of arrays that are read by page, only pages
 * count.
 */
export function memoryLeft(budgetBytes: number): number {
  return Math.max(ALWAYS_LEFT, Math.min(budgetBytes - process.memoryUsage.rss(), process.availableMemory()));
}
