/**
 * The server's rules for statements, whichever protocol they come by: the longest run, the memory, and the log of slow ones. An engine
 * goes in, the same engine with the rules comes out. The slow log has the text of a statement, never its parameters.
 */
import { type Logger, monotonicMs } from '../base/index.ts';
import type { Engine, EngineTransaction, StatementOptions } from '../engine/index.ts';
import { watchBatches } from './watched-batches.ts';

export interface StatementPolicy {
  /** 0: none. */
  readonly timeoutMs: number;
  readonly memoryBytes: number;
  /** 0: off. */
  readonly slowMs: number;
  readonly logger: Logger;
}

const LOGGED_CHARACTERS = 4_096;

export function applyPolicy(engine: Engine, policy: StatementPolicy): Engine {
  const limited = (options: StatementOptions | undefined): StatementOptions => ({
    ...options,
    timeoutMs: shorter(policy.timeoutMs, options?.timeoutMs ?? 0),
    memoryBytes: Math.min(policy.memoryBytes, options?.memoryBytes ?? policy.memoryBytes),
  });
  const watched = <T>(query: string, run: () => Promise<T>): Promise<T> => logIfSlow(policy, query, run);
  const streamed =
    (run: Engine['stream']): Engine['stream'] =>
    async (query, params, options) => {
      const end = watchTime(policy, query);
      try {
        const { columns, batches, summary } = await run(query, params, limited(options));
        return { columns, batches: watchBatches(batches, { onEnd: end }), summary };
      } catch (error) {
        end();
        throw error;
      }
    };
  const transaction = (inner: EngineTransaction): EngineTransaction => ({
    execute: (query, params, options) => watched(query, () => inner.execute(query, params, limited(options))),
    stream: streamed((...statement) => inner.stream(...statement)),
    commit: () => inner.commit(),
    rollback: () => inner.rollback(),
  });
  const execute: Engine['execute'] = (query, params, options) => watched(query, () => engine.execute(query, params, limited(options)));
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

/** Of two time limits, where 0 is none. */
function shorter(one: number, other: number): number {
  return one === 0 || other === 0 ? one + other : Math.min(one, other);
}

async function logIfSlow<T>(policy: StatementPolicy, query: string, run: () => Promise<T>): Promise<T> {
  const end = watchTime(policy, query);
  try {
    return await run();
  } finally {
    end();
  }
}

/** What comes back is to be called when the statement has ended. */
function watchTime(policy: StatementPolicy, query: string): () => void {
  const start = monotonicMs();
  return () => {
    const elapsedMs = monotonicMs() - start;
    if (policy.slowMs > 0 && elapsedMs >= policy.slowMs) {
      policy.logger.warn({ elapsedMs: Math.round(elapsedMs), query: query.slice(0, LOGGED_CHARACTERS) }, 'slow statement');
    }
  };
}
