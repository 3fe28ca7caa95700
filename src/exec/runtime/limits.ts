/**
 * How long a statement works: its deadline, its cancellation, its slices of the thread.
 *
 * Q3: generated code counts its work and calls `tick` now and then. `tick` throws when the statement is to stop (time-out, cancellation), and tells when it is
 * time to let the event loop run.
 */
import { GraphDBError, monotonicMs, outOfTime } from '../../base/index.ts';

export interface LimitOptions {
  /** Milliseconds of `monotonicMs()`; Infinity: none. */
  readonly deadline: number;
  readonly signal: AbortSignal | null;
  /** How long it may keep the thread between two turns of the event loop; absent: 4. */
  readonly sliceMs?: number;
  /** Called when it looks at the clock, each millisecond or so; what it throws ends the statement. */
  readonly onLook?: () => void;
}

const SLICE_MS = 4;
/** The unit in which work is measured, and the most steps between two looks at the clock. */
const STEPS_PER_TICK = 65_536;
/** Until the first look: a step is a row that is passed over, or one that is created and indexed. */
export const FIRST_STEPS = 4_096;
const LEAST_STEPS = 64;
/** Time between two looks that is aimed at. */
const LOOK_MS = 1;

export class Limits {
  private readonly deadline: number;
  private readonly signal: AbortSignal | null;
  /** Work in units of `STEPS_PER_TICK` steps, up to the last look: a measure that does not depend on how busy the machine is. */
  ticks = 0;
  /** Steps until the next look at the clock, by what the last ones took. */
  quantum = FIRST_STEPS;
  private lookedAt: number;
  private steps = 0;
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

  /** To be called after `quantum` steps. True when the statement should let others run. */
  tick(): boolean {
    const now = monotonicMs();
    this.ticks += this.quantum / STEPS_PER_TICK;
    const aimedAt = (this.quantum * LOOK_MS) / Math.max(now - this.lookedAt, LOOK_MS / 4);
    this.quantum = Math.min(STEPS_PER_TICK, Math.max(LEAST_STEPS, Math.floor(aimedAt)));
    this.lookedAt = now;
    this.onLook?.();
    this.checkInterrupted(now);
    return now > this.sliceEnd;
  }

  /** Milliseconds that are left of its time, at least one; Infinity: no limit. */
  get remainingMs(): number {
    return Math.max(1, Math.ceil(this.deadline - monotonicMs()));
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

  /** Counts steps of a loop of the runtime. True when it worked long enough, and the statement should let others run. */
  worked(steps: number): boolean {
    this.steps += steps;
    if (this.steps <= this.quantum) return false;
    this.steps = 0;
    return this.tick();
  }

  private checkInterrupted(now: number): void {
    if (this.signal?.aborted === true) throw new GraphDBError('CANCELLED', 'the statement was cancelled');
    if (now > this.deadline) throw outOfTime();
  }
}
