/** The store that a command works on. */
import { InvalidArgumentError, Option } from 'commander';
import { createEnvironmentLogger, GraphDBError } from '../base/index.ts';
import type { Engine } from '../engine/index.ts';
import { parseStorageUri } from '../object-store/index.ts';

const DEFAULT_STORE = 'memory://default';

/** `--store <uri>`: checked before anything is opened. */
export function storeOption(): Option {
  return new Option('--store <uri>', 'storage URI').default(DEFAULT_STORE).argParser((text) => {
    try {
      parseStorageUri(text);
    } catch (error) {
      if (error instanceof GraphDBError) throw new InvalidArgumentError(error.message);
      throw error;
    }
    return text;
  });
}

/** Opens the store for the length of `work`. Without RUST_LOG nothing is logged. */
export async function withEngine<T>(uri: string, options: { readOnly: boolean }, work: (engine: Engine) => Promise<T>): Promise<T> {
  const { openEngine } = await import('../engine/index.ts');
  const engine = await openEngine(uri, { ...options, flushIntervalMs: 0, logger: await createEnvironmentLogger() });
  try {
    return await work(engine);
  } finally {
    await engine.close();
  }
}
