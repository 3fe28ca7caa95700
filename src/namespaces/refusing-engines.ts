/** Engines that refuse writes, each with an error that says why. */
import { GraphDBError } from '../base/index.ts';
import type { Engine, EngineTransaction } from '../engine/index.ts';
import { fenced } from '../storage/index.ts';

/**
 * Wraps an engine that was opened read-only because another process has taken the namespace over: a write fails with
 * the error of a fenced writer, as it did before the namespace was closed.
 */
export function fencedEngine(engine: Engine): Engine {
  return refusing(engine, (cause) => fenced({ cause }));
}

/** Wraps the engine of `system`: writes are refused, and no transaction waits for the writer's turn. */
export function systemEngine(engine: Engine): Engine {
  const reading: Engine = Object.assign(Object.create(engine) as Engine, {
    answer: (query, params, options) => engine.answer(query, params, { ...options, access: 'read' }),
    execute: (query, params, options) => engine.execute(query, params, { ...options, access: 'read' }),
    stream: (query, params, options) => engine.stream(query, params, { ...options, access: 'read' }),
    begin: (options) => engine.begin({ ...options, mode: 'read' }),
  } satisfies Partial<Engine>);
  return refusing(reading, (cause) => {
    const neo4jCode = 'Neo.ClientError.Statement.NotSystemDatabaseError';
    return new GraphDBError('READ_ONLY', 'system takes commands about databases, and holds no data: choose another database', {
      neo4jCode,
      cause,
    });
  });
}

/** Replaces READ_ONLY by `reason`, except for a statement that the client itself sent as a read. */
function refusing(engine: Engine, reason: (cause: unknown) => GraphDBError): Engine {
  const told = async <T>(work: Promise<T>): Promise<T> => {
    try {
      return await work;
    } catch (error) {
      throw error instanceof GraphDBError && error.code === 'READ_ONLY' ? reason(error) : error;
    }
  };
  const execute =
    (inner: EngineTransaction['execute']): EngineTransaction['execute'] =>
    (query, params, options) =>
      options?.access === 'read' ? inner(query, params, options) : told(inner(query, params, options));
  const stream =
    (inner: EngineTransaction['stream']): EngineTransaction['stream'] =>
    (query, params, options) =>
      options?.access === 'read' ? inner(query, params, options) : told(inner(query, params, options));
  return Object.assign(Object.create(engine) as Engine, {
    answer: execute((...statement) => engine.execute(...statement)),
    execute: execute((...statement) => engine.execute(...statement)),
    stream: stream((...statement) => engine.stream(...statement)),
    begin: async (options): Promise<EngineTransaction> => {
      const transaction = await told(engine.begin(options));
      return {
        execute: execute((...statement) => transaction.execute(...statement)),
        stream: stream((...statement) => transaction.stream(...statement)),
        commit: () => transaction.commit(),
        rollback: () => transaction.rollback(),
      };
    },
    flush: () => told(engine.flush()),
    compact: () => told(engine.compact()),
  } satisfies Partial<Engine>);
}
