/** Restricts an engine to the rights of one caller. */
import { type Caller, may, mayEverything, requireRight } from '../base/index.ts';
import type { Engine, EngineTransaction, StatementOptions } from './api.ts';

/**
 * Returns the engine restricted to the caller's rights: whatever its role may not do, judged by the plan of each
 * statement, fails with FORBIDDEN. A caller that may do everything gets the engine itself.
 */
export function engineFor(engine: Engine, caller: Caller): Engine {
  if (mayEverything(caller)) return engine;
  const called = (options: StatementOptions | undefined): StatementOptions => ({ ...options, caller });
  const transaction = (inner: EngineTransaction): EngineTransaction => ({
    execute: (query, params, options) => inner.execute(query, params, called(options)),
    stream: (query, params, options) => inner.stream(query, params, called(options)),
    commit: () => inner.commit(),
    rollback: () => inner.rollback(),
  });
  // Members that depend on no right are inherited from the engine.
  return Object.assign(Object.create(engine) as Engine, {
    answer: (query, params, options) => engine.answer(query, params, called(options)),
    execute: (query, params, options) => engine.execute(query, params, called(options)),
    stream: (query, params, options) => engine.stream(query, params, called(options)),
    // A caller that may not write needs no writer's turn, whatever the driver asks for.
    begin: async (options) => transaction(await engine.begin(may(caller, 'write') ? options : { ...options, mode: 'read' })),
    flush: async () => {
      requireRight(caller, 'operate');
      return engine.flush();
    },
    compact: async () => {
      requireRight(caller, 'operate');
      return engine.compact();
    },
  } satisfies Partial<Engine>);
}
