/** Reports how much of a cache directory belongs to a store, for people. */
import { CacheFolder, storeName } from './cache-folder.ts';

/** The use of a cache. */
export interface CacheUsage {
  readonly directory: string;
  /** The number of ranges of the store. */
  readonly ranges: number;
  /** The bytes on the disk that the ranges of the store take. */
  readonly bytes: number;
  /** The bytes on the disk that the ranges of all stores take. */
  readonly allBytes: number;
}

/** Measures the use of a directory by listing it, without reading files. All numbers are 0 when it does not exist. */
export async function usageOf(directory: string, location: string): Promise<CacheUsage> {
  const store = `${storeName(location)}/`;
  let [ranges, bytes, allBytes] = [0, 0, 0];
  for await (const [name, size] of new CacheFolder(directory).list()) {
    allBytes += size;
    if (!name.startsWith(store)) continue;
    ranges++;
    bytes += size;
  }
  return { directory, ranges, bytes, allBytes };
}
