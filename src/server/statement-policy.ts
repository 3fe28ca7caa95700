/**
 * The server's rules for statements, whichever protocol they come by: the longest run, the memory, and the log of
 * statements. `applyPolicy` wraps an engine with them. The log has the text of a statement, its request and its sender,
 * never its parameters.
 */
import { fromForeignError, type Logger, monotonicMs } from '../base/index.ts';
import type { Engine, EngineTransaction, StatementAuthor, StatementOptions, StatementResult } from '../engine/index.ts';
import { watchBatches } from './watched-batches.ts';

/** The server's rules for statements. */
export interface StatementPolicy {
  /** The longest run of a statement in milliseconds; 0: no limit. */
  readonly timeoutMs: number;
  readonly memoryBytes: number;
  /** Milliseconds from which on a statement is logged as slow; 0: none is. */
  readonly slowMs: number;
  readonly logger: Logger;
  /** The namespace of the engine, for the log. */
  readonly namespace?: string;
}

const LOGGED_CHARACTERS = 4_096;

/** Wraps an engine so that statements keep to the server's rules. */
export function applyPolicy(engine: Engine, policy: StatementPolicy): Engine {
  const limited = (options: StatementOptions | undefined): StatementOptions => ({
    ...options,
    timeoutMs: shorter(policy.timeoutMs, options?.timeoutMs ?? 0),
    memoryBytes: Math.min(policy.memoryBytes, options?.memoryBytes ?? policy.memoryBytes),
  });
  const watched = async (
    query: string,
    options: StatementOptions | undefined,
    run: () => Promise<StatementResult>,
  ): Promise<StatementResult> => {
    const statement = new WatchedStatement(policy, query, options?.author);
    try {
      const result = await run();
      statement.rows = result.rows.length;
      statement.end();
      return result;
    } catch (error) {
      statement.end(error);
      throw error;
    }
  };
  const streamed =
    (run: Engine['stream']): Engine['stream'] =>
    async (query, params, options) => {
      const statement = new WatchedStatement(policy, query, options?.author);
      try {
        const { columns, batches, summary } = await run(query, params, limited(options));
        const onBatch = (count: number): void => {
          statement.rows += count;
        };
        return { columns, batches: watchBatches(batches, { onBatch, onEnd: (error) => statement.end(error) }), summary };
      } catch (error) {
        statement.end(error);
        throw error;
      }
    };
  const transaction = (inner: EngineTransaction): EngineTransaction => ({
    execute: (query, params, options) => watched(query, options, () => inner.execute(query, params, limited(options))),
    stream: streamed((...statement) => inner.stream(...statement)),
    commit: () => inner.commit(),
    rollback: () => inner.rollback(),
  });
  const execute: Engine['execute'] = (query, params, options) =>
    watched(query, options, () => engine.execute(query, params, limited(options)));
  return {
    answer: execute,
    execute,
    stream: streamed((...statement) => engine.stream(...statement)),
    begin: async (options) => {
      const limits = { timeoutMs: shorter(policy.timeoutMs, options.timeoutMs ?? 0), maxHoldMs: policy.timeoutMs };
      return transaction(await engine.begin({ ...options, ...limits }));
    },
    reach: (sequence, options) => engine.reach(sequence, options),
    explain: (query, options) => engine.explain(query, options),
    flush: () => engine.flush(),
    compact: () => engine.compact(),
    status: () => engine.status(),
    freshStatus: () => engine.freshStatus(),
    statistics: () => engine.statistics(),
    close: () => engine.close(),
  };
}

/** Returns the shorter of two time limits, where 0 is none. */
function shorter(one: number, other: number): number {
  return one === 0 || other === 0 ? one + other : Math.min(one, other);
}

/** Logs the run of a statement: at the level debug, or as a warning if the statement was slow. */
class WatchedStatement {
  readonly #policy: StatementPolicy;
  readonly #query: string;
  readonly #author: StatementAuthor | undefined;
  readonly #start = monotonicMs();
  rows = 0;

  constructor(policy: StatementPolicy, query: string, author: StatementAuthor | undefined) {
    this.#policy = policy;
    this.#query = query;
    this.#author = author;
  }

  end(error?: unknown): void {
    const { slowMs, logger, namespace } = this.#policy;
    const elapsedMs = monotonicMs() - this.#start;
    const isSlow = slowMs > 0 && elapsedMs >= slowMs;
    if (!isSlow && !logger.logsDebug) return;
    const { requestId, user, connectionType: protocol } = this.#author ?? {};
    const result = error === undefined ? 'ok' : fromForeignError(error).code;
    const facts = { requestId, user, protocol, namespace, rows: this.rows, result, elapsedMs: Math.round(elapsedMs * 1_000) / 1_000 };
    const query = this.#query.slice(0, LOGGED_CHARACTERS);
    if (isSlow) logger.warn({ ...facts, query }, 'slow statement');
    else logger.debug({ ...facts, query }, 'statement');
  }
}
