/**
 * How long a transaction of several statements may keep the writer from others, however its client spends the time
 * (S5). While nobody waits it may go on. Once somebody waits it ends when it has held the writer for three quarters of
 * the limit, but not before others have waited for half of it: it gets time to end by itself, and whoever waits has his
 * turn within the limit, with time left for his statement.
 */
import { type CancelTimer, monotonicMs, scheduleByTimer } from '../../base/index.ts';

/** Shares of the limit: of the hold in all, and of what others wait at least before it ends. */
const HOLD_SHARE = 0.75;
const WAIT_SHARE = 0.5;

/** The time for which a transaction may keep the writer from others. */
export class WriterHold {
  private readonly limitMs: number;
  private readonly onExpired: () => void;
  private readonly sinceMs = monotonicMs();
  /** How long others have waited, without the wait of the moment. */
  private waitedMs = 0;
  private contendedSinceMs: number | null = null;
  private cancel: CancelTimer | null = null;

  /** `onExpired` is called at most once, and not after `end`. */
  constructor(limitMs: number, onExpired: () => void) {
    this.limitMs = limitMs;
    this.onExpired = onExpired;
  }

  /** Whether others wait for the writer. */
  setContended(isContended: boolean): void {
    if (isContended === (this.contendedSinceMs !== null)) return;
    const now = monotonicMs();
    if (this.contendedSinceMs === null) {
      this.contendedSinceMs = now;
      const leftMs = Math.max(this.limitMs * HOLD_SHARE - (now - this.sinceMs), this.limitMs * WAIT_SHARE - this.waitedMs, 0);
      this.cancel = scheduleByTimer(leftMs, this.onExpired);
    } else {
      this.waitedMs += now - this.contendedSinceMs;
      this.contendedSinceMs = null;
      this.end();
    }
  }

  end(): void {
    this.cancel?.();
    this.cancel = null;
  }
}
