/**
 * A cache on a local disk for ranges of the immutable files of remote stores (B1), shared across restarts and by all
 * processes that are given its directory. Nothing depends on it: a range that is missing or damaged is read from the
 * bucket, and one that cannot be written is left out.
 *
 * - Only bytes that their reader has checked against the manifest are kept. Bytes that are read back are checked again
 *   by the checksum of the cache file and by the reader (B7).
 * - The cache is bounded. Ranges that this process has used are evicted least recently used first, and before them the
 *   ranges that it has found and not used. Other processes write too, so the folder is listed again whenever an eighth
 *   of the budget has been written.
 * - Writes run in the background; ranges that come faster than the disk takes them are left out.
 */
import { statfsSync } from 'node:fs';
import { bytesOnDisk, CacheFolder, rangeName } from './cache-folder.ts';
import { decodeCachedRange, encodeCachedRange, type FileRange, identityOf } from './cached-range.ts';

/** The largest part of the budget that one range may take, so that it does not evict everything else. */
const LARGEST_SHARE = 1 / 4;
/** The part of the budget after whose writing the folder is listed again, for files of other processes. */
const LISTED_SHARE = 1 / 8;
const SHARE_OF_DISK = 1 / 10;
const MOST_WAITING_BYTES = 64 * 2 ** 20;
const CONCURRENT_WRITES = 4;
/** How many ranges are skipped after a write that failed, because of a full disk for example. */
const SKIPPED_AFTER_FAILURE = 1_000;

/** The options of a page cache. */
export interface PageCacheOptions {
  /** The directory of the cache, which must exist. */
  readonly directory: string;
  /** The most bytes that the cache may take on the disk; null for a tenth of the disk. */
  readonly budgetBytes: number | null;
}

/** The cached ranges of one store. */
export interface StorePages {
  /** Returns the bytes of a range; null when they are missing or damaged. */
  read(range: FileRange): Promise<Uint8Array | null>;
  /** Caches a copy of bytes that were checked. */
  keep(range: FileRange, bytes: Uint8Array): void;
  /** Removes a range whose bytes do not match the manifest. */
  discard(range: FileRange): void;
}

interface WaitingWrite {
  readonly name: string;
  readonly image: Buffer;
  /** The bytes that the range takes on the disk. */
  readonly size: number;
}

/** A cache on a local disk. */
export class PageCache {
  readonly directory: string;
  /** The most bytes that the cache may take on the disk. */
  readonly budgetBytes: number;
  readonly #folder: CacheFolder;
  /** The bytes that each range takes on the disk, by name, least recently used first. */
  #entries = new Map<string, number>();
  #bytes = 0;
  #hits = 0;
  #misses = 0;
  #readBytes = 0;
  #writtenBytes = 0;
  #damaged = 0;
  readonly #waiting: WaitingWrite[] = [];
  #waitingBytes = 0;
  readonly #writing = new Set<Promise<void>>();
  #skips = 0;
  /** Bytes that were written since the folder was listed. */
  #unlistedBytes = 0;
  #listing: Promise<void> | null;

  constructor({ directory, budgetBytes }: PageCacheOptions) {
    this.directory = directory;
    this.#folder = new CacheFolder(directory);
    this.budgetBytes = budgetBytes ?? tenthOfDisk(directory);
    this.#listing = this.#list();
  }

  /** The number of reads that the cache answered. */
  get hits(): number {
    return this.#hits;
  }

  get misses(): number {
    return this.#misses;
  }

  /** The bytes that were read from the cache. */
  get readBytes(): number {
    return this.#readBytes;
  }

  get writtenBytes(): number {
    return this.#writtenBytes;
  }

  /** The number of files that were found torn, damaged, or with other content. */
  get damaged(): number {
    return this.#damaged;
  }

  /** The bytes that the cache takes on the disk, as far as this process knows. */
  get bytes(): number {
    return this.#bytes;
  }

  forStore(location: string): StorePages {
    return {
      read: (range) => this.#read(location, range),
      keep: (range, bytes) => this.#keep(location, range, bytes),
      discard: (range) => this.#discard(rangeName(location, identityOf(location, range), range.length)),
    };
  }

