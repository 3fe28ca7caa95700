/**
 * The cache of this process for data read from SSTs. GRAPHDB_SST_CACHE sets its size: `0` or `OFF` for no cache, a size
 * with its unit (`512MiB`), or anything else, or nothing, for 128 MiB. The cache is made when it is first asked for.
 *
 * A store on local files uses the cache only if the variable is set: the system caches those files already, and a
 * second copy would cost each opening as much time as reading the first.
 */
import { parseSizeBytes, type ShownSetting } from '../../base/index.ts';
import { SstCache } from '../../storage/index.ts';

const DEFAULT_BUDGET = '128MiB';
const DEFAULT_BUDGET_BYTES = parseSizeBytes(DEFAULT_BUDGET);

let shared: SstCache | null | undefined;

/** Returns the cache of this process for SSTs; null if it is switched off. */
export function sharedSstCache(): SstCache | null {
  if (shared === undefined) {
    const budgetBytes = parseSstCacheBudget(process.env['GRAPHDB_SST_CACHE']);
    shared = budgetBytes === 0 ? null : new SstCache(budgetBytes);
  }
  return shared;
}

/** Returns the row of SHOW SETTINGS for the cache. */
export function shownSstCache(): ShownSetting {
  const text = process.env['GRAPHDB_SST_CACHE'] || null;
  return {
    name: 'graphdb.sst_cache',
    value: text ?? DEFAULT_BUDGET,
    defaultValue: DEFAULT_BUDGET,
    description: 'Memory for what is read from SSTs; 0: none (GRAPHDB_SST_CACHE)',
    validValues: 'size',
    isExplicitlySet: text !== null,
    check: () => undefined,
  };
}

/** Returns the cache for a store of this scheme; null if the store uses none. */
export function sstCacheFor(scheme: string): SstCache | null {
  return scheme === 'file' && !process.env['GRAPHDB_SST_CACHE'] ? null : sharedSstCache();
}

/** Returns the size of the cache in bytes; 0 for no cache. */
export function parseSstCacheBudget(text = ''): number {
  if (/^(0|off)$/i.test(text)) return 0;
  return /^\d+(B|KiB|MiB|GiB|TiB)$/.test(text) ? parseSizeBytes(text) : DEFAULT_BUDGET_BYTES;
}
