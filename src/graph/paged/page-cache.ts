/**
 * The pages that a graph has in memory, and their eviction by a clock (decision 0035). Each page has arrays of its own:
 * an evicted page is freed once no statement refers to it, so that no array disappears while a loop reads it.
 *
 * Time (`now`) is counted in rows that statements begin; a reader of a page stores the time in it. When pages are loaded
 * for a row, pages read since that row began are not evicted, so that the row makes progress.
 */
import { collectGarbage, GraphDBError } from '../../base/index.ts';

/** A page in memory. */
export interface CachedPage {
  readonly bytes: number;
  /** The time of the last read. */
  used: number;
  /** Removes the page from its owner, after an eviction. */
  drop(): void;
}

/** How much memory pages may take. */
export interface PageRoom {
  /** The most bytes that pages may take. */
  readonly mostBytes: number;
  /** Bytes that the process may still take. */
  readonly availableMemory: () => number;
}

/** Bytes that pages may take even when the process has no memory left: some hundred pages. */
const LEAST_BYTES = 2 ** 25;
/** Memory that pages leave to statements when the process runs short of it, as a share of `mostBytes`. */
const SHARE_LEFT = 1 / 4;
/** The pages of one row may take this many times the limit. */
const FACTOR_OF_ROW = 1.5;
/** Bytes by which the pages of one row may exceed the limit in addition. */
const BYTES_OF_ROW = 2 ** 22;
/** V8 frees dropped arrays late, so after this many evicted bytes a garbage collection is forced. */
const COLLECT_FROM_BYTES = 2 ** 26;

interface Entry {
  readonly page: CachedPage;
  /** `used` of the page when the hand of the clock last passed it. */
  seen: number;
}

/** The pages of a graph that are in memory. */
export class PageCache {
  /** The present time, counted in rows. */
  now = 2;
  /** The bytes of all pages together. */
  bytes = 0;
  evictions = 0;
  readonly #room: PageRoom;
  readonly #entries: Entry[] = [];
  #hand = 0;
  #droppedBytes = 0;

  constructor(room: PageRoom) {
    this.#room = room;
  }

  /** How many bytes pages may take at present, by the memory that the process has left. */
  get limit(): number {
    const { mostBytes, availableMemory } = this.#room;
    const left = this.bytes + availableMemory() - mostBytes * SHARE_LEFT;
    return Math.min(mostBytes, Math.max(LEAST_BYTES, left));
  }

  /** Adds a page that has just been read. */
  add(page: CachedPage): void {
    this.#entries.push({ page, seen: page.used });
    this.bytes += page.bytes;
  }

  /**
   * Evicts pages until the rest is within the limit, but no page that was read at `since` or later.
   * @throws MEMORY_LIMIT when the pages read since then take far more than the limit
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

  /** Evicts pages of so many bytes, or all. Those of the present row leave too: if it has lost some, it must be read again. */
  giveWay(bytes: number): void {
    const least = Math.max(0, this.bytes - bytes);
    for (let looks = 2 * this.#entries.length; this.bytes > least && looks > 0; looks--) this.#look(Number.POSITIVE_INFINITY);
    this.#droppedBytes = 0;
  }

  /** Takes a page out of the cache; its owner keeps it in memory, and it is never evicted. */
  forget(page: CachedPage): void {
    const at = this.#entries.findIndex((entry) => entry.page === page);
    if (at >= 0) this.#remove(at);
  }

  /** Moves the hand of the clock on by one page, and evicts the page when it was not read since the hand last passed it. */
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
