/**
 * Asks the bucket whether another writer has taken over, while somebody reads. A writer that commits learns it from its
 * puts; one that only reads makes no request by itself, and would serve old data as `writer` for ever. An idle one asks
 * nothing.
 *
 * A reader, or who asks for the status, goes on at once while the last look is younger than FRESH_MS. Then its reads
 * begin another look beside them; past STALE_MS they wait for it, so that nobody reads what was replaced longer ago, by
 * this clock. A store that does not answer holds a read up for PATIENCE_MS at most. Cost: one request for each look.
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

  /** Null: a read may go on at once. Otherwise when this resolves; it never rejects. */
  beforeRead(): Promise<void> | null {
    const ageMs = this.ageMs();
    if (ageMs < FRESH_MS) return null;
    const looking = this.look();
    return ageMs < STALE_MS ? null : this.patiently(looking);
  }

  /** The age of the last look, which counts for nothing when the clock was set back since; 0 for a reader. */
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
      // Closed, or the store does not answer: the next read looks again.
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
