/**
 * The behavior of a background thread, whose work can wait, so that other threads of the process need not wait for it.
 * A background thread declares itself once, when it starts; in all other threads the functions here have no effect.
 *
 * - It sleeps for a moment after each millisecond of work. A lower priority alone is not enough: when every core is
 *   busy, a thread that wakes up is queued behind the thread that runs on its last core, often until the next tick of
 *   the clock (4 ms), even if another core only runs background work. A core that falls idle takes over queued threads.
 *   Work is done in pieces of about a millisecond, with `pauseIfDue` between them.
 * - Its columns are in memory of its own. V8 does not count shared memory among the reasons to collect garbage, and a
 *   merge leaves a lot of it behind: without this, hundreds of megabytes.
 */

import { monotonicMs } from '../../base/index.ts';

/** The time of work between two pauses. */
const WORK_MS = 1;
/** The length of a pause; with the system's overhead it takes about 0.15 ms. */
const PAUSE_MS = 0.1;

let isBackground = false;
let workingSinceMs = 0;
const never = new Int32Array(new SharedArrayBuffer(4));

/** Makes the calling thread a background thread. Not for the main thread, whose event loop must turn. */
export function becomeBackgroundThread(): void {
  isBackground = true;
}

/** Called between two pieces of work: pauses a background thread that has worked for a millisecond. */
export function pauseIfDue(): void {
  if (!isBackground || monotonicMs() - workingSinceMs < WORK_MS) return;
  Atomics.wait(never, 0, 0, PAUSE_MS);
  workingSinceMs = monotonicMs();
}

/** Allocates zeroed memory, shared between threads except in a background thread. */
export function allocateBytes(length: number): ArrayBufferLike {
  return isBackground ? new ArrayBuffer(length) : new SharedArrayBuffer(length);
}

/** Divides [from, to) into consecutive ranges of at most `length`, and calls `pauseIfDue` after each. */
export function* pieces(from: number, to: number, length: number): Generator<{ readonly from: number; readonly to: number }> {
  for (let start = from; start < to; start += length) {
    yield { from: start, to: Math.min(start + length, to) };
    pauseIfDue();
  }
}
