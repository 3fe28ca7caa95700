/**
 * The caches of this process on local disks for what is read from remote stores: one for each directory, shared by all
 * engines that use the directory. A store on this machine, or in this process, has none.
 */
import { isRemoteScheme } from '../../object-store/index.ts';
import { PageCache } from '../../storage/index.ts';
import type { EngineSettings } from './engine-options.ts';

const caches = new Map<string, PageCache>();

/** Returns the caches that are in use. */
export function sharedPageCaches(): Iterable<PageCache> {
  return caches.values();
}

/**
 * Returns the cache for a store of this scheme; null for a local store or without a directory. The first engine that is
 * opened with a directory sets the most bytes of its cache.
 */
export function pageCacheFor(
  scheme: string,
  { cacheDirectory, cacheBytes }: Pick<EngineSettings, 'cacheDirectory' | 'cacheBytes'>,
): PageCache | null {
  if (cacheDirectory === null || !isRemoteScheme(scheme)) return null;
  let cache = caches.get(cacheDirectory);
  if (cache === undefined) {
    cache = new PageCache({ directory: cacheDirectory, budgetBytes: cacheBytes });
    caches.set(cacheDirectory, cache);
  }
  return cache;
}
