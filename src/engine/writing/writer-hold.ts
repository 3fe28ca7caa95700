/**
 * Limits how long a transaction of several statements may keep the writer from others, however its client spends the
 * time (S5). While nobody waits the transaction may go on. Once others wait, it ends when it has held the writer for
 * three quarters of the limit, but not before they have waited for half of it: it gets time to end by itself, and a
 * waiting writer has its turn within the limit, with time left for its statement.
 */
import { type CancelTimer, monotonicMs, scheduleByTimer } from '../../base/index.ts';

/** Shares of the limit: of the hold in all, and of the least wait of others before the hold ends. */
const HOLD_SHARE = 0.75;
const WAIT_SHARE = 0.5;

/** The time for which a transaction may keep the writer from others. */
export class WriterHold {
  private readonly limitMs: number;
  private readonly onExpired: () => void;
  private readonly sinceMs = monotonicMs();
  /** Milliseconds that others have waited, without their present wait. */
  private waitedMs = 0;
  private contendedSinceMs: number | null = null;
  private cancel: CancelTimer | null = null;

  /** Begins the hold. `onExpired` is called at most once, when its time is over, and not after `end`. */
  constructor(limitMs: number, onExpired: () => void) {
    this.limitMs = limitMs;
    this.onExpired = onExpired;
  }

  /** Tells the hold whether others wait for the writer. */
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
