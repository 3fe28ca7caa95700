/**
 * A cache on a local disk for ranges of the immutable files of remote stores (B1), shared by restarts and by all
 * processes that are given its directory. Nothing depends on it: what is not there, or not sound, is read from the
 * bucket, and what cannot be written is left out.
 *
 * - Only bytes that whoever read them has checked against the manifest are kept, and what is read back is checked again
 *   by its own checksum and by the reader's (B7).
 * - It is bounded. What this process has used longest ago goes first, and before that what was there already and it has
 *   not used. Other processes write too, so the folder is listed again after each eighth of the budget.
 * - Writing goes on beside whoever reads; what comes faster than the disk takes it is left out.
 */
import { statfsSync } from 'node:fs';
import { bytesOnDisk, CacheFolder, rangeName } from './cache-folder.ts';
import { decodeCachedRange, encodeCachedRange, type FileRange, identityOf } from './cached-range.ts';

/** One range must not push everything else out. */
const LARGEST_SHARE = 1 / 4;
/** The part of the budget after whose writing files of other processes are looked for. */
const LISTED_SHARE = 1 / 8;
const SHARE_OF_DISK = 1 / 10;
const MOST_WAITING_BYTES = 64 * 2 ** 20;
const CONCURRENT_WRITES = 4;
/** After a write that failed (a full disk, say) nothing is written for so many ranges. */
const SKIPPED_AFTER_FAILURE = 1_000;

/** The options of a page cache. */
export interface PageCacheOptions {
  /** It exists. */
  readonly directory: string;
  /** Null: a tenth of the disk. */
  readonly budgetBytes: number | null;
}

/** The pages that are kept of one store. */
export interface StorePages {
  /** The bytes of a range; null: they are not there, or not sound. */
  read(range: FileRange): Promise<Uint8Array | null>;
  /** Keeps a copy of bytes that were checked. */
  keep(range: FileRange, bytes: Uint8Array): void;
  /** Forgets a range whose bytes are not what the manifest says. */
  discard(range: FileRange): void;
}

interface WaitingWrite {
  readonly name: string;
  readonly image: Buffer;
  /** Bytes that it takes on the disk. */
  readonly size: number;
}

/** A cache on a local disk. */
export class PageCache {
  readonly directory: string;
  /** Bytes that it may take on the disk. */
  readonly budgetBytes: number;
  readonly #folder: CacheFolder;
  /** Bytes that each range takes on the disk, by name; the one that was used least recently comes first. */
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
  /** Written since the folder was listed. */
  #unlistedBytes = 0;
  #listing: Promise<void> | null;

  constructor({ directory, budgetBytes }: PageCacheOptions) {
    this.directory = directory;
    this.#folder = new CacheFolder(directory);
    this.budgetBytes = budgetBytes ?? tenthOfDisk(directory);
    this.#listing = this.#list();
  }

  /** Reads that the cache answered. */
  get hits(): number {
    return this.#hits;
  }

  get misses(): number {
    return this.#misses;
  }

  /** Bytes that were read from it. */
  get readBytes(): number {
    return this.#readBytes;
  }

  get writtenBytes(): number {
    return this.#writtenBytes;
  }

  /** Files that were found torn, damaged, or to hold something else. */
  get damaged(): number {
    return this.#damaged;
  }

  /** Bytes that it takes on the disk, as far as this process knows. */
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

  /** Resolves when all that waits is written: what a process has read last is there for the next one. */
  async written(): Promise<void> {
    while (this.#writing.size > 0) await Promise.all(this.#writing);
  }

  /** Resolves when the folder was listed and all that waits is written. */
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

  /** Notes that a range is there, and was used now. */
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

  /** Finds out what is in the folder, whoever has written it. */
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

/** 0, and so no cache, where that cannot be told. */
function tenthOfDisk(directory: string): number {
  try {
    const { bsize, blocks } = statfsSync(directory);
    return bsize * blocks * SHARE_OF_DISK;
  } catch {
    return 0;
  }
}
