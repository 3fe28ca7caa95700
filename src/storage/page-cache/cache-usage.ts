/** The content of a cache directory for a store, for people. */
import { CacheFolder, storeName } from './cache-folder.ts';

/** The use of a cache. */
export interface CacheUsage {
  readonly directory: string;
  /** The number of ranges of the store that was asked about. */
  readonly ranges: number;
  /** On the disk. */
  readonly bytes: number;
  /** The bytes of the ranges of all stores. */
  readonly allBytes: number;
}

/** Lists the directory; reads no file. All is 0 where there is no such directory. */
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
