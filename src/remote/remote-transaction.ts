/** Transactions that a server keeps open for its clients. */
import { GraphDBError } from '../base/index.ts';
import type { StatementOptions, StatementResult, StatementStream } from '../engine/index.ts';
import { type Parameters, RemoteStatements } from './remote-statements.ts';
import type { Server } from './requests.ts';

/** A transaction that a server keeps open; the server rolls it back if it gets no request for a while. */
export class RemoteTransaction extends RemoteStatements {
  readonly #place: string;
  #hasEnded = false;
  /** Number of statements whose results are still being read as a whole. */
  #running = 0;
  /** Resolves when a commit under way is answered, whether it succeeds or fails. */
  #committing: Promise<void> = Promise.resolve();
  readonly #onEnd: (transaction: RemoteTransaction) => void;

  constructor(server: Server, id: string, onEnd: (transaction: RemoteTransaction) => void) {
    const place = `v0/transactions/${id}`;
    super(server, `${place}/`, { commitsEach: false });
    this.#place = place;
    this.#onEnd = onEnd;
  }

  override async execute(query: string, params: Parameters, options?: StatementOptions): Promise<StatementResult> {
    this.#running++;
    try {
      return await super.execute(query, params, options);
    } finally {
      this.#running--;
    }
  }

  override async stream(query: string, params: Parameters, options?: StatementOptions): Promise<StatementStream> {
    this.#checkOpen();
    return super.stream(query, params, options);
  }

  /** @throws BAD_REQUEST after the end of the transaction, and while a statement of it runs */
  async commit(): Promise<void> {
    this.#checkOpen();
    if (this.#running > 0) throw new GraphDBError('BAD_REQUEST', 'a statement of this transaction is still running');
    const committed = this.server.ask({ path: `${this.#place}/commit`, mayCommit: true }).then(() => {
      this.#hasEnded = true;
      this.#onEnd(this);
    });
    this.#committing = committed.catch(() => {});
    await committed;
  }

  async rollback(): Promise<void> {
    await this.#committing;
    if (this.#hasEnded) return;
    this.#hasEnded = true;
    this.#onEnd(this);
    try {
      await this.server.ask({ method: 'DELETE', path: this.#place });
    } catch (error) {
      // It has been rolled back already.
      if (!(error instanceof GraphDBError) || error.code !== 'NOT_FOUND') throw error;
    }
  }

  #checkOpen(): void {
    if (this.#hasEnded) throw new GraphDBError('BAD_REQUEST', 'the transaction has ended');
  }
}
