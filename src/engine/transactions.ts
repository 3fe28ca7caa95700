/** The transactions of a server, of all clients and namespaces, as SHOW and TERMINATE TRANSACTIONS use them. */
import type { Caller } from '../base/index.ts';
import type { Termination, TransactionDescription } from '../exec/index.ts';

export type { Termination, TransactionDescription };

/** The caller that asks; undefined for one that may do everything. */
type Asker = Caller | undefined;

/** The transactions of a server. */
export interface Transactions {
  /**
   * Lists the transactions that the caller may see, in the order in which they began: its own, and all of the
   * namespaces that it governs.
   */
  list(caller: Asker): readonly TransactionDescription[];
  /**
   * Terminates the transactions of these ids that the caller may see. Each fails with CANCELLED, at once if nothing
   * runs in it. Returns one result per id, in the order of the ids.
   */
  terminate(ids: readonly string[], caller: Asker): readonly Termination[];
}
