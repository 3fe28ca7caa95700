/** A statement as it was sent, before anything is known of it. */
import { GraphDBError, LONGEST_TIMER_MS, monotonicMs, outOfTime, startTimer, untilAborted } from '../../base/index.ts';
import type { Value } from '../../value/index.ts';
import type { StatementOptions } from '../api.ts';

/** The parameters of a statement, by name. */
export type Parameters = ReadonlyMap<string, Value>;

/** The memory limit of a statement in bytes, if none is given. */
export const DEFAULT_MEMORY_BYTES = 2 * 1024 ** 3;

/**
 * A statement as it was sent. `Database`, or the transaction to which it is sent, makes it; it lives until the
 * statement is answered, and is never changed.
 */
export interface StatementRequest {
  readonly query: string;
  /** The user's parameters; the literals of the text are added when the statement is prepared. */
  readonly params: Parameters;
  readonly options: StatementOptions;
  /** The end of the statement's time, which begins with the request, in milliseconds of `monotonicMs()`; Infinity: no limit. */
  readonly deadline: number;
}

/** Makes a request whose time begins now. */
export function requestOf(query: string, params: Parameters, options: StatementOptions): StatementRequest {
  const { timeoutMs } = options;
  return { query, params, options, deadline: timeoutMs ? monotonicMs() + timeoutMs : Number.POSITIVE_INFINITY };
}

/** Checks that a statement that writes was not sent for reading only. @throws READ_ONLY. */
export function assertMayWrite({ access }: StatementOptions): void {
  if (access === 'read') throw new GraphDBError('READ_ONLY', 'the statement writes, but was sent for reading only');
}

/** Waits for work within the time of a statement. @throws QUERY_TIMEOUT, CANCELLED if the work takes longer; it goes on then */
export async function withinTime<T>(work: Promise<T>, { deadline, options: { signal } }: StatementRequest): Promise<T> {
  const remainingMs = Math.ceil(Math.max(0, deadline - monotonicMs()));
  if (remainingMs > LONGEST_TIMER_MS) return untilAborted(work, signal);
  const { promise: late, reject } = Promise.withResolvers<never>();
  const cancel = startTimer(remainingMs, () => reject(outOfTime()));
  try {
    return await Promise.race([untilAborted(work, signal), late]);
  } finally {
    cancel();
  }
}
