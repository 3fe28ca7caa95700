/**
 * Transactions of a server, of all its clients and namespaces: what SHOW and TERMINATE TRANSACTIONS ask of the server
 * that has opened an engine.
 */
import type { Caller } from '../base/index.ts';
import type { Termination, TransactionDescription } from '../exec/index.ts';

export type { Termination, TransactionDescription };

/** Whoever asks; undefined: somebody who may do everything. */
type Asker = Caller | undefined;

/** The transactions of a server. */
export interface Transactions {
  /** Those that the caller may see, in the order in which they began: its own, and of namespaces that it governs those of others. */
  list(caller: Asker): readonly TransactionDescription[];
  /**
   * Stops those of these ids that the caller may see. One that is stopped fails with CANCELLED, at once where nothing
   * runs in it. In the order of the ids.
   */
  terminate(ids: readonly string[], caller: Asker): readonly Termination[];
}
