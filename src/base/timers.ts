/** Work that is done later: after a delay, at an interval, or on the next turn of the event loop. Every layer sets its timers here. */
import { setImmediate as turnOfEventLoop } from 'node:timers/promises';
import { outOfTime } from './bounded-work.ts';
import { monotonicMs } from './clock.ts';
import { GraphDBError } from './errors.ts';

/** Cancels work that has not begun; has no effect afterwards. */
export type CancelTimer = () => void;

/** Does the work once after the delay, in milliseconds, unless it is cancelled first. */
export type Schedule = (delayMs: number, work: () => void) => CancelTimer;

/** Schedules work by a timer that does not keep the process alive. */
export const scheduleByTimer: Schedule = (delayMs, work) => {
  const timer = setTimeout(work, delayMs).unref();
  return () => clearTimeout(timer);
};

/** Does the work once after the delay, in milliseconds, and keeps the process alive until then. */
export function startTimer(delayMs: number, work: () => void): CancelTimer {
  const timer = setTimeout(work, delayMs);
  return () => clearTimeout(timer);
}

/** Does the work at each interval, in milliseconds, until it is cancelled. The timer does not keep the process alive. */
export function repeatEvery(intervalMs: number, work: () => void): CancelTimer {
  const timer = setInterval(work, intervalMs).unref();
  return () => clearInterval(timer);
}

/** Does the work on the next turn of the event loop, after the input and output that is due. */
export function onNextTurn(work: () => void): void {
  setImmediate(work);
}

/** Resolves on the next turn of the event loop, so that other work of the thread has its turn. */
export function nextTurn(): Promise<void> {
  return turnOfEventLoop();
}

/** The longest delay of a timer, in milliseconds; with a longer one the timer fires at once. */
export const LONGEST_TIMER_MS = 2 ** 31 - 1;

/**
 * Does the work once when `monotonicMs()` has reached `timeMs`, however far away that is, and never earlier. (A timer
 * counts whole milliseconds and can fire early; work that reads the clock and finds time left would then wait for a
 * timer that does not fire again.) The timer does not keep the process alive.
 */
export function scheduleAt(timeMs: number, work: () => void): CancelTimer {
  let cancel: CancelTimer;
  const wait = (): void => {
    const leftMs = Math.max(0, Math.ceil(timeMs - monotonicMs()));
    cancel = scheduleByTimer(Math.min(LONGEST_TIMER_MS, leftMs), () => (monotonicMs() >= timeMs ? work() : wait()));
  };
  wait();
  return () => cancel();
}

/** Returns a signal that is aborted with a TimeoutError after the delay, in milliseconds. The timer does not keep the process alive. */
export function abortAfter(delayMs: number): AbortSignal {
  return AbortSignal.timeout(delayMs);
}

/**
 * Resolves or rejects as the work does. The work is not stopped by the signal.
 *
 * @throws CANCELLED, with the message, when the signal is aborted first
 */
export async function untilAborted<T>(
  work: Promise<T>,
  signal: AbortSignal | undefined,
  message = 'the statement was cancelled',
): Promise<T> {
  if (signal === undefined) return work;
  const { promise: aborted, reject } = Promise.withResolvers<never>();
  const giveUp = (): void => reject(new GraphDBError('CANCELLED', message));
  if (signal.aborted) giveUp();
  signal.addEventListener('abort', giveUp, { once: true });
  try {
    return await Promise.race([work, aborted]);
  } finally {
    signal.removeEventListener('abort', giveUp);
  }
}

/** Milliseconds between two turns of the event loop in long work that is not a statement, such as reading a large request. */
export const SLICE_MS = 4;

/** The limits of work in slices. */
export interface SliceLimits {
  /** The deadline in milliseconds of `monotonicMs()`; Infinity for none. */
  readonly deadline: number;
  readonly signal: AbortSignal | null;
  /**
   * Milliseconds between two turns of the event loop; `SLICE_MS` if absent. Infinity for no turns, so that a run does
   * not depend on the speed of the machine.
   */
  readonly sliceMs?: number;
}

/**
 * Calls `step` until it returns true, with turns of the event loop in between. A step should take less than a
 * millisecond.
 *
 * @throws QUERY_TIMEOUT after the deadline, the reason of the signal once it is aborted, and any error of a step
 */
export async function inSlices(step: () => boolean, { deadline, signal, sliceMs = SLICE_MS }: SliceLimits): Promise<void> {
  for (;;) {
    const end = monotonicMs() + sliceMs;
    do {
      if (step()) return;
    } while (monotonicMs() < end);
    await nextTurn();
    signal?.throwIfAborted();
    if (monotonicMs() > deadline) throw outOfTime();
  }
}

/** Runs a generator to its end, with a turn of the event loop between slices of its steps, and returns its result. */
export async function runInSlices<T>(work: Generator<void, T, void>, limits: SliceLimits): Promise<T> {
  let last = work.next();
  if (last.done !== true) {
    await inSlices(() => {
      last = work.next();
      return last.done === true;
    }, limits);
  }
  return last.value as T; // as: the generator has ended
}
