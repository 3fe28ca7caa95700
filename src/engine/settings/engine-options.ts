/** The settings of one engine and their defaults. Their names and texts for users are in setting-table.ts. */
import { ENGINE_SETTINGS } from './setting-table.ts';

/** The settings that the opener of an engine may choose; each may be left out. */
export interface EngineOptions {
  /** True to serve reads only and never claim an epoch; default false. */
  readonly readOnly?: boolean;
  /** A retained manifest version to open for reading, with what was in SSTs then. NOT_FOUND if the version is not retained. */
  readonly version?: number | undefined;
  /** Milliseconds from a commit to its flush to SSTs; default 30,000. 0: no flush by time. */
  readonly flushIntervalMs?: number;
  /** Unflushed bytes in the write-ahead log that cause a flush at once; default 64 MiB. */
  readonly flushBytes?: number;
  /** Objects in the write-ahead log that cause a flush at once; default 10,000. */
  readonly flushObjects?: number;
  /** Unflushed bytes in the write-ahead log from which on writers wait for the flush; default four times `flushBytes`. */
  readonly stallBytes?: number;
  /** Milliseconds for which objects that no retained manifest names are kept for readers; default 10 minutes. */
  readonly graceMs?: number;
  /** The number of manifest versions that stay readable; default 10. */
  readonly retainVersions?: number;
  /** Milliseconds between polls of a reader while there is news; default 250. 0: it never polls by itself. */
  readonly pollIntervalMs?: number;
  /**
   * Milliseconds for which changes stay readable (decision 0039); 0: changes are not captured. Absent: the setting of
   * the namespace stays as it is, at first off.
   */
  readonly changeRetentionMs?: number | undefined;
  /** The folder whose files LOAD CSV may read; absent: LOAD CSV may read no files. */
  readonly csvDirectory?: string | undefined;
  /** Hosts that LOAD CSV may read from over https; absent: none. */
  readonly csvHosts?: readonly string[] | undefined;
  /** Places of object stores that LOAD CSV may read, or `all` for whatever the credentials of the process reach; absent: none. */
  readonly csvStores?: readonly string[] | 'all' | undefined;
  /**
   * A folder on local disk for the cache of remote stores and for temporary files of statements that spill. Absent: no
   * cache, and temporary files in the system's folder.
   */
  readonly cacheDirectory?: string | undefined;
  /**
   * The most bytes of the cache in `cacheDirectory`, and of the temporary files of one statement. Absent: a tenth of
   * the disk of `cacheDirectory`, or as many as there is room for without one.
   */
  readonly cacheBytes?: number | undefined;
  /** The number of threads that execute reads; default 0: reads run on the main thread. */
  readonly readWorkers?: number;
}

/** The settings that an engine has: each option as it was given, or its default. */
export interface EngineSettings
  extends Required<
    Omit<EngineOptions, 'version' | 'changeRetentionMs' | 'csvDirectory' | 'csvHosts' | 'csvStores' | 'cacheDirectory' | 'cacheBytes'>
  > {
  /** Null leaves the setting of the namespace as it is. */
  readonly changeRetentionMs: number | null;
  /** The retained version that was opened; null for the newest version. */
  readonly version: number | null;
  readonly csvDirectory: string | null;
  readonly csvHosts: readonly string[];
  readonly csvStores: readonly string[] | 'all';
  readonly cacheDirectory: string | null;
  readonly cacheBytes: number | null;
}

const DEFAULT_FLUSH_BYTES = 64 * 2 ** 20;
/** This many objects are read in a few seconds if the store answers in some 30 ms. */
const DEFAULT_FLUSH_OBJECTS = 10_000;
const DEFAULT_GRACE_MS = 10 * 60_000;
const DEFAULT_RETAINED_VERSIONS = 10;
const DEFAULT_POLL_INTERVAL_MS = 250;

/** Returns the settings that follow from the options; a retained version is only read and never polled. */
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
