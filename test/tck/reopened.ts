/** An engine that is opened anew before each statement, so that nothing is in memory but what the statement says that it needs. */
import type { Engine } from '../../src/engine/index.ts';
import type { TckEngine } from './scenario.ts';

/** @param open gives an engine over one store, whatever has been written to it before */
export async function openReopened(open: () => Promise<Engine>): Promise<TckEngine> {
  let engine = await open();
  return {
    async execute(query, params) {
      await engine.flush();
      await engine.close();
      engine = await open();
      return engine.execute(query, params);
    },
    close: () => engine.close(),
  };
}
