/** The memory that the process may hold in all, as far as closing namespaces can keep to it. */

/** The memory that a process may hold. */
export interface MemoryBudget {
  /** More is held than the process may hold. `graphBytes` tells what the open graphs take; it is asked only where that matters. */
  isExceeded(graphBytes: () => number): boolean;
}

/** A process whose graphs take less than that part of its budget gains nothing by closing them: its memory is elsewhere. */
const LEAST_SHARE = 0.25;

/**
 * Counts what is resident, since V8 counts shared arrays as they were made, not as they have grown. Resident memory
 * falls late, when V8 has collected and the C library has given back: so it counts only while graphs do take a good
 * part of the budget.
 */
export function processMemoryBudget(budgetBytes: number): MemoryBudget {
  return {
    isExceeded: (graphBytes) =>
      process.memoryUsage.rss() > budgetBytes && process.memoryUsage().heapUsed + graphBytes() > LEAST_SHARE * budgetBytes,
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
