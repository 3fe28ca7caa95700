/**
 * The pages that a graph has in memory, and which of them make room for others (decision 0035). Pages are arrays of
 * their own: one that leaves is freed once no statement holds on to it, so nothing vanishes under a loop.
 *
 * Time is counted in rows that statements begin (`now`): whoever reads a page notes it there. A page that was read
 * since the row began for which others are loaded stays, and so the row gets on.
 */
import { collectGarbage, GraphDBError } from '../../base/index.ts';

/** A page in memory. */
export interface CachedPage {
  readonly bytes: number;
  /** The time when it was read last. */
  used: number;
  /** Its owner has it no more. */
  drop(): void;
}

/** How much memory pages may take. */
export interface PageRoom {
  /** Bytes at most. */
  readonly mostBytes: number;
  /** Bytes that the process may still take. */
  readonly availableMemory: () => number;
}

/** So much pages may take where the process has nothing left: some hundred of them. */
const LEAST_BYTES = 2 ** 25;
/** The share of the most bytes that is left to statements where the process has less than that left. */
const SHARE_LEFT = 1 / 4;
/** The factor by which the pages of one row may exceed the most bytes. */
const FACTOR_OF_ROW = 1.5;
/** And by so much in any case. */
const BYTES_OF_ROW = 2 ** 22;
/** V8 frees dropped arrays late: after so many bytes it is told to. */
const COLLECT_FROM_BYTES = 2 ** 26;

interface Entry {
  readonly page: CachedPage;
  /** `used` when the hand came by last. */
  seen: number;
}

/** The pages of a graph that are in memory. */
export class PageCache {
  /** See above. Grows. */
  now = 2;
  /** Bytes of all pages. */
  bytes = 0;
  evictions = 0;
  readonly #room: PageRoom;
  readonly #entries: Entry[] = [];
  #hand = 0;
  #droppedBytes = 0;

  constructor(room: PageRoom) {
    this.#room = room;
  }

  /** How many bytes pages may take now. */
  get limit(): number {
    const { mostBytes, availableMemory } = this.#room;
    const left = this.bytes + availableMemory() - mostBytes * SHARE_LEFT;
    return Math.min(mostBytes, Math.max(LEAST_BYTES, left));
  }

  /** Keeps a page that was read now. */
  add(page: CachedPage): void {
    this.#entries.push({ page, seen: page.used });
    this.bytes += page.bytes;
  }

  /**
   * Makes others leave until pages take no more than they may, but not those that were read at `since` or later.
   * MEMORY_LIMIT: these alone take much more than that.
   */
  shrink(since: number): void {
    const { limit } = this;
    for (let looks = 2 * this.#entries.length; this.bytes > limit && looks > 0; looks--) this.#look(since);
    if (this.#droppedBytes >= COLLECT_FROM_BYTES) {
      this.#droppedBytes = 0;
      collectGarbage();
    }
    if (this.bytes > limit * FACTOR_OF_ROW + BYTES_OF_ROW)
      throw new GraphDBError(
        'MEMORY_LIMIT',
        `one row of the statement leads to ${inMiB(this.bytes)} of pages at once, and ${inMiB(limit)} are there for pages; ` +
          'begin with fewer nodes, or give the process more memory',
      );
  }

  /** Its owner keeps the page for as long as it likes. */
  forget(page: CachedPage): void {
    const at = this.#entries.findIndex((entry) => entry.page === page);
    if (at >= 0) this.#remove(at);
  }

  /** The hand of the clock goes on by one page, which leaves if it was not read since the hand came by last. */
  #look(since: number): void {
    if (this.#hand >= this.#entries.length) this.#hand = 0;
    const entry = this.#entries[this.#hand]!;
    const { page } = entry;
    if (page.used >= since || page.used !== entry.seen) {
      entry.seen = page.used;
      this.#hand++;
      return;
    }
    this.#remove(this.#hand);
    page.drop();
    this.evictions++;
    this.#droppedBytes += page.bytes;
  }

  #remove(at: number): void {
    const [entry, last] = [this.#entries[at]!, this.#entries.pop()!];
    if (entry !== last) this.#entries[at] = last;
    this.bytes -= entry.page.bytes;
  }
}

function inMiB(bytes: number): string {
  return `${Math.ceil(bytes / 2 ** 20)} MiB`;
}
