/**
 * The namespaces that a server serves: either the one that its store URI names, opened at once, or all in a place, each
 * opened when it is asked for. The latter share the read workers, the planner thread, the cache of SSTs and the memory
 * of the process.
 */
import { ERROR_CODES, GraphDBError, type Logger, randomHex, scheduleByTimer, systemClock } from '../base/index.ts';
import { type Engine, type EngineParts, openEngine, Planner, ReadWorkers, type Transactions } from '../engine/index.ts';
import { ManyNamespaces, memoryLeft, type Namespaces, oneNamespace, processMemoryBudget } from '../namespaces/index.ts';
import { formatStorageUri, listNamespaces, namespaceIn, parseStorageBase, type StorageBase } from '../object-store/index.ts';
import { NamespaceCatalogue } from '../storage/index.ts';
import type { Configuration } from './configuration.ts';
import type { Metrics, Protocol } from './metrics.ts';
import { applyPolicy } from './statement-policy.ts';
import { traceStore } from './telemetry/traced-store.ts';
import type { Watchdog } from './watchdog/watchdog.ts';

const IDLE_MS = 5 * 60_000;

/** The namespaces that a server serves. */
export interface ServedNamespaces {
  /** Returns the namespaces as one protocol serves them. */
  view(protocol: Protocol): Namespaces;
  /** Facts about the namespaces, for the log. */
  readonly facts: Readonly<Record<string, unknown>>;
  close(): Promise<void>;
}

/** The parts of the server that namespaces use. */
export interface ServedParts {
  readonly logger: Logger;
  readonly metrics: Metrics;
  readonly watchdog: Watchdog | null;
  readonly transactions: Transactions;
}

/** Opens the namespaces of the configured store. @throws ARGUMENT_ERROR, STORE_UNAVAILABLE, CORRUPTION, NOT_FOUND. */
export async function serveNamespaces(configuration: Configuration, parts: ServedParts): Promise<ServedNamespaces> {
  const base = parseStorageBase(configuration.store);
  try {
    return base === null ? await serveOne(configuration, parts) : await serveMany(base, configuration, parts);
  } catch (error) {
    if (!(error instanceof GraphDBError) || ERROR_CODES[error.code].httpStatus < 500) throw error;
    throw new GraphDBError(error.code, `cannot open the store ${configuration.store}: ${error.message}`, { cause: error });
  }
}

async function serveOne(configuration: Configuration, parts: ServedParts): Promise<ServedNamespaces> {
  const { store, readWorkers } = configuration;
  const engine = await openEngine(
    store,
    { ...engineOptions(configuration), readWorkers },
    { ...engineParts(configuration, parts), planner: true },
  );
  const faceOf = facing(configuration, parts);
  const { namespace, role, epoch, manifestVersion } = engine.status();
  parts.metrics.observe({ main: () => engine, all: () => [engine], workers: null, memoryBytes: configuration.memoryBytes });
  return {
    view: (protocol) => oneNamespace(faceOf(engine, namespace, protocol)),
    facts: { namespace, role, epoch, manifestVersion },
    close: () => engine.close(),
  };
}

async function serveMany(base: StorageBase, configuration: Configuration, parts: ServedParts): Promise<ServedNamespaces> {
  const { defaultNamespace, memoryBytes, readOnly, readWorkers } = configuration;
  const { logger, metrics } = parts;
  // A store that cannot be reached shows now, not with the first request.
  await listNamespaces(base);
  const workers = readWorkers === 0 ? null : new ReadWorkers({ count: readWorkers, logger: logger.module('engine') });
  const planner = new Planner();
  workers?.startSoon();
  planner.startSoon();
  const shared = { ...engineParts(configuration, parts), planner, ...(workers === null ? {} : { workers }) };
  const faceOf = facing(configuration, parts);
  const many: ManyNamespaces = new ManyNamespaces({
    catalogue: new NamespaceCatalogue(base, { logger, decorateStore: metrics.measureStore }),
    defaultNamespace,
    readOnly,
    idleMs: IDLE_MS,
    memory: processMemoryBudget(memoryBytes),
    open: async (name, { readOnly: opensReadOnly, databases }) => {
      const options = { ...engineOptions(configuration), readOnly: opensReadOnly };
      return metrics.counting(await openEngine(formatStorageUri(namespaceIn(base, name)), options, { ...shared, databases }));
    },
    openSystem: (databases) =>
      openEngine(
        `memory://graphdb-system-${randomHex(6)}?ns=system`,
        { flushIntervalMs: 0 },
        { ...shared, decorateStore: (store) => store, databases, sharesCatalog: false },
      ),
    clock: systemClock,
    schedule: scheduleByTimer,
    logger: logger.module('server'),
  });
  const mainEngine = (): Engine | null => many.engineOf(defaultNamespace);
  metrics.observe({ main: mainEngine, all: () => Array.from(many.engines(), ([, engine]) => engine), workers, memoryBytes });
  return {
    view: (protocol) => many.view((engine, name) => faceOf(engine, name, protocol)),
    facts: { defaultNamespace },
    async close() {
      await many.close();
      await Promise.all([planner.close(), workers?.close()]);
    },
  };
}

/** The share of the process's memory that pages may take. What statements hold, the heaps of its threads and flat arrays share the rest. */
const SHARE_FOR_PAGES = 0.5;

function engineOptions({
  readOnly,
  flushIntervalMs,
  changeRetentionMs,
  csvDirectory,
  csvHosts,
  csvStores,
  cacheDirectory,
  cacheBytes,
}: Configuration) {
  return { readOnly, flushIntervalMs, changeRetentionMs, csvDirectory, csvHosts, csvStores, cacheDirectory, cacheBytes };
}

function engineParts({ shown, memoryBytes }: Configuration, { logger, metrics, watchdog, transactions }: ServedParts): EngineParts {
  const telling = watchdog === null ? {} : { statementRuns: watchdog.statementRuns };
  return {
    logger,
    decorateStore: (store) => traceStore(metrics.measureStore(store)),
    programSettings: shown,
    transactions,
    availableMemory: () => memoryLeft(memoryBytes),
    pageBytes: memoryBytes * SHARE_FOR_PAGES,
    ...telling,
  };
}

/** Returns a function that wraps an engine: with the rules of the server, and counted for a protocol. */
function facing({ queryTimeoutMs, queryMemoryBytes, slowQueryMs }: Configuration, { logger, metrics }: ServedParts) {
  const policy = { timeoutMs: queryTimeoutMs, memoryBytes: queryMemoryBytes, slowMs: slowQueryMs, logger: logger.module('server') };
  return (engine: Engine, namespace: string, protocol: Protocol): Engine =>
    metrics.measureEngine(applyPolicy(engine, { ...policy, namespace }), { protocol, namespace });
}
