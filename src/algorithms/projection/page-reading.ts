/** Parts of a graph that are read by page while a projection is made: only the pages of the present piece have to be in memory. */
import type { Pieces } from '../work.ts';

/** Runs pieces of work over parts of a graph that are read by page. */
export interface PageReading {
  /**
   * Runs a piece until every page that it reads is in memory; pages that are missing are read between two runs. A run
   * that misses a page has read zeros and nulls there, and its errors are dropped. So a piece must do the same in every
   * run, and overwrite what the run before it has left.
   *
   * @throws MEMORY_LIMIT when the pages of one piece do not fit into memory
   */
  whole(piece: () => void): Pieces<void>;
}

/** Runs a piece once where everything is in memory (null), else until its pages are. */
export function* wholly(pages: PageReading | null, piece: () => void): Pieces<void> {
  if (pages === null) piece();
  else yield* pages.whole(piece);
}
