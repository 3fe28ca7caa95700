/** The parts of the runtime that a search along relationships uses: it reads the graph, and counts its work. */
import type { Limits } from '../limits.ts';
import type { Reads } from '../reads.ts';

export interface Traversal {
  readonly reads: Reads;
  readonly limits: Limits;
}
