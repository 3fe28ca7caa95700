/** Options and helpers for the store that a command works on. */
import { InvalidArgumentError, Option } from 'commander';
import { createEnvironmentLogger, GraphDBError } from '../base/index.ts';
import type { Engine } from '../engine/index.ts';
import {
  formatStorageUri,
  namespaceIn,
  type ObjectStore,
  openObjectStore,
  parseStorageBase,
  parseStorageUri,
  type StorageBase,
} from '../object-store/index.ts';
import { isServer, type StatementTarget } from './target.ts';

const DEFAULT_STORE = 'memory://default';

/** The option `--store <uri>`, which has a default: a store, or a server. */
export function targetOption(): Option {
  return targetUriOption('storage URI, or http(s):// URL of a server').default(DEFAULT_STORE);
}

/** The option for a URI that the command writes to, which has no default. */
export function targetUriOption(description: string): Option {
  const option = storeUriOption('--store <uri>', description);
  const parseStore = option.parseArg;
  return option.argParser((text) => (isServer(text) ? text : parseStore?.(text, undefined)));
}

/** An option that is a storage URI; it is checked before anything is opened. */
export function storeUriOption(flags: string, description: string): Option {
  return new Option(flags, description).argParser((text) => {
    try {
      parseStorageUri(text);
    } catch (error) {
      if (error instanceof GraphDBError) throw new InvalidArgumentError(error.message);
      throw error;
    }
    return text;
  });
}

/** An option that is the URI of one namespace, or of a place that holds several; it is checked before anything is opened. */
export function placeUriOption(flags: string, description: string): Option {
  return new Option(flags, description).argParser((text) => {
    try {
      parseStorageBase(text);
    } catch (error) {
      if (error instanceof GraphDBError) throw new InvalidArgumentError(error.message);
      throw error;
    }
    return text;
  });
}

/** Returns name and URI of the namespace that a URI names, or of all namespaces of a place. @throws STORE_UNAVAILABLE */
export async function namespacesAt(uri: string): Promise<readonly { readonly name: string; readonly uri: string }[]> {
  const base = placeOf(uri);
  if (base === null) return [{ name: parseStorageUri(uri).namespace, uri }];
  const { NamespaceCatalogue } = await import('../storage/index.ts');
  const names = await new NamespaceCatalogue(base).list();
  return names.map((name) => ({ name, uri: formatStorageUri(namespaceIn(base, name)) }));
}

/** Returns the place that a URI names; null: it names one namespace. A store in this process counts as one namespace. */
export function placeOf(uri: string): StorageBase | null {
  const base = parseStorageBase(uri);
  return base?.scheme === 'memory' ? null : base;
}

/** The option `--at-version`: a manifest version, which is a positive integer. */
export function versionOption(description: string): Option {
  return new Option('--at-version <number>', description).argParser((text) => {
    const version = Number(text);
    if (!/^\d+$/.test(text) || !Number.isSafeInteger(version) || version === 0) throw new InvalidArgumentError('not a manifest version');
    return version;
  });
}

/** Runs `work` with the engine of a store, then closes it. Nothing is logged unless GRAPHDB_LOG or RUST_LOG is set. */
export async function withEngine<T>(
  uri: string,
  options: { readonly readOnly: boolean; readonly version?: number; readonly csvDirectory?: string | undefined },
  work: (engine: Engine) => Promise<T>,
): Promise<T> {
  const { openEngine } = await import('../engine/index.ts');
  const engine = await openEngine(uri, { ...options, flushIntervalMs: 0, pollIntervalMs: 0 }, { logger: await createEnvironmentLogger() });
  try {
    return await work(engine);
  } finally {
    await engine.close();
  }
}

/** Runs `work` with a server, or with the engine of a store that is opened for it. */
export async function withTarget<T>(
  uri: string,
  options: () => Promise<Parameters<typeof withEngine>[1]>,
  work: (target: StatementTarget) => Promise<T>,
): Promise<T> {
  if (!isServer(uri)) return withEngine(uri, await options(), work);
  const { RemoteGraph } = await import('../remote/index.ts');
  return work(new RemoteGraph(uri, process.env['GRAPHDB_AUTH_TOKEN']));
}

/** Runs `work` with the object store alone, then closes it. */
export async function withObjectStore<T>(uri: string, work: (store: ObjectStore, namespace: string) => Promise<T>): Promise<T> {
  const location = parseStorageUri(uri);
  const store = await openObjectStore(location);
  try {
    return await work(store, location.namespace);
  } finally {
    await store.close();
  }
}
