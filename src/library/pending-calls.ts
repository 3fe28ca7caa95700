/**
 * Keeps the process alive while calls of the library are pending. A call may wait for something inside this process,
 * such as the writer's turn, without an open handle; Node would end the process in the middle of it.
 */
import { LONGEST_TIMER_MS, startTimer } from '../base/index.ts';

let pending = 0;
let release = (): void => {};

/** Notes that a call has begun. Keeps the process alive until `callEnded` has been called as often as this function. */
export function callBegan(): void {
  if (pending++ === 0) release = startTimer(LONGEST_TIMER_MS, () => {});
}

/** Notes that a call has ended. */
export function callEnded(): void {
  if (--pending === 0) release();
}

/** Keeps the process alive until the promise settles, and returns its result. */
export async function kept<T>(work: Promise<T>): Promise<T> {
  callBegan();
  try {
    return await work;
  } finally {
    callEnded();
  }
}
