/** Names of objects, relative to the namespace: `manifest/<20 digits>.json`, `wal/<20 digits>.wal`, `data/<id>.arrow`, `data/<id>.artefact`, `data/<id>.manifest`, `lease/<20 digits>-<milliseconds>-<id>`. */

export const MANIFEST_PREFIX = 'manifest/';
export const WAL_PREFIX = 'wal/';
export const DATA_PREFIX = 'data/';
/** What readers ask to be kept (maintenance/leases.ts). */
export const LEASE_PREFIX = 'lease/';
/** Left behind by a probe of the store that was cut short. */
export const PROBE_PREFIX = 'probe/';

const DIGITS = 20;

export function manifestKey(version: number): string {
  return `${MANIFEST_PREFIX}${digits(version)}.json`;
}

export function walKey(number: number): string {
  return `${WAL_PREFIX}${digits(number)}.wal`;
}

export function dataKey(id: string): string {
  return `${DATA_PREFIX}${id}.arrow`;
}

export function artefactKey(id: string): string {
  return `${DATA_PREFIX}${id}.artefact`;
}

export function childKey(id: string): string {
  return `${DATA_PREFIX}${id}.manifest`;
}

/** Null for a name that is not one of ours. */
export function parseManifestKey(key: string): number | null {
  return parseNumber(key, /^manifest\/(\d{20})\.json$/);
}

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
