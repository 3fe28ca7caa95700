/** The version of the package that runs, from its package.json. */
import { readFileSync } from 'node:fs';

const manifest = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8')) as { version: string };

/** The version of this package. */
export const VERSION = manifest.version;

/**
 * The version of Neo4j that tools are told, by which they switch features on: that of the newest of its features that
 * are here (SEARCH).
 */
export const REPORTED_VERSION = '2026.1.0';

/** The name under which SHOW SETTINGS and procedures know it. */
export const REPORTED_VERSION_SETTING = 'graphdb.reported_version';
