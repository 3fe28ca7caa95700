/**
 * Runs statements on a server over its HTTP API, in the typed form of JSON, so that values arrive as they are. A
 * statement ends when its signal is aborted: the server stops a statement whose client has gone.
 */
import { closedError, GraphDBError, monotonicMs } from '../base/index.ts';
import type {
  BeginOptions,
  ChangesWanted,
  CompactOutcome,
  Engine,
  FlushOutcome,
  StatementOptions,
  StatementResult,
  StatementStream,
} from '../engine/index.ts';
import type { ResultValue, Value } from '../value/index.ts';
import { type Parameters, RemoteStatements } from './remote-statements.ts';
import { RemoteTransaction } from './remote-transaction.ts';
import { limitsOf, Server } from './requests.ts';

/** The longest wait of one request for changes: `fetch` gives up where no answer begins for five minutes. */
const LONGEST_WAIT_MS = 60_000;

const CHANGES = 'CALL db.cdc.query($from, $selectors) YIELD id, txId, seq, metadata, event RETURN id, txId, seq, metadata, event';

/** The part of an engine that a server offers. */
export type RemoteEngine = Pick<Engine, 'answer' | 'execute' | 'stream' | 'explain' | 'begin' | 'flush' | 'compact' | 'close'>;

/** A graph behind a server. */
export class RemoteGraph extends RemoteStatements implements RemoteEngine {
  readonly #transactions = new Set<RemoteTransaction>();
  readonly #running = new Set<Promise<unknown>>();
  #isClosed = false;

  /** @throws ARGUMENT_ERROR if the text is no URL of a server */
  constructor(url: string, token: string | undefined) {
    super(new Server(url, token), 'v0/', { commitsEach: true });
  }

  answer(query: string, params: Parameters, options?: StatementOptions): Promise<StatementResult> {
    return this.execute(query, params, options);
  }

  async explain(query: string, { verbose = false }: { readonly verbose?: boolean } = {}): Promise<string> {
    if (verbose) {
      throw new GraphDBError('UNSUPPORTED', 'a server tells plans without estimates; give --verbose a storage URI');
    }
    try {
      // On a line of its own, so that a place in the text is one line further down, in the same column.
      const { rows } = await this.execute(`EXPLAIN\n${query}`, new Map());
      return String(rows[0]?.[0] ?? '');
    } catch (error) {
      throw oneLineUp(error);
    }
  }

  override execute(query: string, params: Parameters, options?: StatementOptions): Promise<StatementResult> {
    const result = super.execute(query, params, options);
    this.#running.add(result);
    const ended = (): void => void this.#running.delete(result);
    result.then(ended, ended);
    return result;
  }

  override async stream(query: string, params: Parameters, options?: StatementOptions): Promise<StatementStream> {
    this.#checkOpen();
    return super.stream(query, params, options);
  }

  async begin({ mode, ...limits }: BeginOptions): Promise<RemoteTransaction> {
    this.#checkOpen();
    const answer = await this.server.ask({ path: 'v0/transactions', body: JSON.stringify({ mode }), limits: limitsOf(limits) });
    const transaction = new RemoteTransaction(this.server, String(answer.get('id')), (ended) => this.#transactions.delete(ended));
    this.#transactions.add(transaction);
    if (this.#isClosed) await transaction.rollback();
    this.#checkOpen();
    return transaction;
  }

  async flush(): Promise<FlushOutcome> {
    this.#checkOpen();
    const answer = await this.server.ask({ path: 'v0/admin/flush' });
    return { sstsWritten: Number(answer.get('ssts_written')), manifestVersion: Number(answer.get('manifest_version')) };
  }

  async compact(): Promise<CompactOutcome> {
    this.#checkOpen();
    const answer = await this.server.ask({ path: 'v0/admin/compact' });
    const count = (name: string): number => Number(answer.get(name) ?? 0);
    return {
      sstsWritten: count('ssts_written'),
      tablesMerged: count('tables_merged'),
      sstsRemoved: count('ssts_removed'),
      sstsAdded: count('ssts_added'),
      rowsWritten: count('rows_written'),
      objectsRemoved: count('objects_removed'),
      bytesRemoved: count('bytes_removed'),
      manifestVersion: count('manifest_version'),
    };
  }

  /** Yields rows of changes, as `changesBehind` of an engine does. */
  async *changesBehind({ from, selectors = [], waitMs = 0, signal }: ChangesWanted): AsyncGenerator<ResultValue[][], void, void> {
    const end = monotonicMs() + waitMs;
    const params = new Map<string, Value>([
      ['from', from],
      ['selectors', [...selectors]],
    ]);
    for (;;) {
      const last = waitMs > 0 ? await this.#currentChange(signal) : '';
      let any = false;
      for await (const rows of (await this.stream(CHANGES, params, { signal })).batches) {
        any ||= rows.length > 0;
        yield rows;
      }
      const leftMs = Math.ceil(end - monotonicMs());
      if (any || leftMs <= 0) return;
      const news = `v0/changes?from=${encodeURIComponent(last)}&wait=${Math.min(leftMs, LONGEST_WAIT_MS)}ms`;
      await this.server.text({ method: 'GET', path: news, limits: limitsOf({ signal }) });
    }
  }

  async #currentChange(signal: AbortSignal | undefined): Promise<string> {
    const { rows } = await this.execute('CALL db.cdc.current() YIELD id RETURN id', new Map(), { signal });
    return String(rows[0]?.[0]);
  }

  /** Checks that the server answers. @throws STORE_UNAVAILABLE, NOT_FOUND. */
  async check(): Promise<void> {
    await this.server.text({ method: 'GET', path: 'v0/version' });
  }

  /**
   * Waits for running statements, and rolls back the transactions that have not ended: one that writes would hold up all
   * others until the server gives it up. Connections that are idle end by themselves. Later calls fail with SHUTTING_DOWN.
   */
  async close(): Promise<void> {
    this.#isClosed = true;
    await Promise.allSettled([...this.#running, ...Array.from(this.#transactions, (transaction) => transaction.rollback())]);
  }

  #checkOpen(): void {
    if (this.#isClosed) throw closedError('the database is closed');
  }
}

/** Returns an error whose place is a line further up: what it is about begins at the second line of the text that was sent. */
function oneLineUp(error: unknown): unknown {
  if (!(error instanceof GraphDBError) || error.line === undefined || error.line < 2) return error;
  const { code, message, line, column, cause } = error;
  return new GraphDBError(code, message, { line: line - 1, column, cause });
}
