/**
 * One call of a procedure of graph algorithms: how its work is counted, its memory charged and given back, its progress
 * listed, its time measured.
 */

import type { Pieces, Task, Work } from '../../../algorithms/index.ts';
import { monotonicMs, systemTimeMs } from '../../../base/index.ts';
import type { ProcedureContext } from '../../runtime/procedure-context.ts';

/** A task that runs, by which its work is counted. */
export interface RunningTask {
  readonly work: Work;
  /** The work, with the milliseconds that it took; others' turns of the thread count too, as they do for whoever waits. */
  timed<T>(pieces: Pieces<T>): Pieces<{ readonly result: T; readonly ms: number }>;
  /** Gives back what was charged, and leaves the list of tasks. */
  end(): void;
}

/** @param concurrency the most threads that work on it */
export function beginTask(
  { worked, chargeBytes, catalog }: ProcedureContext,
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
      chargeBytes(-task.bytes);
      catalog.tasks.delete(task);
      catalog.leave(taken);
    },
  };
}
