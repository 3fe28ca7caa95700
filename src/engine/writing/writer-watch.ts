/**
 * Checks in the bucket whether another writer has taken over, while there are reads. A writer that commits learns that
 * from its puts; one that only serves reads makes no request by itself, and would serve old data as `writer` for ever.
 * An idle writer checks nothing.
 *
 * A read, or a request for the status, goes on at once while the last check is younger than FRESH_MS. After that it
 * begins another check beside it; past STALE_MS it waits for the check, so that nobody reads what was replaced longer
 * ago, by this clock. A store that does not answer holds a read up for PATIENCE_MS at most. Cost: one request for each
 * check.
 */
import type { Clock, Schedule } from '../../base/index.ts';
import { isFenced, type Namespace } from '../../storage/index.ts';

/** The options of the watch. */
export interface WriterWatchOptions {
  readonly namespace: Namespace;
  readonly clock: Clock;
  readonly schedule: Schedule;
  readonly onFenced: () => void;
  /** Reads what the successor has written. */
  readonly catchUp: () => Promise<boolean>;
}

const FRESH_MS = 1_000;
const STALE_MS = 3_000;
const PATIENCE_MS = 1_000;

/** Finds out, before reads, whether another writer has taken over. */
export class WriterWatch {
  private readonly options: WriterWatchOptions;
  private lookedAtMs: number;
  private looking: Promise<void> | null = null;

  constructor(options: WriterWatchOptions) {
    this.options = options;
    this.lookedAtMs = options.clock.now();
  }

  /** Returns null if a read may go on at once; otherwise a promise, which never rejects, for which the read waits. */
  beforeRead(): Promise<void> | null {
    const ageMs = this.ageMs();
    if (ageMs < FRESH_MS) return null;
    const looking = this.look();
    return ageMs < STALE_MS ? null : this.patiently(looking);
  }

  /** Returns the age of the last check in milliseconds: Infinity if the clock was set back since, 0 for a reader. */
  private ageMs(): number {
    if (this.options.namespace.role !== 'writer') return 0;
    const ageMs = this.options.clock.now() - this.lookedAtMs;
    return ageMs < 0 ? Number.POSITIVE_INFINITY : ageMs;
  }

  private look(): Promise<void> {
    this.looking ??= this.lookNow().finally(() => {
      this.looking = null;
    });
    return this.looking;
  }

  private async lookNow(): Promise<void> {
    const { namespace, clock, onFenced, catchUp } = this.options;
    const startedAtMs = clock.now();
    try {
      await namespace.confirmWriter();
      this.lookedAtMs = startedAtMs;
    } catch (error) {
      // The namespace is closed, or the store does not answer: the next read checks again.
      if (!isFenced(error)) return;
      onFenced();
      await catchUp().catch(() => false);
    }
  }

  private patiently(looking: Promise<void>): Promise<void> {
    return new Promise((resolve) => {
      const cancel = this.options.schedule(PATIENCE_MS, resolve);
      void looking.then(() => {
        cancel();
        resolve();
      });
    });
  }
}
