/**
 * The settings of the engine that people meet by name: SHOW SETTINGS lists them, and a program whose flags and variables set them takes their names, texts, defaults and parsers from here
 * (server/settings.ts).
 */
import { checkPath, parseDurationMs, parseSizeBytes, parseSwitch, parseThreadCount } from '../../base/index.ts';

export const ENGINE_SETTINGS = {
  flushIntervalMs: {
    /** Its name in SHOW SETTINGS. */
    shownAs: 'graphdb.flush_interval',
    /** The kind of value that it takes, in words. */
    argument: 'duration',
    help: 'how often the memtable is written to SSTs; 0s: only when asked',
    default: '30s',
    /** ARGUMENT_ERROR for what it cannot be. */
    parse: parseDurationMs,
  },
  changeRetentionMs: {
    shownAs: 'graphdb.cdc_retention',
    argument: 'duration',
    help: 'how long changes stay readable (db.cdc.query, /v0/changes), such as 24h; 0s: they are not captured; unset: as the namespace was told before',
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
  cacheDirectory: {
    shownAs: 'graphdb.cache_dir',
    argument: 'directory',
    help: 'local disk for pages of remote stores and for temporary files of statements; unset: no pages are kept, and files lie where the system says',
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
