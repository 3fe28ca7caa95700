/**
 * What a statement found missing while it ran over paged arrays. A statement that meets a page that is not in memory notes it and goes on with zeros in its place: so it comes to know
 * at once all pages that do not depend on what it did not find, and these are read side by side. What it gives then is for nothing; it begins again when they are there.
 */
import { GraphDBError } from '../../base/index.ts';
import { notLoaded } from '../view/residency.ts';

/** Something that can be read into memory, once, whoever asks for it. */
export interface Missing {
  /** Resolves when it is in memory. */
  load(): Promise<void>;
}

/** A statement that runs on zeros may ask for anything: so much at most. */
const MOST_MISSING = 4_096;

/** The statement that runs now; null: none that can do with less than all. */
let watching: PageFaults | null = null;

export class PageFaults {
  readonly #missing = new Set<Missing>();

  get any(): boolean {
    return this.#missing.size > 0;
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

  /** Reads all that was missing, side by side, and forgets it. */
  async load(): Promise<void> {
    const loads = [...this.#missing].map((missing) => missing.load());
    this.#missing.clear();
    for (const result of await Promise.allSettled(loads)) if (result.status === 'rejected') throw result.reason;
  }

  add(missing: Missing): void {
    this.#missing.add(missing);
    if (this.#missing.size >= MOST_MISSING) throw new TooMuchMissing();
  }
}

/** Ends a statement that runs on zeros; never told to anybody. */
class TooMuchMissing extends GraphDBError {
  constructor() {
    super('INTERNAL', 'a statement asked for too many pages at once');
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
