/**
 * Transactions that clients of the HTTP API hold open between their requests. Each holds its namespace and belongs to
 * the caller that began it; for other callers it does not exist. A transaction that gets no request for too long is
 * rolled back.
 */
import { type Caller, GraphDBError, randomHex } from '../base/index.ts';
import type { EngineTransaction } from '../engine/index.ts';
import { type HeldNamespace, Lease } from '../namespaces/index.ts';

/** The longest times between two requests in milliseconds. A transaction that writes holds up all other writers. */
const IDLE_MS = { read: 600_000, write: 60_000 } as const;
/** The most transactions that may be open: each takes memory for its snapshot. */
const MOST_OPEN = 1_000;

/** A transaction that a client holds open. */
export interface OpenTransaction {
  readonly id: string;
  readonly caller: Caller;
  /** The namespace in the paths of the transaction's requests; null if they name none. */
  readonly namespace: string | null;
  readonly held: HeldNamespace;
  readonly lease: Lease;
  readonly transaction: EngineTransaction;
}

/** The transaction that a client asks for. */
export interface WantedTransaction {
  readonly caller: Caller;
  readonly namespace: string | null;
  readonly mode: 'read' | 'write';
  /** Holds the namespace for the transaction; `stop` ends the transaction. */
  readonly hold: (stop: (reason: GraphDBError) => void) => HeldNamespace | Promise<HeldNamespace>;
  /** The longest wait for the writer's turn in milliseconds; 0: no limit. */
  readonly timeoutMs: number;
  /** Aborting this signal gives up the wait. */
  readonly signal: AbortSignal;
}

/** The transactions that clients hold open. */
export class OpenTransactions {
  readonly #open = new Map<string, OpenTransaction>();
  #opening = 0;

  /** Begins a transaction. @throws OVERLOADED if too many are open; QUERY_TIMEOUT if the writer was not free in time. */
  async begin({ caller, namespace, mode, hold, timeoutMs, signal }: WantedTransaction): Promise<OpenTransaction> {
    if (this.#open.size + this.#opening >= MOST_OPEN) {
      throw new GraphDBError('OVERLOADED', `${MOST_OPEN} transactions are open; commit or roll back some of them`);
    }
    this.#opening++;
    try {
      const id = randomHex(16);
      let stop = (_reason: GraphDBError): void => {};
      const held = await hold((reason) => stop(reason));
      const transaction = await held.engine.begin({ mode, signal, timeoutMs }).catch((error: unknown) => {
        held.release();
        throw error;
      });
      const lease = new Lease({ idleMs: IDLE_MS[mode], totalMs: 0 }, () => this.#letGo(id));
      stop = (reason) => lease.terminate(reason);
      const opened = { id, caller, namespace, held, lease, transaction };
      this.#open.set(id, opened);
      // Starts the lease: the time until the first request counts, too.
      await lease.during(async () => {});
      return opened;
    } finally {
      this.#opening--;
    }
  }

  /** Returns an open transaction. @throws NOT_FOUND if there is none of that id, or it belongs to another caller or namespace. */
  find(id: string, { caller, namespace }: Pick<OpenTransaction, 'caller' | 'namespace'>): OpenTransaction {
    const found = this.#open.get(id);
    if (found !== undefined && found.caller.id === caller.id && found.namespace === namespace) return found;
    throw new GraphDBError(
      'NOT_FOUND',
      'no transaction of that id is open: it has ended, or was rolled back because nothing was asked of it',
    );
  }

  async commit(opened: OpenTransaction): Promise<void> {
    await opened.lease.during(() => opened.transaction.commit());
    await this.#letGo(opened.id);
  }

  async rollback({ id }: OpenTransaction): Promise<void> {
    await this.#letGo(id);
  }

  /** Ends the transactions whose callers are no longer admitted. */
  endInvalid(): void {
    for (const { caller, lease } of this.#open.values())
      if (!caller.isValid()) lease.terminate(new GraphDBError('UNAUTHORIZED', 'the token has been revoked, or has expired'));
  }

  /** Rolls back all open transactions. */
  async endAll(reason: GraphDBError): Promise<void> {
    const all = [...this.#open.values()];
    for (const { lease } of all) lease.terminate(reason);
    await Promise.all(all.map(({ id }) => this.#letGo(id)));
  }

  async #letGo(id: string): Promise<void> {
    const opened = this.#open.get(id);
    if (opened === undefined) return;
    this.#open.delete(id);
    opened.lease.end();
    try {
      await opened.transaction.rollback();
    } finally {
      opened.held.release();
    }
  }
}
