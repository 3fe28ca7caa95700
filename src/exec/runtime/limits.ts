/**
 * Limits how long a statement runs: its deadline, its cancellation, and its time slices on the thread.
 *
 * Code that loops (requirements Q3, S2) subtracts the steps of its work from a counter before it does them, and checks
 * the clock when the counter falls below zero. A generator, which can yield, uses `left` and `tick`; a function, or
 * code in the middle of a row, which cannot, uses `inside` and `look`. Both throw when the statement must stop; a
 * `look` that finds the time slice used up makes the next step of a generator a `tick`. A step is a bounded amount of
 * work, about 100 ns at most: a neighbour that is examined, a row that is skipped, 8 characters of a text, an element
 * of a list.
 */
import { abortAfter, GraphDBError, LONGEST_TIMER_MS, monotonicMs, outOfTime } from '../../base/index.ts';

/** The options of a statement's limits. */
export interface LimitOptions {
  /** The deadline in milliseconds of `monotonicMs()`; Infinity for none. */
  readonly deadline: number;
  readonly signal: AbortSignal | null;
  /** Milliseconds that the statement may keep the thread between two turns of the event loop; default: `SLICE_MS`. */
  readonly sliceMs?: number;
  /** Called when the clock is checked, at most once per millisecond; an error that it throws ends the statement. */
  readonly onLook?: () => void;
}

/** The default time slice of a statement, in milliseconds. */
export const SLICE_MS = 4;
/** The number of steps in a tick, the unit in which work is reported. */
const STEPS_PER_TICK = 65_536;
/** Steps until the first check of the clock, and the fewest between two checks. */
const LEAST_STEPS = 64;
/** The most steps between two checks of the clock: about 1.6 milliseconds of work at 100 ns a step. */
const MOST_STEPS = 16_384;
/** The interval between two checks of the clock that is aimed at, in milliseconds. */
const LOOK_MS = 1;

/** Enforces the deadline, the cancellation and the time slices of a statement. */
export class Limits {
  private readonly deadline: number;
  private readonly signal: AbortSignal | null;
  /** Work done until the last check of the clock, in ticks; unlike time, it does not depend on how busy the machine is. */
  ticks = 0;
  /** Steps until a generator must check the clock. Generated code subtracts its work beforehand; always a small integer. */
  left = LEAST_STEPS;
  /** Steps until a function must check the clock; otherwise as `left`. */
  inside = LEAST_STEPS;
  /** The sum of `left` and `inside` right after the last check of the clock. */
  private granted = 2 * LEAST_STEPS;
  private lookedAt: number;
  private toldAt = Number.NEGATIVE_INFINITY;
  /** Whether a function has found the time slice used up; generators test it in each iteration of a loop that calls such functions. */
  mustRest = false;
  private readonly sliceMs: number;
  private readonly onLook: (() => void) | null;
  private sliceEnd: number;

  /** @param now the current time in milliseconds of `monotonicMs()` */
  constructor(options: LimitOptions, now: number) {
    this.deadline = options.deadline;
    this.signal = options.signal;
    this.onLook = options.onLook ?? null;
    this.sliceMs = options.sliceMs ?? SLICE_MS;
    this.sliceEnd = now + this.sliceMs;
    this.lookedAt = now;
    this.checkInterrupted(now);
  }

  /** Checks the clock. Returns true when other statements should run. @throws QUERY_TIMEOUT, CANCELLED, and what `onLook` throws */
  tick(): boolean {
    this.mustRest = false;
    const now = monotonicMs();
    const steps = this.granted - this.left - this.inside;
    this.ticks += steps / STEPS_PER_TICK;
    const aimedAt = (steps * LOOK_MS) / Math.max(now - this.lookedAt, LOOK_MS / 4);
    const quantum = Math.min(MOST_STEPS, Math.max(LEAST_STEPS, Math.floor(aimedAt)));
    this.left = quantum;
    this.inside = quantum;
    this.granted = 2 * quantum;
    this.lookedAt = now;
    if (this.onLook !== null && now - this.toldAt >= LOOK_MS) {
      this.toldAt = now;
      this.onLook();
    }
    this.checkInterrupted(now);
    return now > this.sliceEnd;
  }

  /** Checks the clock as `tick` does, in code that cannot yield. @throws QUERY_TIMEOUT, CANCELLED, and what `onLook` throws */
  look(): void {
    if (this.tick()) this.lookSoon();
  }

  /** Counts steps that a generator is about to do. Returns true when other statements should run. @throws QUERY_TIMEOUT, CANCELLED */
  worked(steps: number): boolean {
    this.left -= steps;
    return this.left < 0 && this.tick();
  }

  /** Counts steps that a function is about to do; after a large count, the generator checks the clock before its next step. */
  count(steps: number): void {
    this.inside -= steps;
    if (this.inside >= 0) return;
    this.look();
    if (steps > MOST_STEPS) this.lookSoon();
  }

  /** Makes the next step of a generator check the clock. */
  lookSoon(): void {
    this.mustRest = true;
    this.granted -= this.left;
    this.left = 0;
  }

  /** Milliseconds until the deadline, at least 1; Infinity without a deadline. */
  get remainingMs(): number {
    return Math.max(1, Math.ceil(this.deadline - monotonicMs()));
  }

  /** Returns a signal that is aborted when the statement is cancelled or its deadline passes; undefined if neither can happen. */
  signalOfEnd(): AbortSignal | undefined {
    const { signal, remainingMs } = this;
    const end = remainingMs <= LONGEST_TIMER_MS ? abortAfter(remainingMs) : null;
    if (signal === null || end === null) return signal ?? end ?? undefined;
    return AbortSignal.any([signal, end]);
  }

  /** Whether the statement has used up its current time slice. */
  get sliceIsOver(): boolean {
    return monotonicMs() > this.sliceEnd;
  }

  /** Begins another time slice. @throws QUERY_TIMEOUT, CANCELLED */
  resume(): void {
    const now = monotonicMs();
    this.sliceEnd = now + this.sliceMs;
    this.lookedAt = now;
    this.checkInterrupted(now);
  }

  private checkInterrupted(now: number): void {
    if (this.signal?.aborted === true) throw new GraphDBError('CANCELLED', 'the statement was cancelled');
    if (now > this.deadline) throw outOfTime();
  }
}
