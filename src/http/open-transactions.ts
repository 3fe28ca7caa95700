/**
 * Transactions that clients of the HTTP API hold open between their requests. Each holds its namespace and belongs to
 * the caller that began it; for other callers it does not exist. A transaction that gets no request for too long is
 * rolled back.
 */
import { type Caller, GraphDBError, randomHex, reasonOf } from '../base/index.ts';
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
  /**
   * Holds the namespace for the transaction; `stop` ends the transaction, or the wait for it. The signal is aborted when
   * nobody waits for the transaction any more.
   */
  readonly hold: (stop: (reason: GraphDBError) => void, signal: AbortSignal) => HeldNamespace | Promise<HeldNamespace>;
  /** The longest wait for the writer's turn in milliseconds; 0: no limit. */
  readonly timeoutMs: number;
  /** Aborting this signal gives up the wait. */
  readonly signal: AbortSignal;
}

/** The transactions that clients hold open. */
export class OpenTransactions {
  readonly #open = new Map<string, OpenTransaction>();
  /** Commits under way, by transaction; each resolves when all commits of its transaction have ended, whether they succeed or fail. */
  readonly #committing = new Map<string, Promise<unknown>>();
  #opening = 0;

  /**
   * Begins a transaction. @throws OVERLOADED if too many are open; QUERY_TIMEOUT if the writer was not free in time;
   * CANCELLED if the transaction is terminated before it has begun.
   */
  async begin(wanted: WantedTransaction): Promise<OpenTransaction> {
    if (this.#open.size + this.#opening >= MOST_OPEN) {
      throw new GraphDBError('OVERLOADED', `${MOST_OPEN} transactions are open; commit or roll back some of them`);
    }
    this.#opening++;
    try {
      const { caller, namespace, mode } = wanted;
      const id = randomHex(16);
      const lease = new Lease({ idleMs: IDLE_MS[mode], totalMs: 0 }, () => this.#letGo(id, undone()));
      const opened = { id, caller, namespace, lease, ...(await begun(wanted, lease)) };
      this.#open.set(id, opened);
      await this.#start(opened);
      return opened;
    } finally {
      this.#opening--;
    }
  }

  /** Starts the lease: the time until the first request counts, too. @throws the reason, if the lease was terminated before. */
  async #start({ id, lease }: OpenTransaction): Promise<void> {
    try {
      await lease.during(async () => {});
    } catch (error) {
      await this.#letGo(id, undone());
      throw error;
    }
  }

  /** Returns an open transaction. @throws NOT_FOUND if there is none of that id, or it belongs to another caller or namespace. */
  find(id: string, { caller, namespace }: Pick<OpenTransaction, 'caller' | 'namespace'>): OpenTransaction {
    const found = this.#open.get(id);
    if (found !== undefined && found.caller.id === caller.id && found.namespace === namespace) return found;
    throw notOpen();
  }

  /** Commits a transaction. One that fails to commit is over, unless it lives on because a statement of it runs. */
  async commit(opened: OpenTransaction): Promise<void> {
    const { id } = opened;
    const committed = this.#commit(opened);
    // A second commit is refused at once, and the first one is still under way.
    const ended = Promise.allSettled([this.#committing.get(id), committed]).then(() => {
      if (this.#committing.get(id) === ended) this.#committing.delete(id);
    });
    this.#committing.set(id, ended);
    await committed;
  }

  async #commit({ id, lease, transaction }: OpenTransaction): Promise<void> {
    try {
      await lease.during(() => transaction.commit());
    } catch (error) {
      const livesOn = error instanceof GraphDBError && error.code === 'BAD_REQUEST' && lease.isWorking;
      if (!livesOn) await this.#letGo(id, undone());
      throw error;
    }
    await this.#letGo(id, new GraphDBError('CANCELLED', 'the transaction was committed before all rows were read'));
  }

  /** Rolls back a transaction; a running statement of it is stopped. @throws NOT_FOUND if a commit under way ends it first. */
  async rollback({ id }: OpenTransaction): Promise<void> {
    await this.#committing.get(id);
    if (!this.#open.has(id)) throw notOpen();
    await this.#letGo(id, undone());
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
    await Promise.all(all.map(({ id }) => this.#letGo(id, reason)));
  }

  /** Ends a transaction; a running statement of it fails with the reason. */
  async #letGo(id: string, reason: GraphDBError): Promise<void> {
    const opened = this.#open.get(id);
    if (opened === undefined) return;
    this.#open.delete(id);
    opened.lease.end();
    opened.lease.stop(reason);
    try {
      await opened.transaction.rollback();
    } finally {
      opened.held.release();
    }
  }
}

/** Holds the namespace and begins the transaction of the engine. @throws the reason of the lease, if it is terminated meanwhile. */
async function begun(
  { mode, hold, timeoutMs, signal: ofRequest }: WantedTransaction,
  lease: Lease,
): Promise<Pick<OpenTransaction, 'held' | 'transaction'>> {
  const signal = AbortSignal.any([ofRequest, lease.signal]);
  try {
    const held = await hold((reason) => lease.terminate(reason), signal);
    try {
      return { held, transaction: await held.engine.begin({ mode, signal, timeoutMs }) };
    } catch (error) {
      held.release();
      throw error;
    }
  } catch (error) {
    throw reasonOf(error, lease.signal);
  }
}

function notOpen(): GraphDBError {
  return new GraphDBError(
    'NOT_FOUND',
    'no transaction of that id is open: it has ended, or was rolled back because nothing was asked of it',
  );
}

function undone(): GraphDBError {
  return new GraphDBError('CANCELLED', 'the transaction was rolled back');
}
