/**
 * The clock of one process beside the time of the world: it starts with an offset, runs at a speed of its own, jumps,
 * and stands still while the machine is paused. A paused process does nothing: what it waits for, and what it has
 * scheduled, goes on when it resumes.
 */

import type { Clock, Schedule } from '../../src/base/index.ts';

/** Milliseconds of the process per millisecond of the world, and milliseconds ahead of it. */
export interface ClockSettings {
  readonly speed: number;
  readonly offsetMs: number;
}

export interface WorldTime extends Clock {
  readonly schedule: Schedule;
}

interface Timer {
  readonly dueMs: number;
  readonly work: () => void;
  cancel: () => void;
}

export class ProcessClock implements Clock {
  readonly #world: WorldTime;
  #speed: number;
  readonly #timers = new Set<Timer>();
  /** The time that this clock showed when the world's showed `#setAtMs`. */
  #shownMs: number;
  #setAtMs: number;
  #paused: PromiseWithResolvers<void> | null = null;

  constructor(world: WorldTime, { speed, offsetMs }: ClockSettings) {
    this.#world = world;
    this.#speed = speed;
    this.#setAtMs = world.now();
    this.#shownMs = this.#setAtMs + offsetMs;
  }

  now(): number {
    const passedMs = this.#paused === null ? (this.#world.now() - this.#setAtMs) * this.#speed : 0;
    return Math.floor(this.#shownMs + passedMs);
  }

  async sleep(ms: number, signal?: AbortSignal): Promise<void> {
    await this.#world.sleep(Math.ceil(ms / this.#speed), signal);
    if (this.#paused !== null) await this.#paused.promise;
  }

  readonly schedule: Schedule = (delayMs, work) => {
    const timer: Timer = { dueMs: this.now() + delayMs, work, cancel: () => {} };
    this.#start(timer, delayMs);
    return () => {
      this.#timers.delete(timer);
      timer.cancel();
    };
  };

  #start(timer: Timer, delayMs: number): void {
    this.#timers.add(timer);
    timer.cancel = this.#world.schedule(Math.ceil(delayMs / this.#speed), () => void this.#fire(timer));
  }

  async #fire(timer: Timer): Promise<void> {
    if (this.#paused !== null) await this.running();
    if (this.#timers.delete(timer)) timer.work();
  }

  jump(ms: number): void {
    this.#shownMs += ms;
  }

  /** Stands still for so long, with everything that the process does; resolves afterwards. One pause at a time. */
  async pause(ms: number): Promise<void> {
    if (this.#paused !== null) return this.#paused.promise;
    const paused = Promise.withResolvers<void>();
    this.#set();
    this.#paused = paused;
    this.#world.schedule(ms, () => this.resume());
    return paused.promise;
  }

  resume(): void {
    const paused = this.#paused;
    if (paused === null) return;
    this.#set();
    this.#paused = null;
    paused.resolve();
  }

  /** Runs as the world's clock from now on. */
  calm(): void {
    this.resume();
    this.#set();
    this.#speed = 1;
    for (const timer of this.#timers) {
      timer.cancel();
      this.#start(timer, Math.max(timer.dueMs - this.now(), 0));
    }
  }

  /** Resolves at once unless the process is paused. */
  async running(): Promise<void> {
    while (this.#paused !== null) await this.#paused.promise;
  }

  #set(): void {
    this.#shownMs = this.now();
    this.#setAtMs = this.#world.now();
  }
}
