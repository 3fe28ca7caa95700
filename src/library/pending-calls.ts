/**
 * Calls that wait for something in this very process, as for the turn to write: nothing else tells Node that they are
 * to come, and it would end the process in the middle of them.
 */
import { LONGEST_TIMER_MS, startTimer } from '../base/index.ts';

let pending = 0;
let release = (): void => {};

/** Keeps the process alive until `callEnded` has been called as often. */
export function callBegan(): void {
  if (pending++ === 0) release = startTimer(LONGEST_TIMER_MS, () => {});
}

/** Notes that a call has ended. */
export function callEnded(): void {
  if (--pending === 0) release();
}

/** Keeps the process alive until the work has ended. */
export async function kept<T>(work: Promise<T>): Promise<T> {
  callBegan();
  try {
    return await work;
  } finally {
    callEnded();
  }
}
