/** A statement as it was sent, before anything is known of it. */
import { GraphDBError, monotonicMs } from '../../base/index.ts';
import type { Value } from '../../value/index.ts';
import type { StatementOptions } from '../api.ts';

/** The parameters of a statement, by name. */
export type Parameters = ReadonlyMap<string, Value>;

/** The memory limit of a statement where none is given. */
export const DEFAULT_MEMORY_BYTES = 2 * 1024 ** 3;

/**
 * Made by `Database` or by the transaction to which a statement is sent; it lives until the statement is answered, and
 * is never changed.
 */
export interface StatementRequest {
  readonly query: string;
  /** Given by the user; the literals of the text come to them when the statement is prepared. */
  readonly params: Parameters;
  readonly options: StatementOptions;
  /** The end of its time, which begins with the request, in milliseconds of `monotonicMs()`; Infinity: none. */
  readonly deadline: number;
}

/** A request that is sent now. */
export function requestOf(query: string, params: Parameters, options: StatementOptions): StatementRequest {
  const { timeoutMs } = options;
  return { query, params, options, deadline: timeoutMs ? monotonicMs() + timeoutMs : Number.POSITIVE_INFINITY };
}

/** READ_ONLY: whoever sent a statement that writes wants it to read. */
export function assertMayWrite({ access }: StatementOptions): void {
  if (access === 'read') throw new GraphDBError('READ_ONLY', 'the statement writes, but was sent for reading only');
}
