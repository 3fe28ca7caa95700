/** Work that is done later: after a delay, again and again, or when the event loop has come round. Every layer sets its timers here. */
import { setImmediate as turnOfEventLoop } from 'node:timers/promises';
import { outOfTime } from './bounded-work.ts';
import { monotonicMs } from './clock.ts';
import { GraphDBError } from './errors.ts';

/** Calls work off that has not begun; does nothing afterwards. */
export type CancelTimer = () => void;

/** Does the work once after the delay unless it is called off before. Waiting for it does not keep a process alive. */
export type Schedule = (delayMs: number, work: () => void) => CancelTimer;

/** Schedules work by a timer that keeps no process alive. */
export const scheduleByTimer: Schedule = (delayMs, work) => {
  const timer = setTimeout(work, delayMs).unref();
  return () => clearTimeout(timer);
};

/** Does the work once after the delay, and keeps the process alive until then. */
export function startTimer(delayMs: number, work: () => void): CancelTimer {
  const timer = setTimeout(work, delayMs);
  return () => clearTimeout(timer);
}

/** Does the work each time the interval has passed, until it is called off. It does not keep a process alive. */
export function repeatEvery(intervalMs: number, work: () => void): CancelTimer {
  const timer = setInterval(work, intervalMs).unref();
  return () => clearInterval(timer);
}

/** Does the work when the event loop has come round: after the input and output that is due now. */
export function onNextTurn(work: () => void): void {
  setImmediate(work);
}

/** Resolves when the event loop has come round: whoever awaits it lets others have their turn. */
export function nextTurn(): Promise<void> {
  return turnOfEventLoop();
}

/** The longest delay of a timer, in milliseconds: one that is set to more comes at once. */
export const LONGEST_TIMER_MS = 2 ** 31 - 1;

/**
 * Does the work once when a time has come, in milliseconds of `monotonicMs()`, however far it is: never before it, as a
 * timer does that counts whole milliseconds. Whoever asks the clock in the work must not find that there is time left,
 * and wait for a timer that does not come again. It does not keep a process alive.
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

/** A signal that is aborted with a TimeoutError after the delay. It does not keep a process alive. */
export function abortAfter(delayMs: number): AbortSignal {
  return AbortSignal.timeout(delayMs);
}

/** Resolves or rejects as the work does, which goes on in any case; CANCELLED, with the message, where the signal is aborted first. */
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

/** The time that long work which is no statement, such as reading a large request, has the thread before others have their turn. */
export const SLICE_MS = 4;

/** The limits of work in slices. */
export interface SliceLimits {
  /** In milliseconds of `monotonicMs()`; Infinity: none. */
  readonly deadline: number;
  readonly signal: AbortSignal | null;
  /**
   * The time between two turns of the event loop; Infinity: no turn, so that a run does not depend on how fast the
   * machine is. Absent: `SLICE_MS`.
   */
  readonly sliceMs?: number;
}

/**
 * Calls `step` until it answers true. A step should take less than a millisecond.
 *
 * @throws QUERY_TIMEOUT behind the deadline, the reason of the signal once that is aborted, and what a step throws
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

/** Runs a generator to its end, with a turn of the event loop between slices of its steps, and answers what it returns. */
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
