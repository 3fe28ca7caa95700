/** From a storage URI to a running engine: object store, namespace, graph, in that order. */
import { engineFlags, scheduleByTimer, systemClock } from '../base/index.ts';
import { builtInProcedures, type Procedure, ProcedureRegistry } from '../exec/index.ts';
import { openGraphStore } from '../graph/index.ts';
import { type ObjectStore, openObjectStore, parseStorageUri } from '../object-store/index.ts';
import { openNamespace } from '../storage/index.ts';
import { equals } from '../value/index.ts';
import type { Engine, EngineOptions, ProcedureDefinition } from './api.ts';
import { AUTOMATIC_INDEXES } from './background/automatic-indexer.ts';
import type { Tuning } from './background/background.ts';
import { Database, type DatabaseParts } from './database.ts';
import { explainMissing, isCorruption } from './outlived.ts';
import { shownSettings } from './shown-settings.ts';
import { sstCacheFor } from './sst-cache.ts';
import { checkArguments } from './table-procedure.ts';
import { ReadWorkers } from './workers/read-workers.ts';

const DEFAULT_FLUSH_INTERVAL_MS = 30_000;
const DEFAULT_FLUSH_BYTES = 64 * 2 ** 20;
/** Read in a few seconds when the store answers in some 30 ms. */
const DEFAULT_FLUSH_OBJECTS = 10_000;
const DEFAULT_GRACE_MS = 10 * 60_000;
const DEFAULT_RETAINED_VERSIONS = 10;
const DEFAULT_POLL_INTERVAL_MS = 250;
const OPEN_ATTEMPTS = 4;

/**
 * Opens a namespace: for writing (claims the epoch; a former writer is fenced) or, with `readOnly` or `version`, for reading.
 * ARGUMENT_ERROR: the URI; STORE_UNAVAILABLE, CORRUPTION: the store; NOT_FOUND: for reading, and there is no such namespace or version.
 */
export async function openEngine(uri: string, options: EngineOptions = {}): Promise<Engine> {
  const location = parseStorageUri(uri);
  const opened = await openObjectStore(location);
  const store = options.decorateStore?.(opened) ?? opened;
  const procedures = new ProcedureRegistry([...builtInProcedures, ...(options.testProcedures ?? []).map(tableProcedure)]);
  const readOnly = options.readOnly === true || options.version !== undefined;
  const flags = options.flags ?? engineFlags();
  try {
    return new Database({
      store,
      ...(await openGraph(store, { sstCache: sstCacheFor(location.scheme), ...options, name: location.namespace, readOnly })),
      procedures,
      readOnly,
      version: options.version ?? null,
      csvDirectory: options.csvDirectory ?? null,
      settings: () => shownSettings(options, flags),
      tuning: tuningOf(options),
      logger: options.logger,
      flags,
      automaticIndexes: { ...AUTOMATIC_INDEXES, ...options.automaticIndexes },
      workers: workersOf(options),
    });
  } catch (error) {
    await store.close();
    throw error;
  }
}

type Opened = Pick<ConstructorParameters<typeof Database>[0], 'namespace' | 'graph'>;

/** Files may be merged and removed between a reader's look at the manifest and its look at the files. */
async function openGraph(
  store: ObjectStore,
  options: EngineOptions & { readonly name: string; readonly readOnly: boolean },
): Promise<Opened> {
  let version = 0;
  for (let attempt = 1; ; attempt++) {
    const namespace = await openNamespace(store, options);
    try {
      return { namespace, graph: await openGraphStore(namespace, { adjacency: (options.flags ?? engineFlags()).adjacency }) };
    } catch (error) {
      const isNewer = namespace.manifest.version > version;
      const { clock = systemClock } = options;
      const { manifest } = namespace;
      const isOver = !options.readOnly || !isNewer || attempt === OPEN_ATTEMPTS;
      if (!isCorruption(error)) throw error;
      if (isOver) throw await explainMissing(error, { namespace, manifest, nowMs: clock.now() });
      version = manifest.version;
      await namespace.close();
    }
  }
}

function tuningOf(options: EngineOptions): Tuning {
  const flushBytes = options.flushBytes ?? DEFAULT_FLUSH_BYTES;
  return {
    flushIntervalMs: options.flushIntervalMs ?? DEFAULT_FLUSH_INTERVAL_MS,
    flushBytes,
    flushObjects: options.flushObjects ?? DEFAULT_FLUSH_OBJECTS,
    stallBytes: options.stallBytes ?? 4 * flushBytes,
    graceMs: options.graceMs ?? DEFAULT_GRACE_MS,
    retainVersions: options.retainVersions ?? DEFAULT_RETAINED_VERSIONS,
    pollIntervalMs: options.version === undefined ? (options.pollIntervalMs ?? DEFAULT_POLL_INTERVAL_MS) : 0,
    clock: options.clock ?? systemClock,
    schedule: options.schedule ?? scheduleByTimer,
  };
}

function workersOf({ readWorkers = 0 }: EngineOptions): DatabaseParts['workers'] {
  if (readWorkers instanceof ReadWorkers) return { workers: readWorkers, isOwner: false };
  return readWorkers === 0 ? null : { workers: new ReadWorkers({ count: readWorkers }), isOwner: true };
}

/** A procedure that answers from a table. */
function tableProcedure(definition: ProcedureDefinition): Procedure {
  const { inputs, outputs } = definition;
  return {
    name: definition.name,
    inputs,
    outputs,
    mode: 'READ',
    description: 'Answers from a table.',
    call(_runtime, args) {
      checkArguments(definition.name, inputs, args);
      const fits = definition.rows.filter((row) => inputs.every((_, i) => row[i] === args[i] || equals(row[i]!, args[i]!) === true));
      return fits.map((row) => row.slice(inputs.length));
    },
  };
}
