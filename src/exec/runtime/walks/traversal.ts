/**
 * The parts of the runtime that a search along relationships uses: to read the graph, to count its work, and to charge
 * the memory that it keeps.
 */
import type { Limits } from '../limits.ts';
import type { Reads } from '../reads.ts';
import type { MemoryAccount } from '../rows/memory-account.ts';

/** The parts of the runtime that a search along relationships uses. */
export interface Traversal {
  readonly reads: Reads;
  readonly limits: Limits;
  readonly memory: MemoryAccount;
}
