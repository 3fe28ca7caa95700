/**
 * The settings of the engine that users know by name: SHOW SETTINGS lists them, and a program that sets them by flags
 * and variables takes their names, texts, defaults and parsers from here (server/settings.ts).
 */
import { checkPath, GraphDBError, parseDurationMs, parseSizeBytes, parseSwitch, parseThreadCount } from '../../base/index.ts';
import { isRemoteScheme, parseStorageBase } from '../../object-store/index.ts';

const HOST = /^(\*\.)?[A-Za-z0-9]([A-Za-z0-9.-]*[A-Za-z0-9])?(:\d{1,5})?$|^[0-9A-Fa-f:.]*:[0-9A-Fa-f:.]*$/;

function listOf(text: string): string[] {
  return text
    .split(',')
    .map((part) => part.trim())
    .filter((part) => part !== '');
}

/** Parses a list of hosts with commas between. @throws ARGUMENT_ERROR if a text is not a host. */
function parseHosts(text: string): readonly string[] {
  const hosts = listOf(text);
  const bad = hosts.find((host) => !HOST.test(host));
  if (bad !== undefined)
    throw new GraphDBError('ARGUMENT_ERROR', `"${bad}" is no host (data.example, data.example:8443, *.data.example, 10.0.0.1)`);
  return hosts;
}

/**
 * Parses a list of places with commas between, or a word for all.
 *
 * @throws ARGUMENT_ERROR if a text is not a place of a remote object store.
 */
function parseStores(text: string): readonly string[] | 'all' {
  if (/^(on|all|true|1|\*)$/i.test(text)) return 'all';
  const places = listOf(text);
  for (const place of places) {
    if (!isRemoteScheme(/^([a-z0-9]+):\/\//.exec(place)?.[1] ?? '') || parseStorageBase(place) === null)
      throw new GraphDBError(
        'ARGUMENT_ERROR',
        `"${place}" is no place of an object store (s3://bucket/folder, gs://…, az://account/container/folder)`,
      );
  }
  return places;
}

/** The settings of the engine, by name. */
export const ENGINE_SETTINGS = {
  flushIntervalMs: {
    /** The name of the setting in SHOW SETTINGS. */
    shownAs: 'graphdb.flush_interval',
    /** The kind of value that the setting takes, in words. */
    argument: 'duration',
    help: 'how often the memtable is written to SSTs; 0s: only when asked',
    default: '30s',
    /** Parses the value. Throws ARGUMENT_ERROR if the text is not valid. */
    parse: parseDurationMs,
  },
  changeRetentionMs: {
    shownAs: 'graphdb.cdc_retention',
    argument: 'duration',
    help:
      'how long changes stay readable (db.cdc.query, /v0/changes), such as 24h; 0s: they are not captured; unset: as the ' +
      'namespace was told before',
    default: null,
    parse: parseDurationMs,
  },
  readOnly: {
    shownAs: 'server.databases.default_to_read_only',
    argument: 'true or false',
    help: 'serve reads only, never become the writer',
    default: 'false',
    parse: parseSwitch,
  },
  csvDirectory: {
    shownAs: 'server.directories.import',
    argument: 'directory',
    help: 'the directory that LOAD CSV may read; without one it is refused',
    default: null,
    parse: checkPath,
  },
  csvHosts: {
    shownAs: 'graphdb.load_csv_hosts',
    argument: 'hosts',
    help:
      'hosts that LOAD CSV may ask over https, with commas between: data.example, data.example:8443, *.data.example; ' +
      'private addresses only where the address is named too',
    default: null,
    parse: parseHosts,
  },
  csvStores: {
    shownAs: 'graphdb.load_csv_stores',
    argument: 'places',
    help:
      'places from which LOAD CSV may read objects, with commas between: s3://bucket/folder?region=eu-central-1; alone: all ' +
      'that the credentials of the process reach',
    default: null,
    parse: parseStores,
  },
  cacheDirectory: {
    shownAs: 'graphdb.cache_dir',
    argument: 'directory',
    help:
      'local disk for pages of remote stores and for temporary files of statements; unset: no pages are kept, and files lie ' +
      'where the system says',
    default: null,
    parse: checkPath,
  },
  cacheBytes: {
    shownAs: 'graphdb.cache_size',
    argument: 'size',
    help: 'what pages of remote stores may take in the cache directory, and temporary files of one statement; unset: a tenth of its disk',
    default: null,
    parse: parseSizeBytes,
  },
  readWorkers: {
    shownAs: 'graphdb.read_workers',
    argument: 'count',
    help: 'threads that execute reads; 0: all on the main thread',
    default: '0',
    parse: parseThreadCount,
  },
} as const;
