/**
 * Makes parts of the graph readable that a procedure learns of only while it runs, such as those that a projection names:
 * they are loaded whole where there is room for them, and read by page where there is none (decision 0035). A procedure
 * runs pieces of bounded work over pages, each again until it has missed nothing.
 */
import type { PageReading } from '../../../algorithms/index.ts';
import { GraphDBError } from '../../../base/index.ts';
import { type GraphStore, hasRoom, type PageFaults, type Requirements } from '../../../graph/index.ts';
import type { StatementGraph } from '../statement-graph.ts';
import type { Pauses } from './pauses.ts';

/** The store of the graph that a statement reads, as far as parts of it are brought into memory while the statement runs. */
export type PartStore = Pick<GraphStore, 'require' | 'bytesToLoad' | 'openPages' | 'pageFaults' | 'availableMemory' | 'roomFor'>;

/** The most rounds of reading pages for one piece; one that takes more needs more pages at once than there is room for. */
const MOST_ROUNDS = 256;

/** Reads parts of the graph that are named while a statement runs. */
export class PartReading {
  readonly #graph: StatementGraph;
  readonly #store: PartStore | undefined;
  readonly #pauses: Pauses;

  /** @param store undefined in a read worker, whose graph has all that its statement reads */
  constructor(graph: StatementGraph, store: PartStore | undefined, pauses: Pauses) {
    this.#graph = graph;
    this.#store = store;
    this.#pauses = pauses;
  }

  /** Returns how many bytes of memory the process may still take; pages make room for so many. */
  roomFor(bytes: number): number {
    return this.#store?.roomFor(bytes) ?? Number.POSITIVE_INFINITY;
  }

  /**
   * Makes parts of the graph readable. Returns null if they are in memory; otherwise what runs pieces over their pages.
   *
   * @param bytes how many bytes the procedure will take; the parts are loaded whole only where there is room for both
   * @throws NoRoomError if the parts fit neither whole nor by page, and the errors of reading
   */
  *open(requirements: Requirements, bytes: number): Generator<null, PageReading | null, void> {
    const store = this.#store;
    if (store === undefined) return null;
    const { view, transaction } = this.#graph;
    // The view of a transaction that writes is not read by page.
    if (transaction === null && !hasRoom(store.bytesToLoad(requirements) + bytes, store.availableMemory)) {
      if (yield* this.#pauses.during(() => store.openPages(view, requirements))) {
        const faults = store.pageFaults(true);
        return { whole: (piece) => this.#whole(faults, piece) };
      }
    }
    const loading = store.require(view, requirements);
    if (loading !== null) yield* this.#pauses.during(() => loading);
    return null;
  }

  *#whole(faults: PageFaults, piece: () => void): Generator<null, void, void> {
    for (let round = 0; round < MOST_ROUNDS; round++) {
      faults.beginRow();
      try {
        faults.watch(piece);
      } catch (error) {
        // What was found among zeros says nothing.
        if (!faults.any) throw error;
      }
      if (!faults.any) return;
      yield* this.#pauses.during(() => faults.load());
    }
    faults.forget();
    throw new GraphDBError(
      'MEMORY_LIMIT',
      'the rows that are read at once do not fit into the memory for pages; give the process more memory',
    );
  }
}
