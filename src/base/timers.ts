/** Work that is done later: after a delay, again and again, or when the event loop has come round. Every layer sets its timers here. */
import { setImmediate as turnOfEventLoop } from 'node:timers/promises';

/** Calls work off that has not begun; does nothing afterwards. */
export type CancelTimer = () => void;

/** Does the work once after the delay unless it is called off before. Waiting for it does not keep a process alive. */
export type Schedule = (delayMs: number, work: () => void) => CancelTimer;

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

/** A signal that is aborted with a TimeoutError after the delay. It does not keep a process alive. */
export function abortAfter(delayMs: number): AbortSignal {
  return AbortSignal.timeout(delayMs);
}
