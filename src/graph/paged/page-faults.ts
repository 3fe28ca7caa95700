/**
 * Collects the pages that a statement finds missing while it runs. The statement notes a missing page and runs ahead with
 * zeros in its place, so that it finds all pages that do not depend on the missing one, and these are read concurrently.
 * Results after the first missing page are discarded; when the pages are in memory, the statement repeats the row that
 * missed something.
 */
import { GraphDBError } from '../../base/index.ts';
import { notLoaded } from '../view/residency.ts';
import type { PageCache } from './page-cache.ts';

/** Something that can be read into memory; all statements that miss it share one read. */
export interface Missing {
  /** About how many bytes of memory it will take. */
  readonly bytes: number;
  /** Resolves when it is in memory. */
  load(): Promise<void>;
}

/** How many things one statement may note before it must stop running ahead: with zeros for values it may ask for anything. */
const MOST_MISSING = 4_096;
/** The share of the memory for pages that missing pages of one statement may take before it must stop running ahead. */
const SHARE_AT_ONCE = 1 / 4;

/** Watches the statement that is running; null when none is running that can note missing pages. */
let watching: PageFaults | null = null;

/** How a statement reads by page. */
export interface FaultOptions {
  /** Whether the statement reads by page to its end, since there is no room for whole tables; default: false, it is a short one. */
  readonly toEnd?: boolean;
  /** Returns a number that grows when rows of a table that is read by page get another order. */
  readonly orders?: () => number;
}

/** The pages that a statement has missed. */
export class PageFaults {
  /** Whether something is missing. */
  any = false;
  /** Whether the statement cannot be answered in another way. */
  readonly toEnd: boolean;
  readonly #cache: PageCache;
  readonly #missing = new Set<Missing>();
  #missingBytes = 0;
  #mostBytes = 0;
  #isStopped = false;
  /** The time of the cache at which the present row began. */
  #rowBegan = 0;
  readonly #orders: () => number;
  /** `orders()` when the statement began. */
  readonly #order: number;

  constructor(cache: PageCache, { toEnd = false, orders = () => 0 }: FaultOptions = {}) {
    this.#cache = cache;
    this.toEnd = toEnd;
    this.#orders = orders;
    this.#order = orders();
  }

  /** Notes that the statement begins or repeats a row: pages read for the row stay in memory until the next one begins. */
  beginRow(): void {
    this.#cache.now += 2;
    this.#rowBegan = this.#cache.now;
  }

  /**
   * Runs a part of the statement, whose missing pages are noted here. `run` must be synchronous.
   * @throws PagesEndedError when what the statement has read by page has got another order
   */
  watch<T>(run: () => T): T {
    if (this.#orders() !== this.#order) throw new PagesEndedError();
    const outer = watching;
    watching = this;
    try {
      return run();
    } finally {
      watching = outer;
    }
  }

  /** Reads everything that is missing, concurrently. @throws MEMORY_LIMIT when the pages of one row do not fit into memory */
  async load(): Promise<void> {
    const since = this.#rowBegan;
    // Pages that are loaded count as read at this time.
    this.#cache.now = Math.max(this.#cache.now, since);
    const loads = [...this.#missing].map((missing) => missing.load());
    this.forget();
    for (const result of await Promise.allSettled(loads)) if (result.status === 'rejected') throw result.reason;
    this.#cache.shrink(since);
  }

  /** Forgets what is missing: it is being read, or the statement does without it. */
  forget(): void {
    this.#missing.clear();
    this.#missingBytes = 0;
    this.any = false;
    this.#isStopped = false;
  }

  /** Ends running ahead: the next call of `runAhead` throws. */
  stop(): void {
    this.#isStopped = true;
  }

  /** To be called repeatedly by a statement that runs ahead; throws an error that ends it once `stop` was called. */
  runAhead(): void {
    if (this.#isStopped) throw new RunAheadEnded();
  }

  add(missing: Missing): void {
    if (!this.any) {
      this.any = true;
      this.#mostBytes = this.#cache.limit * SHARE_AT_ONCE;
      // What is read on the way ahead may leave before what the row has read.
      this.#cache.now--;
    }
    this.runAhead();
    if (this.#missing.has(missing)) return;
    this.#missing.add(missing);
    this.#missingBytes += missing.bytes;
    if (this.#missing.size >= MOST_MISSING || this.#missingBytes >= this.#mostBytes) throw new RunAheadEnded();
  }
}

/** Ends a statement that reads files by page which have been merged and removed, when their rows were then loaded in another order. */
export class PagesEndedError extends GraphDBError {
  constructor() {
    super('STORE_UNAVAILABLE', 'the files that the statement reads by page have been merged and are no longer kept; begin again');
  }
}

/** Ends a statement that is running ahead; no caller outside sees it. */
class RunAheadEnded extends GraphDBError {
  constructor() {
    super('INTERNAL', 'a statement has run ahead for long enough');
  }
}

/** Tells whether the running statement can note missing pages. */
export function isReadingByPage(): boolean {
  return watching !== null;
}

/** Tells whether the running statement reads by page to its end, and cannot be answered in another way. */
export function isReadingToEnd(): boolean {
  return watching?.toEnd === true;
}

/** Notes what the running statement is missing. @throws INTERNAL when no statement is watched: `what` should have been in memory */
export function noteMissing(missing: Missing, what: string): void {
  if (watching === null) throw notLoaded(what);
  watching.add(missing);
}
