/**
 * A phase that several threads do together. Each takes the next range that no other has taken, until there is none; a
 * thread that comes late finds none and does nothing. The job is over when no range is left and no thread is active.
 * Closing a job marks all of its ranges as taken.
 */

/** Places in the control words of a job: the next range, the number of active threads, and whether a thread has failed. */
const NEXT = 0;
const ACTIVE = 1;
const FAILED = 2;
const WORDS = 3;
/** The next range of a closed job: beyond every number of ranges, with room for threads that ask once more. */
const CLOSED = 2 ** 30;
/** The longest wait for other threads, in milliseconds, between two checks of the statement's limits. */
const WAIT_MS = 0.25;

/** A phase that threads work on together. */
export interface Job {
  readonly control: Int32Array;
  /** The bounds of the ranges, ascending: range i goes from `bounds[i]` to below `bounds[i + 1]`. */
  readonly bounds: Uint32Array;
}

/** Makes a job of ranges, given by their bounds. */
export function newJob(bounds: Uint32Array): Job {
  return { control: new Int32Array(new SharedArrayBuffer(4 * WORDS)), bounds };
}

/** Takes the next range and returns its number; -1: none is left. */
export function takeRange({ control, bounds }: Job): number {
  const range = Atomics.add(control, NEXT, 1);
  return range < bounds.length - 1 ? range : -1;
}

/** Tells whether the job was closed. */
export function isClosed({ control }: Job): boolean {
  return Atomics.load(control, NEXT) >= CLOSED;
}

/** Closes a job: no range is given out any more, and units end at the next place where they may be stopped. */
export function close({ control }: Job): void {
  Atomics.store(control, NEXT, CLOSED);
}

/** Called by a thread before it takes its first range. */
export function enter({ control }: Job): void {
  Atomics.add(control, ACTIVE, 1);
}

/** Called by a thread after its last range. */
export function leave({ control }: Job): void {
  if (Atomics.sub(control, ACTIVE, 1) === 1) Atomics.notify(control, ACTIVE);
}

/** Tells whether threads are still active, after it has waited for them for less than a millisecond. */
export function hasActive({ control }: Job): boolean {
  const active = Atomics.load(control, ACTIVE);
  if (active <= 0) return false;
  Atomics.wait(control, ACTIVE, active, WAIT_MS);
  return Atomics.load(control, ACTIVE) > 0;
}

/** Marks a job as failed; `hasFailed` tells the main thread of it. */
export function markFailed({ control }: Pick<Job, 'control'>): void {
  Atomics.store(control, FAILED, 1);
}

/** Tells whether a thread has failed at the job. */
export function hasFailed({ control }: Job): boolean {
  return Atomics.load(control, FAILED) === 1;
}
