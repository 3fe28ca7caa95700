/**
 * A read that a worker was given and has not ended, as the main thread sees it; and its answer if the thread dies.
 *
 * A thread is ended before its reads if one of them is overdue (the thread is stuck) or its heap is full, and may end
 * by a fault of the engine. The read that is to blame is answered with its own error. Every other read begins again in
 * another thread if none of its rows was handed out; otherwise it fails, and the client may send it again.
 */
import { GraphDBError, outOfTime } from '../../base/index.ts';
import type { FollowedGraph } from './followed-graphs.ts';
import { threadIsFull } from './heap-guard.ts';
import type { RemoteRead } from './remote-read.ts';
import type { RemoteRows } from './remote-rows.ts';

/** A read that a worker has not ended. */
export interface OngoingRead {
  readonly request: RemoteRead;
  readonly rows: RemoteRows;
  readonly graph: FollowedGraph;
  /** When the read was told to stop, in milliseconds of `monotonicMs()`; Infinity: it was not. */
  stoppedAt: number;
  /** True if the read was answered because its time was over before its thread had started; what the thread says of it comes too late. */
  isAnswered: boolean;
}

/** The reason for which a thread has ended. */
export type Death = 'overdue' | 'full heap' | 'fault';

/**
 * Milliseconds that a worker may take to answer once the time of a statement is over or it was told to stop. Together
 * with the interval of the checks that is less than 250.
 */
const ANSWER_MS = 175;
/** Milliseconds that a thread which is still starting may take to answer: it cannot answer yet, and may start meanwhile. */
const ANSWER_BEFORE_BEGIN_MS = 50;

/** Returns whether the thread should have ended the read by now; `isReady` tells whether the thread has started. */
export function isOverdue({ request, stoppedAt, isAnswered }: OngoingRead, nowMs: number, isReady: boolean): boolean {
  return !isAnswered && nowMs - Math.min(request.deadline, stoppedAt) > (isReady ? ANSWER_MS : ANSWER_BEFORE_BEGIN_MS);
}

/**
 * Returns the error of a read whose thread has ended; null if the read may begin again. `isToBlame`: its code ran when
 * the thread ended.
 */
export function answerAfterDeath(
  read: OngoingRead,
  {
    death,
    isToBlame,
    nowMs,
    cause,
  }: { readonly death: Death; readonly isToBlame: boolean; readonly nowMs: number; readonly cause: unknown },
): GraphDBError | null {
  if (read.stoppedAt <= nowMs) return new GraphDBError('CANCELLED', 'the statement was cancelled');
  if (read.request.deadline <= nowMs) return outOfTime();
  if (isToBlame && death === 'full heap') return threadIsFull(cause);
  if (isToBlame && death === 'fault') return new GraphDBError('INTERNAL', 'the thread that ran the statement failed', { cause });
  return read.request.morsels === null && read.rows.mayBeginAgain ? null : new ThreadLost(cause);
}

/**
 * The error of a statement whose thread has ended for no fault of the statement, after rows of it were handed out, or
 * while it was one of several parts.
 */
export class ThreadLost extends GraphDBError {
  constructor(cause: unknown) {
    super('OVERLOADED', 'the thread of the statement was ended because of another statement; send it again', { cause });
  }
}
