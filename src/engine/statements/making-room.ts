/**
 * Statements that find no room in memory for the tables and columns that they read run again once the served graph has
 * given back what it had there.
 */
import { abortAfter, LONGEST_TIMER_MS, monotonicMs, outOfTime, untilAborted } from '../../base/index.ts';
import { type GraphStore, NoRoomError } from '../../graph/index.ts';
import type { ServedGraph } from './graph-version.ts';
import type { StatementRequest } from './request.ts';

/** Makes room in memory for the tables of a statement. */
export interface RoomMaker {
  readonly served: () => ServedGraph;
  /** See `Unloader.makeRoom`. */
  readonly makeRoom: (graph: GraphStore, bytesInAll: number) => Promise<boolean>;
}

/**
 * Runs a statement in a transaction of its own, and once more where there was no room for what it reads and some could
 * be made. Making room is part of the statement's time: QUERY_TIMEOUT, CANCELLED. Awaits nothing that `run` does not.
 */
export function withRoom<T>(
  maker: RoomMaker,
  request: StatementRequest,
  run: (request: StatementRequest) => T | Promise<T>,
): T | Promise<T> {
  const { graph } = maker.served();
  const answer = run(request);
  if (!(answer instanceof Promise)) return answer;
  return answer.catch(async (error: unknown) => {
    // Nothing of the statement has run: what it reads is loaded before.
    if (!(error instanceof NoRoomError)) throw error;
    if (!(await withinTime(maker.makeRoom(graph, error.bytesInAll), request))) throw error;
    return run(request);
  });
}

async function withinTime<T>(work: Promise<T>, { deadline, options: { signal } }: StatementRequest): Promise<T> {
  const remainingMs = Math.max(0, deadline - monotonicMs());
  if (remainingMs > LONGEST_TIMER_MS) return untilAborted(work, signal);
  const limit = abortAfter(Math.ceil(remainingMs));
  try {
    return await untilAborted(work, signal === undefined ? limit : AbortSignal.any([signal, limit]));
  } catch (error) {
    throw limit.aborted && signal?.aborted !== true ? outOfTime() : error;
  }
}
