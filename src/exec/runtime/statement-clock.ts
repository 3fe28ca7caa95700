/** The times that a statement's functions see, which stay the same from its first row to its last. */
import { monotonicMs, systemTimeMs } from '../../base/index.ts';
import { type Instant, instantOf } from '../../value/index.ts';

/** Options of the clock of a statement. */
export interface ClockOptions {
  /** When the statement began; default: when the clock is made. */
  readonly statementTime?: Instant;
  /** When the transaction began; null for the time of the statement. */
  readonly transactionTime: Instant | null;
}

/** The clock of a statement. */
export class StatementClock {
  private readonly startedAt: number;
  private knownTime: Instant | null;
  private readonly ownTransactionTime: Instant | null;

  /** @param now the current time in milliseconds of `monotonicMs()` */
  constructor({ statementTime, transactionTime }: ClockOptions, now: number) {
    this.startedAt = now;
    this.knownTime = statementTime ?? null;
    this.ownTransactionTime = transactionTime;
  }

  /** When the statement began, by the system clock; computed on first use, because most statements never need it. */
  get statementTime(): Instant {
    // Rounded up, so that it is neither before the beginning of its transaction nor after the current time.
    this.knownTime ??= instantOf(Math.ceil(systemTimeMs() - (monotonicMs() - this.startedAt)));
    return this.knownTime;
  }

  get transactionTime(): Instant {
    return this.ownTransactionTime ?? this.statementTime;
  }
}