  /** Resolves when all waiting ranges are written, so that the next process finds them. */
  async written(): Promise<void> {
    while (this.#writing.size > 0) await Promise.all(this.#writing);
  }

  /** Resolves when the folder has been listed and all waiting ranges are written. */
  async settled(): Promise<void> {
    await this.#listing;
    while (this.#writing.size > 0 || this.#listing !== null) await Promise.all([...this.#writing, this.#listing]);
  }

  async #read(location: string, range: FileRange): Promise<Uint8Array | null> {
    const identity = identityOf(location, range);
    const name = rangeName(location, identity, range.length);
    const image = await this.#folder.read(name);
    const bytes = image === null ? null : decodeCachedRange(image, identity, range.length);
    if (bytes === null) {
      this.#misses++;
      if (image === null) this.#forget(name);
      else this.#discard(name);
      return null;
    }
    this.#hits++;
    this.#readBytes += bytes.length;
    this.#enter(name, range.length);
    return bytes;
  }

  #keep(location: string, range: FileRange, bytes: Uint8Array): void {
    const size = bytesOnDisk(range.length);
    if (size > this.budgetBytes * LARGEST_SHARE || this.#waitingBytes + size > MOST_WAITING_BYTES) return;
    if (this.#skips > 0) {
      this.#skips--;
      return;
    }
    const identity = identityOf(location, range);
    const name = rangeName(location, identity, range.length);
    if (this.#entries.has(name)) return;
    this.#waiting.push({ name, image: encodeCachedRange(identity, bytes), size });
    this.#waitingBytes += size;
    this.#enter(name, range.length);
    if (this.#writing.size < CONCURRENT_WRITES) {
      const writing = this.#writeWaiting().finally(() => this.#writing.delete(writing));
      this.#writing.add(writing);
    }
  }

  async #writeWaiting(): Promise<void> {
    for (let next = this.#waiting.shift(); next !== undefined; next = this.#waiting.shift()) {
      const { name, image, size } = next;
      try {
        await this.#folder.write(name, image);
        this.#writtenBytes += image.length;
        this.#unlistedBytes += image.length;
      } catch {
        this.#forget(name);
        this.#skips = SKIPPED_AFTER_FAILURE;
      }
      this.#waitingBytes -= size;
      await this.#makeRoom();
    }
    if (this.#unlistedBytes > this.budgetBytes * LISTED_SHARE) this.#listing ??= this.#list();
  }

  /** Notes that a range exists and has just been used. */
  #enter(name: string, length: number): void {
    this.#forget(name);
    const size = bytesOnDisk(length);
    this.#entries.set(name, size);
    this.#bytes += size;
  }

  #forget(name: string): void {
    this.#bytes -= this.#entries.get(name) ?? 0;
    this.#entries.delete(name);
  }

  #discard(name: string): void {
    this.#damaged++;
    this.#forget(name);
    void this.#folder.remove(name);
  }

  async #makeRoom(): Promise<void> {
    while (this.#bytes > this.budgetBytes) {
      const [oldest] = this.#entries.keys();
      if (oldest === undefined) return;
      this.#forget(oldest);
      await this.#folder.remove(oldest);
    }
  }

  /** Lists the folder, to learn of ranges that other processes have written or removed. */
  async #list(): Promise<void> {
    this.#unlistedBytes = 0;
    const before = new Set(this.#entries.keys());
    for (const { name } of this.#waiting) before.delete(name);
    const found = new Map<string, number>();
    for await (const [name, bytes] of this.#folder.list()) found.set(name, bytes);
    const known = this.#entries;
    this.#entries = new Map([...found].filter(([name]) => !known.has(name)));
    for (const [name, bytes] of known) if (found.has(name) || !before.has(name)) this.#entries.set(name, bytes);
    this.#bytes = this.#entries.values().reduce((sum, bytes) => sum + bytes, 0);
    this.#listing = null;
    await this.#makeRoom();
  }
}

/** Returns a tenth of the size of the disk in bytes; 0, which disables the cache, when the size is unknown. */
function tenthOfDisk(directory: string): number {
  try {
    const { bsize, blocks } = statfsSync(directory);
    return bsize * blocks * SHARE_OF_DISK;
  } catch {
    return 0;
  }
}
