/**
 * Runs a statement again that found no room in memory for the tables and columns that it reads, once the served graph
 * has been unloaded.
 */
import { abortAfter, LONGEST_TIMER_MS, monotonicMs, outOfTime, untilAborted } from '../../base/index.ts';
import { type GraphStore, NoRoomError } from '../../graph/index.ts';
import type { ServedGraph } from './graph-version.ts';
import type { StatementRequest } from './request.ts';

/** The served graph, and the function that makes room in memory for the tables of a statement. */
export interface RoomMaker {
  readonly served: () => ServedGraph;
  /** Makes room for a statement that reads so many bytes; see `Unloader.makeRoom`. */
  readonly makeRoom: (graph: GraphStore, bytesInAll: number) => Promise<boolean>;
}

/**
 * Runs a statement in a transaction of its own, and once more if there was no room for what it reads and some could be
 * made. Making room counts towards the statement's time. Returns without a promise if `run` does.
 *
 * @throws QUERY_TIMEOUT, CANCELLED while room is made.
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
