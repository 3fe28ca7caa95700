/**
 * Back-pressure: who wants to write waits while flushes or merges are too far behind, instead of letting the log (and
 * with it the next opening) or the number of files grow without bound.
 *
 * While the log is too long, writers wait for the flush that they begin if none is under way; a flush that fails fails
 * them (OVERLOADED), since without it the log would only grow. While there are too many flushed files, they wait for
 * the merge that runs.
 */
import { untilAborted } from '../../base/index.ts';

/** Work that writers may have to wait for. */
export interface Backlog {
  /** Is there so much of it that writers must wait? */
  readonly isTooLong: boolean;
  /** Resolves when some of it was worked off. */
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

  /** Resolves when writing may go on. CANCELLED when the signal is aborted first; OVERLOADED when the backlog cannot be worked off. */
  async admit(signal: AbortSignal | undefined): Promise<void> {
    for (const backlog of this.backlogs) {
      while (backlog.isTooLong) await untilAborted(backlog.workOff(), signal, CANCELLED);
    }
  }
}
