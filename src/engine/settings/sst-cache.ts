/**
 * The cache of this process for data read from SSTs, as GRAPHDB_SST_CACHE says: `0` or `OFF`: none; a size with its
 * unit (`512MiB`): of that size; anything else, and nothing: of 128 MiB. It is made when it is first asked for.
 *
 * Files on this machine go by it only where the variable is set: the system keeps what was read of them, and a second
 * copy of it costs each opening as much time as reading the first.
 */
import { parseSizeBytes, type ShownSetting } from '../../base/index.ts';
import { SstCache } from '../../storage/index.ts';

const DEFAULT_BUDGET = '128MiB';
const DEFAULT_BUDGET_BYTES = parseSizeBytes(DEFAULT_BUDGET);

let shared: SstCache | null | undefined;

/** Returns the cache of this process for SSTs; null: it is switched off. */
export function sharedSstCache(): SstCache | null {
  if (shared === undefined) {
    const budgetBytes = parseSstCacheBudget(process.env['GRAPHDB_SST_CACHE']);
    shared = budgetBytes === 0 ? null : new SstCache(budgetBytes);
  }
  return shared;
}

/** The row of SHOW SETTINGS. */
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

/** The cache for a store of this scheme; null: none. */
export function sstCacheFor(scheme: string): SstCache | null {
  return scheme === 'file' && !process.env['GRAPHDB_SST_CACHE'] ? null : sharedSstCache();
}

/** 0: no cache. */
export function parseSstCacheBudget(text = ''): number {
  if (/^(0|off)$/i.test(text)) return 0;
  return /^\d+(B|KiB|MiB|GiB|TiB)$/.test(text) ? parseSizeBytes(text) : DEFAULT_BUDGET_BYTES;
}
