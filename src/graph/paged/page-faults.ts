/**
 * Pages that a statement found missing while it ran over them. A statement that meets a page that is not in memory
 * notes it and goes on with zeros in its place: so it comes to know at once all pages that do not depend on what it did
 * not find, and these are read side by side. What it gives then is for nothing; it goes on with the row that missed
 * something when they are there.
 */
import { GraphDBError } from '../../base/index.ts';
import { notLoaded } from '../view/residency.ts';
import type { PageCache } from './page-cache.ts';

/** Something that can be read into memory, once, whoever asks for it. */
export interface Missing {
  /** About what it takes there. */
  readonly bytes: number;
  /** Resolves when it is in memory. */
  load(): Promise<void>;
}

/** A statement that runs on zeros may ask for anything: so much at most. */
const MOST_MISSING = 4_096;
/** And so large a share of the memory for pages. */
const SHARE_AT_ONCE = 1 / 4;

/** The statement that runs now; null: none that can do with less than all. */
let watching: PageFaults | null = null;

/** The pages that a statement has missed. */
export class PageFaults {
  /** Something is missing. */
  any = false;
  readonly #cache: PageCache;
  readonly #missing = new Set<Missing>();
  #missingBytes = 0;
  #mostBytes = 0;
  #isStopped = false;
  /** The time at which the present row began. */
  #rowBegan = 0;

  constructor(cache: PageCache) {
    this.#cache = cache;
  }

  /** The statement begins with a row, or begins it again: what is read for it from now on stays in memory while it waits for more. */
  beginRow(): void {
    this.#cache.now += 2;
    this.#rowBegan = this.#cache.now;
  }

  /** Runs a part of the statement. It must not await. */
  watch<T>(run: () => T): T {
    const outer = watching;
    watching = this;
    try {
      return run();
    } finally {
      watching = outer;
    }
  }

  /** Reads all that was missing, side by side, and forgets it. MEMORY_LIMIT: what one row leads to does not fit. */
  async load(): Promise<void> {
    const since = this.#rowBegan;
    // What was loaded counts as read at this time.
    this.#cache.now = Math.max(this.#cache.now, since);
    const loads = [...this.#missing].map((missing) => missing.load());
    this.#missing.clear();
    this.#missingBytes = 0;
    this.any = false;
    this.#isStopped = false;
    for (const result of await Promise.allSettled(loads)) if (result.status === 'rejected') throw result.reason;
    this.#cache.shrink(since);
  }

  /** The statement has run ahead for long enough. */
  stop(): void {
    this.#isStopped = true;
  }

  /** To be called by a statement that runs ahead. Ends that by an error where it is enough. */
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

/** Ends a statement that runs on zeros; never told to anybody. */
class RunAheadEnded extends GraphDBError {
  constructor() {
    super('INTERNAL', 'a statement has run ahead for long enough');
  }
}

/** Whether the statement that runs can do with less than all. */
export function isReadingByPage(): boolean {
  return watching !== null;
}

/** Notes that the statement that runs needs it. INTERNAL: nobody watches for what is missing, so `what` should have been in memory. */
export function noteMissing(missing: Missing, what: string): void {
  if (watching === null) throw notLoaded(what);
  watching.add(missing);
}
