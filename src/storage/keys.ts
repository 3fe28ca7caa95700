/**
 * Names of objects, relative to the namespace: `manifest/<20 digits>.json`, `wal/<20 digits>.wal`, `data/<id>.arrow`,
 * `data/<id>.artefact`, `data/<id>.manifest`, `lease/<20 digits>-<milliseconds>-<id>`.
 */

/** The prefix of manifests. */
export const MANIFEST_PREFIX = 'manifest/';

/** The prefix of the write-ahead log. */
export const WAL_PREFIX = 'wal/';

/** The prefix of files. */
export const DATA_PREFIX = 'data/';
/** The prefix of leases of readers (maintenance/leases.ts). */
export const LEASE_PREFIX = 'lease/';
/** The prefix of objects of a store probe; one that was cut short leaves them behind. */
export const PROBE_PREFIX = 'probe/';

const DIGITS = 20;

/** Returns the key of a manifest. */
export function manifestKey(version: number): string {
  return `${MANIFEST_PREFIX}${digits(version)}.json`;
}

/** Returns the key of a WAL object. */
export function walKey(number: number): string {
  return `${WAL_PREFIX}${digits(number)}.wal`;
}

/** Returns the key of a file of a table. */
export function dataKey(id: string): string {
  return `${DATA_PREFIX}${id}.arrow`;
}

/** Returns the key of a file of an artefact. */
export function artefactKey(id: string): string {
  return `${DATA_PREFIX}${id}.artefact`;
}

/** Returns the key of a child of a manifest. */
export function childKey(id: string): string {
  return `${DATA_PREFIX}${id}.manifest`;
}

/** Parses the version from the key of a manifest; null for any other key. */
export function parseManifestKey(key: string): number | null {
  return parseNumber(key, /^manifest\/(\d{20})\.json$/);
}

/** Parses the number from the key of a WAL object; null for any other key. */
export function parseWalKey(key: string): number | null {
  return parseNumber(key, /^wal\/(\d{20})\.wal$/);
}

function digits(number: number): string {
  return String(number).padStart(DIGITS, '0');
}

function parseNumber(key: string, pattern: RegExp): number | null {
  const number = Number(pattern.exec(key)?.[1] ?? Number.NaN);
  return Number.isSafeInteger(number) && number > 0 ? number : null;
}
