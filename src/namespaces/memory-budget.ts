/** The memory that the process may hold in all, as far as closing namespaces can keep to it. */

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
