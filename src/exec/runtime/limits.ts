/**
 * How long a statement works: its deadline, its cancellation, its slices of the thread.
 *
 * Q3, S2: whoever loops takes the steps of its work off a counter before it does them, and looks at the clock when that
 * falls below zero: off `left`, with `tick`, in a generator, which can give way; off `inside`, with `look`, in a
 * function or in the middle of a row, where nothing can. Both throw when the statement is to stop; a `look` that finds
 * a slice of time used up makes the next step of a generator a `tick`. A step is a bounded amount of work, some 100 ns
 * at most: a neighbour that is examined, a row that is passed over, 8 characters of a text, an element of a list.
 */
import { abortAfter, GraphDBError, LONGEST_TIMER_MS, monotonicMs, outOfTime } from '../../base/index.ts';

/** The options of a statement's limits. */
export interface LimitOptions {
  /** Milliseconds of `monotonicMs()`; Infinity: none. */
  readonly deadline: number;
  readonly signal: AbortSignal | null;
  /** How long it may keep the thread between two turns of the event loop; absent: `SLICE_MS`. */
  readonly sliceMs?: number;
  /** Called by looks at the clock, at most once a millisecond; what it throws ends the statement. */
  readonly onLook?: () => void;
}

/** How long a statement keeps the thread where nobody says otherwise. */
export const SLICE_MS = 4;
/** The unit in which work is measured: a tick. */
const STEPS_PER_TICK = 65_536;
/** Until the first look, and between two at least. */
const LEAST_STEPS = 64;
/** Between two looks at most: a step that took a hundred times what it may would still leave looks two milliseconds apart. */
const MOST_STEPS = 16_384;
/** Time between two looks that is aimed at. */
const LOOK_MS = 1;

/** The limits of a statement: its deadline, its cancellation, its slices of the thread. */
export class Limits {
  private readonly deadline: number;
  private readonly signal: AbortSignal | null;
  /** Work in units of `STEPS_PER_TICK` steps, up to the last look: a measure that does not depend on how busy the machine is. */
  ticks = 0;
  /** Steps until the next look of a generator. Generated code takes off what it is about to do. A small integer always. */
  left = LEAST_STEPS;
  /** Steps until the next look of a function, likewise. */
  inside = LEAST_STEPS;
  /** The steps that both were granted after the last look, together. */
  private granted = 2 * LEAST_STEPS;
  private lookedAt: number;
  private toldAt = Number.NEGATIVE_INFINITY;
  /** A function has found that the slice of time is used up: generators test it on each turn of a loop in which functions count. */
  mustRest = false;
  private readonly sliceMs: number;
  private readonly onLook: (() => void) | null;
  private sliceEnd: number;

  /** @param now by `monotonicMs()` */
  constructor(options: LimitOptions, now: number) {
    this.deadline = options.deadline;
    this.signal = options.signal;
    this.onLook = options.onLook ?? null;
    this.sliceMs = options.sliceMs ?? SLICE_MS;
    this.sliceEnd = now + this.sliceMs;
    this.lookedAt = now;
    this.checkInterrupted(now);
  }

  /** Looks at the clock. True when the statement should let others run. @throws QUERY_TIMEOUT, CANCELLED, and what `onLook` throws */
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

  /** `tick` where nobody can give way. */
  look(): void {
    if (this.tick()) this.lookSoon();
  }

  /** Counts steps that a generator is about to do. True when the statement should let others run. */
  worked(steps: number): boolean {
    this.left -= steps;
    return this.left < 0 && this.tick();
  }

  /** Counts steps that a function is about to do. Behind those of a large value, a generator looks before it goes on to the next one. */
  count(steps: number): void {
    this.inside -= steps;
    if (this.inside >= 0) return;
    this.look();
    if (steps > MOST_STEPS) this.lookSoon();
  }

  /** Makes the next step of a generator a `tick`. */
  lookSoon(): void {
    this.mustRest = true;
    this.granted -= this.left;
    this.left = 0;
  }

  /** Milliseconds that are left of its time, at least one; Infinity: no limit. */
  get remainingMs(): number {
    return Math.max(1, Math.ceil(this.deadline - monotonicMs()));
  }

  /** Aborted when the statement is cancelled or its time is over; undefined: never. */
  signalOfEnd(): AbortSignal | undefined {
    const { signal, remainingMs } = this;
    const end = remainingMs <= LONGEST_TIMER_MS ? abortAfter(remainingMs) : null;
    if (signal === null || end === null) return signal ?? end ?? undefined;
    return AbortSignal.any([signal, end]);
  }

  /** It has kept the thread for a slice of time. */
  get sliceIsOver(): boolean {
    return monotonicMs() > this.sliceEnd;
  }

  /** Begins another slice of time. */
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
