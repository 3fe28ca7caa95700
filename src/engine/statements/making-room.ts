/**
 * Runs a statement again that found no room in memory for the tables and columns that it reads, once the served graph
 * has been unloaded.
 */
import { type GraphStore, NoRoomError, type RoomNeed } from '../../graph/index.ts';
import type { ServedGraph } from './graph-version.ts';
import { type StatementRequest, withinTime } from './request.ts';

/** The served graph, and the function that makes room in memory for the tables of a statement. */
export interface RoomMaker {
  readonly served: () => ServedGraph;
  /** Makes room for what a statement reads; see `Unloader.makeRoom`. */
  readonly makeRoom: (graph: GraphStore, need: RoomNeed) => Promise<boolean>;
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
    // Nothing that the statement has done lasts: where something does, it ends with another error.
    if (!(error instanceof NoRoomError)) throw error;
    if (!(await withinTime(maker.makeRoom(graph, error), request))) throw error;
    return run(request);
  });
}

/**
 * Makes room in the background after a statement of a transaction has failed for want of it: the transaction keeps its
 * graph, and those that begin later find the room.
 */
export function makeRoomBehind(maker: RoomMaker, graph: GraphStore, error: unknown): void {
  if (error instanceof NoRoomError) void maker.makeRoom(graph, error).catch(() => false);
}
