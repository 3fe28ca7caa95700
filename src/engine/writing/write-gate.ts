/**
 * Back-pressure: writers wait while flushes or merges are too far behind, so that neither the log (and with it the next
 * opening) nor the number of files grows without bound.
 *
 * While the log is too long, writers wait for a flush, which they begin if none is under way. If the flush fails they
 * fail too (OVERLOADED), since without it the log would only grow. While there are too many flushed files, writers wait
 * for the merge that runs.
 */
import { untilAborted } from '../../base/index.ts';

/** Work that writers may have to wait for. */
export interface Backlog {
  /** True if there is so much of it that writers must wait. */
  readonly isTooLong: boolean;
  /** Resolves when some of the work was done. */
  workOff(): Promise<void>;
}

const CANCELLED = 'the statement was cancelled while it waited for its turn to write';

/** Keeps writers waiting while flushes or merges are too far behind. */
export class WriteGate {
  private readonly backlogs: Backlog[] = [];

  add(backlog: Backlog): void {
    this.backlogs.push(backlog);
  }

  get isClosed(): boolean {
    return this.backlogs.some((backlog) => backlog.isTooLong);
  }

  /** Resolves when writing may go on. @throws CANCELLED if the signal is aborted first; OVERLOADED if the work cannot be done. */
  async admit(signal: AbortSignal | undefined): Promise<void> {
    for (const backlog of this.backlogs) {
      while (backlog.isTooLong) await untilAborted(backlog.workOff(), signal, CANCELLED);
    }
  }
}
