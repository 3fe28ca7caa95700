/** The settings of one engine: what its opener may choose, and their defaults. What people see of them is in setting-table.ts. */
import { ENGINE_SETTINGS } from './setting-table.ts';

/** Every setting may be left out. */
export interface EngineOptions {
  /** Serve reads only, never claim an epoch. */
  readonly readOnly?: boolean;
  /** Open this retained manifest version, for reading only: what was in SSTs then. NOT_FOUND when it is not retained (any more). */
  readonly version?: number | undefined;
  /** How often the memtable is flushed to SSTs; default 30 s. 0: not by time. */
  readonly flushIntervalMs?: number;
  /** Bytes in the write-ahead log that call for a flush, whatever the time; default 64 MiB. */
  readonly flushBytes?: number;
  /** Objects in the write-ahead log that call for a flush too; default 10,000. */
  readonly flushObjects?: number;
  /** Bytes in the write-ahead log with which writers wait for the flush; default four times `flushBytes`. */
  readonly stallBytes?: number;
  /** How long readers may go on with objects that no retained manifest names; default 10 minutes. */
  readonly graceMs?: number;
  /** Manifest versions that stay readable; default 10. */
  readonly retainVersions?: number;
  /** How often a reader that is up to date asks for news while there are some; default 250. 0: never. */
  readonly pollIntervalMs?: number;
  /**
   * How long changes stay readable (decision 0039); 0: they are not captured. Absent: as the namespace was told before,
   * at first not at all.
   */
  readonly changeRetentionMs?: number | undefined;
  /** The folder that LOAD CSV may read files of; absent: LOAD CSV is refused. */
  readonly csvDirectory?: string | undefined;
  /** Hosts that LOAD CSV may ask over https; absent: none. */
  readonly csvHosts?: readonly string[] | undefined;
  /** Places of object stores that LOAD CSV may read, `all`: what the credentials of the process reach; absent: none. */
  readonly csvStores?: readonly string[] | 'all' | undefined;
  /**
   * A folder on a local disk: for what is read from remote stores, and for temporary files of statements that need more
   * than their memory. Default: none for the former, the system's for the latter.
   */
  readonly cacheDirectory?: string | undefined;
  /**
   * Bytes that what is kept of remote stores may take there, and the files of one statement at a time; default: a tenth
   * of the disk of `cacheDirectory`; without one, as many as there is room for.
   */
  readonly cacheBytes?: number | undefined;
  /** Threads that execute reads; default 0: reads run on the main thread. */
  readonly readWorkers?: number;
}

/** The settings that an engine has: each option as it was given, or its default. */
export interface EngineSettings
  extends Required<
    Omit<EngineOptions, 'version' | 'changeRetentionMs' | 'csvDirectory' | 'csvHosts' | 'csvStores' | 'cacheDirectory' | 'cacheBytes'>
  > {
  /** null: as the namespace was told before. */
  readonly changeRetentionMs: number | null;
  /** The retained version that was opened; null: the newest. */
  readonly version: number | null;
  readonly csvDirectory: string | null;
  readonly csvHosts: readonly string[];
  readonly csvStores: readonly string[] | 'all';
  readonly cacheDirectory: string | null;
  readonly cacheBytes: number | null;
}

const DEFAULT_FLUSH_BYTES = 64 * 2 ** 20;
/** Read in a few seconds when the store answers in some 30 ms. */
const DEFAULT_FLUSH_OBJECTS = 10_000;
const DEFAULT_GRACE_MS = 10 * 60_000;
const DEFAULT_RETAINED_VERSIONS = 10;
const DEFAULT_POLL_INTERVAL_MS = 250;

/** The settings that follow from the options: a retained version is only read, and never changes. */
export function engineSettings(options: EngineOptions): EngineSettings {
  const { flushIntervalMs, readOnly, readWorkers } = ENGINE_SETTINGS;
  const flushBytes = options.flushBytes ?? DEFAULT_FLUSH_BYTES;
  const isFixed = options.version !== undefined;
  return {
    readOnly: isFixed || (options.readOnly ?? readOnly.parse(readOnly.default)),
    version: options.version ?? null,
    flushIntervalMs: options.flushIntervalMs ?? flushIntervalMs.parse(flushIntervalMs.default),
    flushBytes,
    flushObjects: options.flushObjects ?? DEFAULT_FLUSH_OBJECTS,
    stallBytes: options.stallBytes ?? 4 * flushBytes,
    graceMs: options.graceMs ?? DEFAULT_GRACE_MS,
    retainVersions: options.retainVersions ?? DEFAULT_RETAINED_VERSIONS,
    pollIntervalMs: isFixed ? 0 : (options.pollIntervalMs ?? DEFAULT_POLL_INTERVAL_MS),
    changeRetentionMs: options.changeRetentionMs ?? null,
    csvDirectory: options.csvDirectory ?? null,
    csvHosts: options.csvHosts ?? [],
    csvStores: options.csvStores ?? [],
    cacheDirectory: options.cacheDirectory ?? null,
    cacheBytes: options.cacheBytes ?? null,
    readWorkers: options.readWorkers ?? readWorkers.parse(readWorkers.default),
  };
}
