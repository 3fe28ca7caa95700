/** An engine for those who may only read. */
import { GraphDBError } from '../../base/index.ts';
import type { Engine, EngineTransaction, StatementOptions } from '../api.ts';

/** Returns a face of the engine that refuses statements that write, flushes and compactions with READ_ONLY. */
export function readingEngine(engine: Engine): Engine {
  const reading = (options: StatementOptions | undefined): StatementOptions => ({ ...options, access: 'read' });
  const refused = async (): Promise<never> => {
    throw new GraphDBError('READ_ONLY', 'this token may only read');
  };
  const transaction = (inner: EngineTransaction): EngineTransaction => ({
    execute: (query, params, options) => inner.execute(query, params, reading(options)),
    stream: (query, params, options) => inner.stream(query, params, reading(options)),
    commit: () => inner.commit(),
    rollback: () => inner.rollback(),
  });
  return {
    answer: (query, params, options) => engine.answer(query, params, reading(options)),
    execute: (query, params, options) => engine.execute(query, params, reading(options)),
    stream: (query, params, options) => engine.stream(query, params, reading(options)),
    begin: async (options) => transaction(await engine.begin({ ...options, mode: 'read' })),
    reach: (sequence, options) => engine.reach(sequence, options),
    explain: (query, options) => engine.explain(query, options),
    flush: refused,
    compact: refused,
    status: () => engine.status(),
    freshStatus: () => engine.freshStatus(),
    statistics: () => engine.statistics(),
    close: () => engine.close(),
  };
}
