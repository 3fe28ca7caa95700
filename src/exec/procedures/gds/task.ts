/**
 * The task of one call of an algorithm procedure: counts its work, charges and releases its memory, lists its progress,
 * and measures its time.
 */

import type { Pieces, Task, Work } from '../../../algorithms/index.ts';
import { GraphDBError, monotonicMs, systemTimeMs } from '../../../base/index.ts';
import type { ProcedureContext } from '../../runtime/procedure-context.ts';
import { readableBytes } from './estimates.ts';

/** A running task, on which the work of a call is counted. */
export interface RunningTask {
  readonly work: Work;
  /** Does the work, and returns its result with the milliseconds that passed, including those of other statements. */
  timed<T>(pieces: Pieces<T>): Pieces<{ readonly result: T; readonly ms: number }>;
  /** Releases the memory that is still charged, and removes the task from the list. */
  end(): void;
}

/** From this size on, an array is held against the memory that the process has left. */
const LARGE_BYTES = 2 ** 20;

function checkRoom(bytes: number, taken: number, available: number): void {
  if (bytes <= available) return;
  throw new GraphDBError(
    'MEMORY_LIMIT',
    `the call has taken ${readableBytes(taken)} of memory and needs ${readableBytes(bytes)} more, and ${readableBytes(available)} are ` +
      'left to the process; its `.estimate` tells what it takes in all',
  );
}

/** Begins a task. @param concurrency the most threads that work on it */
export function beginTask(
  { worked, chargeBytes, catalog, roomFor }: ProcedureContext,
  name: string,
  jobId: string | null,
  concurrency = 1,
): RunningTask {
  catalog.collect();
  let taken = 0;
  const task: Task = { jobId: jobId ?? catalog.nextJobId(), name, startedMs: systemTimeMs(), progress: 0, bytes: 0 };
  catalog.tasks.add(task);
  return {
    work: {
      worked,
      charge(bytes) {
        if (bytes >= LARGE_BYTES) checkRoom(bytes, task.bytes, roomFor(bytes));
        chargeBytes(bytes);
        task.bytes += bytes;
        taken += bytes;
      },
      release(bytes) {
        chargeBytes(-bytes);
        task.bytes -= bytes;
      },
      progress(fraction) {
        task.progress = fraction;
      },
      team: catalog.threads.team(concurrency),
    },
    *timed(pieces) {
      const began = monotonicMs();
      const result = yield* pieces;
      return { result, ms: Math.round(monotonicMs() - began) };
    },
    end() {
      catalog.tasks.delete(task);
      catalog.leave(taken);
      chargeBytes(-task.bytes);
    },
  };
}
