/** Opens an engine from a storage URI: the object store, then the namespace, then the graph. */
import { type Clock, engineFlags, type Logger, scheduleByTimer, systemClock } from '../base/index.ts';
import { builtInProcedures, ProcedureRegistry, SLICE_MS } from '../exec/index.ts';
import { type GraphStore, openGraphStore, type PageLimits } from '../graph/index.ts';
import { type ObjectStore, openObjectStore, parseStorageUri } from '../object-store/index.ts';
import { type Namespace, type OpenNamespaceOptions, openNamespace } from '../storage/index.ts';
import type { Engine } from './api.ts';
import { setCapture } from './changes/set-capture.ts';
import { Database, type PlannerOfEngine, type WorkersOfEngine } from './database.ts';
import type { EngineParts } from './parts.ts';
import { Planner } from './planning/planner.ts';
import { explainMissing, isCorruption } from './reading/expired-snapshot.ts';
import { type EngineOptions, type EngineSettings, engineSettings } from './settings/engine-options.ts';
import { pageCacheFor } from './settings/page-cache.ts';
import { shownSettings } from './settings/shown-settings.ts';
import { sstCacheFor } from './settings/sst-cache.ts';
import { AUTOMATIC_INDEXES } from './statements/automatic-indexer.ts';
import { ReadWorkers } from './workers/read-workers.ts';

const OPEN_ATTEMPTS = 4;

/**
 * Opens a namespace: for writing, which claims the epoch and fences a former writer, or for reading with `readOnly` or
 * `version`.
 *
 * @throws ARGUMENT_ERROR for a bad URI; STORE_UNAVAILABLE, CORRUPTION for the store; NOT_FOUND if the namespace or
 * version to be read does not exist
 */
export async function openEngine(uri: string, options: EngineOptions = {}, parts: EngineParts = {}): Promise<Engine> {
  const location = parseStorageUri(uri);
  const opened = await openObjectStore(location);
  const store = parts.decorateStore?.(opened) ?? opened;
  const settings = engineSettings(options);
  const { flags = engineFlags(), programSettings = null, clock = systemClock, schedule = scheduleByTimer, logger } = parts;
  const { sstCache = sstCacheFor(location.scheme), writerId, threadFromBytes, manifestOwnBytes, logWindow } = parts;
  const {
    pageCache = pageCacheFor(location.scheme, settings),
    artefactKinds,
    artefactsFromRows,
    wholeTableRows,
    pageBytes,
    availableMemory = () => process.availableMemory(),
  } = parts;
  const pages = { wholeTableRows, pageBytes, availableMemory };
  try {
    const graph = await openGraph(store, {
      name: location.namespace,
      readOnly: settings.readOnly,
      version: options.version,
      clock,
      logger,
      sstCache,
      pageCache,
      adjacency: flags.adjacency,
      pages,
      changeRetentionMs: settings.changeRetentionMs,
      ...(writerId === undefined ? {} : { writerId }),
      ...(threadFromBytes === undefined ? {} : { threadFromBytes }),
      ...(manifestOwnBytes === undefined ? {} : { manifestOwnBytes }),
      ...(logWindow === undefined ? {} : { logWindow }),
      ...(artefactKinds === undefined ? {} : { artefactKinds }),
      ...(artefactsFromRows === undefined ? {} : { artefactsFromRows }),
    });
    return new Database({
      store,
      ...graph,
      settings,
      shownSettings: () => shownSettings({ options, programSettings, flags, hasOwnFlags: parts.flags !== undefined }),
      procedures: new ProcedureRegistry([...builtInProcedures, ...(parts.procedures ?? [])]),
      clock,
      schedule,
      logger,
      flags,
      pages,
      automaticIndexes: { ...AUTOMATIC_INDEXES, ...parts.automaticIndexes },
      workers: workersOf(settings, parts),
      planner: plannerOf(settings, parts),
      statementRuns: parts.statementRuns ?? null,
      databases: parts.databases ?? null,
      sharesCatalog: parts.sharesCatalog ?? true,
      transactions: parts.transactions ?? null,
      sliceMs: parts.sliceMs ?? SLICE_MS,
      spillAfterRows: parts.spillAfterRows ?? null,
    });
  } catch (error) {
    await store.close();
    throw error;
  }
}

interface OpenGraphOptions extends OpenNamespaceOptions {
  readonly readOnly: boolean;
  readonly clock: Clock;
  /** True if adjacencies are made (GRAPHDB_ADJACENCY). */
  readonly adjacency: boolean;
  readonly pages: PageLimits;
  /** See `EngineSettings.changeRetentionMs`. */
  readonly changeRetentionMs: number | null;
}

/**
 * Opens the namespace and its graph. A reader tries again with a newer manifest, at most OPEN_ATTEMPTS times, since
 * files may be merged and removed after it has read the manifest.
 */
async function openGraph(
  store: ObjectStore,
  options: OpenGraphOptions,
): Promise<{ readonly namespace: Namespace; readonly graph: GraphStore }> {
  const { adjacency, pages, clock, readOnly, changeRetentionMs, logger } = options;
  let version = 0;
  for (let attempt = 1; ; attempt++) {
    const namespace = await openNamespace(store, options);
    try {
      if (!readOnly) await setCapture(namespace, changeRetentionMs);
      return { namespace, graph: await openGraphStore(namespace, { adjacency, ...pages }) };
    } catch (error) {
      const { manifest } = namespace;
      const isOver = !isCorruption(error) || !readOnly || manifest.version <= version || attempt === OPEN_ATTEMPTS;
      try {
        if (isOver) throw await explainMissing(error, { namespace, manifest, nowMs: clock.now() });
      } finally {
        await closeFailed(namespace, logger);
      }
      version = manifest.version;
    }
  }
}

/** Closes a namespace whose graph could not be opened. That failure counts, not one of closing. */
async function closeFailed(namespace: Namespace, logger: Logger | undefined): Promise<void> {
  try {
    await namespace.close();
  } catch (error) {
    logger?.module('engine').debug({ error }, 'a namespace that could not be loaded could not be closed either');
  }
}

/**
 * Returns the thread that plans long texts; null if this thread plans everything, as it does if the opener has brought
 * procedures of its own, which no other thread knows.
 */
function plannerOf({ readWorkers }: EngineSettings, { planner, workers, procedures = [] }: EngineParts): PlannerOfEngine | null {
  const isWanted = planner ?? (readWorkers > 0 || workers !== undefined);
  if (isWanted === false || procedures.length > 0) return null;
  if (isWanted !== true) return { planner: isWanted, isOwner: false };
  const own = new Planner();
  own.startSoon();
  return { planner: own, isOwner: true };
}

function workersOf({ readWorkers }: EngineSettings, { workers, logger }: EngineParts): WorkersOfEngine | null {
  if (workers !== undefined) return { workers, isOwner: false };
  if (readWorkers === 0) return null;
  const own = new ReadWorkers({ count: readWorkers, logger: logger?.module('engine') });
  own.startSoon();
  return { workers: own, isOwner: true };
}
