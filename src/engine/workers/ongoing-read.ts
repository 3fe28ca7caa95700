/**
 * A read that a worker was given and has not ended, as the main thread sees it; and its answer when the thread ends under it.
 *
 * A thread ends before its reads do when one of them is overdue (the thread does not turn), when its heap is full, or
 * by a fault of ours. The read that is to blame is answered with its own error. Every other one begins again in another
 * thread where nobody has seen a row of it, and is refused otherwise, to be sent again.
 */
import { GraphDBError, outOfTime } from '../../base/index.ts';
import { threadIsFull } from './heap-guard.ts';
import type { RemoteRead } from './remote-read.ts';
import type { RemoteRows } from './remote-rows.ts';

/** A read that a worker has not ended. */
export interface OngoingRead {
  readonly request: RemoteRead;
  readonly rows: RemoteRows;
  /** When it was told to stop, in milliseconds of `monotonicMs()`; Infinity: it was not. */
  stoppedAt: number;
  /** Its time was over before its thread had begun: whatever the thread says of it comes too late. */
  isAnswered: boolean;
}

/** Why a thread has ended. */
export type Death = 'overdue' | 'full heap' | 'fault';

/**
 * Milliseconds that a worker may take to answer once the time of a statement is over, or it was told to stop. With the
 * look that follows they are less than 250.
 */
const ANSWER_MS = 175;
/** Milliseconds that a thread may take that has not begun: it cannot answer yet, and may begin meanwhile. */
const ANSWER_BEFORE_BEGIN_MS = 50;

/** True: the thread, which `isReady` where it has begun, should have ended the read by now. */
export function isOverdue({ request, stoppedAt, isAnswered }: OngoingRead, nowMs: number, isReady: boolean): boolean {
  return !isAnswered && nowMs - Math.min(request.deadline, stoppedAt) > (isReady ? ANSWER_MS : ANSWER_BEFORE_BEGIN_MS);
}

/** The answer of a read whose thread has ended; null: it may begin again. `isToBlame`: its code ran when the thread ended. */
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

/** The thread of a statement has ended for no fault of the statement, and some of its rows are with the client, or with another thread. */
export class ThreadLost extends GraphDBError {
  constructor(cause: unknown) {
    super('OVERLOADED', 'the thread of the statement was ended because of another statement; send it again', { cause });
  }
}
