/** The memory budget of the process, which closing idle namespaces helps to keep. */

/** A limit on the memory of the process. */
export interface MemoryBudget {
  /**
   * Returns how many idle namespaces to close now: 0 while there is room, 1 when the budget is nearly full, 2 when it is
   * all but full. `graphBytes` returns the bytes that all open graphs hold; called only if needed.
   */
  closings(graphBytes: () => number): 0 | 1 | 2;
}

/**
 * Shares of the budget from which on one namespace, and two, are closed at a time. Closing begins early because the
 * memory of a closed graph is given back late, and what is opened and read until then must find room. Where one closing
 * for each opening frees less than the opening takes, two make the number of open namespaces fall.
 */
const NEARLY_FULL_SHARE = 0.85;
const FULL_SHARE = 0.95;
/** Share of the budget that heap and graphs must take: below it, closing graphs would gain nothing, since the memory is elsewhere. */
const LEAST_SHARE = 0.25;

/**
 * Returns a budget that measures resident memory, since V8 counts shared arrays by their initial size, not as they have
 * grown. Resident memory falls late, after V8 has collected garbage and the C library has returned memory; so the
 * budget counts as full only while heap and graphs take a good part of it.
 */
export function processMemoryBudget(budgetBytes: number): MemoryBudget {
  return {
    closings(graphBytes) {
      const share = process.memoryUsage.rss() / budgetBytes;
      if (share <= NEARLY_FULL_SHARE || process.memoryUsage().heapUsed + graphBytes() <= LEAST_SHARE * budgetBytes) return 0;
      return share > FULL_SHARE ? 2 : 1;
    },
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
