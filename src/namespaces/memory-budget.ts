/** The memory that the process may hold in all, as far as closing namespaces can keep to it. */

/** The memory that a process may hold. */
export interface MemoryBudget {
  /** More is held than the process may hold. */
  isExceeded(): boolean;
}

/** Counts arrays outside of the heap, of which graphs consist, and what is used of the heap of the main thread. */
export function processMemoryBudget(budgetBytes: number): MemoryBudget {
  return {
    isExceeded() {
      const { heapUsed, external } = process.memoryUsage();
      return heapUsed + external > budgetBytes;
    },
  };
}

/** So much may be loaded always: a process beyond its budget still answers over small tables. */
const ALWAYS_LEFT = 2 ** 24;

/**
 * Bytes that the process may still take, of its budget and of what the container or the machine has left. Counts what
 * is resident: of arrays that are read by page only pages are.
 */
export function memoryLeft(budgetBytes: number): number {
  return Math.max(ALWAYS_LEFT, Math.min(budgetBytes - process.memoryUsage.rss(), process.availableMemory()));
}
