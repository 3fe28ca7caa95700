/**
 * How a thread behaves whose work can wait, so that the other threads of the process need not. Each such thread says so
 * once, when it starts; in all others nothing here has an effect.
 *
 * - It sleeps for a moment after each millisecond of work. A lower priority alone does not do: where every core is
 *   busy, a thread that wakes up is queued behind whoever runs on the core that it ran on before, often until the next
 *   tick of the clock (4 ms), though another core only runs what can wait. A core that falls idle takes over who is
 *   queued elsewhere. What is done is done in pieces of about that length, with `pauseIfDue` between them.
 * - Its columns are in memory of its own. V8 does not count shared memory among what makes it collect, and a merge
 *   leaves a lot of it behind: without this, hundreds of megabytes.
 */

import { monotonicMs } from '../../base/index.ts';

/** The time of work between two pauses. */
const WORK_MS = 1;
/** With what the system adds to it, about 0.15. */
const PAUSE_MS = 0.1;

let isBackground = false;
let workingSinceMs = 0;
const never = new Int32Array(new SharedArrayBuffer(4));

/** The thread that calls this is one whose work can wait. Not the main thread, whose event loop must turn. */
export function becomeBackgroundThread(): void {
  isBackground = true;
}

/** Between two pieces of work. */
export function pauseIfDue(): void {
  if (!isBackground || monotonicMs() - workingSinceMs < WORK_MS) return;
  Atomics.wait(never, 0, 0, PAUSE_MS);
  workingSinceMs = monotonicMs();
}

/** Zeros for what a thread reads or makes; other threads can share them, unless this is a background thread. */
export function allocateBytes(length: number): ArrayBufferLike {
  return isBackground ? new ArrayBuffer(length) : new SharedArrayBuffer(length);
}

/** Ranges that follow each other and cover all of it. */
export function* pieces(from: number, to: number, length: number): Generator<{ readonly from: number; readonly to: number }> {
  for (let start = from; start < to; start += length) {
    yield { from: start, to: Math.min(start + length, to) };
    pauseIfDue();
  }
}
