/** The times that a statement's functions see: they stay the same from its first row to its last. */
import { monotonicMs, systemTimeMs } from '../../base/index.ts';
import { type Instant, instantOf } from '../../value/index.ts';

/** The times of a statement's clocks. */
export interface ClockOptions {
  /** Absent: when the clock is made. */
  readonly statementTime?: Instant;
  /** null: that of the statement. */
  readonly transactionTime: Instant | null;
}

/** The clocks of a statement. */
export class StatementClock {
  private readonly startedAt: number;
  private knownTime: Instant | null;
  private readonly ownTransactionTime: Instant | null;

  /** @param now by `monotonicMs()` */
  constructor({ statementTime, transactionTime }: ClockOptions, now: number) {
    this.startedAt = now;
    this.knownTime = statementTime ?? null;
    this.ownTransactionTime = transactionTime;
  }

  /** When it began, by the clock of the wall: most statements never ask. */
  get statementTime(): Instant {
    // Rounded up: not before the transaction that it belongs to, and not after now.
    this.knownTime ??= instantOf(Math.ceil(systemTimeMs() - (monotonicMs() - this.startedAt)));
    return this.knownTime;
  }

  get transactionTime(): Instant {
    return this.ownTransactionTime ?? this.statementTime;
  }
}
