/** Versions: that of this package, from its package.json, and that of Neo4j which tools are told. */
import { readFileSync } from 'node:fs';

const manifest = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8')) as { version: string };

/** The version of this package. */
export const VERSION = manifest.version;

/**
 * The version of Neo4j that is reported to tools, which enable features by it: the one that introduced SEARCH, the
 * newest feature of Neo4j that GraphDB has.
 */
export const REPORTED_VERSION = '2026.1.0';

/** The name of the reported version in SHOW SETTINGS and in procedures. */
export const REPORTED_VERSION_SETTING = 'graphdb.reported_version';
