/**
 * A cache in memory of data that was read from SSTs and checked, bounded by bytes, with eviction of the least recently
 * used. One cache serves all namespaces of a process: a table that was dropped, a graph that begins again and another
 * version of a namespace find the data of files that they share here, without a request.
 *
 * Names of entries hold the checksum of the bytes besides their place: files never change (B1), and the bytes of a file
 * that replaces another one under its key are not mistaken for the old ones.
 */
import type { SstBuffer, SstFile } from '../api.ts';

/** The largest part of the budget that one entry may take, so that it does not evict everything else. */
const LARGEST_SHARE = 1 / 4;

/** The cache for one store, whose location is part of the names of entries. */
export interface StoreCache {
  readonly entries: SstCache;
  readonly location: string;
}

/** A cache of checked data of SSTs. */
export class SstCache {
  readonly budgetBytes: number;
  readonly #entries = new Map<string, Uint8Array>();
  #bytes = 0;
  #hits = 0;
  #misses = 0;

  constructor(budgetBytes: number) {
    this.budgetBytes = budgetBytes;
  }

  /** The bytes that the cache holds. */
  get bytes(): number {
    return this.#bytes;
  }

  get hits(): number {
    return this.#hits;
  }

  get misses(): number {
    return this.#misses;
  }

  /** Returns the bytes of an entry, which the caller must not change; undefined when there are none. */
  get(name: string): Uint8Array | undefined {
    const bytes = this.#entries.get(name);
    if (bytes === undefined) {
      this.#misses++;
      return undefined;
    }
    this.#hits++;
    // A Map keeps the order of insertion: the first entry is the least recently used one.
    this.#entries.delete(name);
    this.#entries.set(name, bytes);
    return bytes;
  }

  /** Keeps a copy of the bytes, unless they are larger than a quarter of the budget. */
  put(name: string, bytes: Uint8Array): void {
    if (bytes.length > this.budgetBytes * LARGEST_SHARE || this.#entries.has(name)) return;
    this.#entries.set(name, Uint8Array.from(bytes));
    this.#bytes += bytes.length;
    for (const [oldest, { length }] of this.#entries) {
      if (this.#bytes <= this.budgetBytes) return;
      this.#entries.delete(oldest);
      this.#bytes -= length;
    }
  }
}

/** Returns the name of a buffer in the cache. */
export function nameOfBuffer(location: string, { key }: Pick<SstFile, 'key'>, [offset, length, crc32]: SstBuffer): string {
  return `${location} ${key} ${offset}+${length} ${crc32}`;
}

/** Returns the name of a file in the cache. */
export function nameOfFile(location: string, { key, bytes, crc32 }: SstFile): string {
  return `${location} ${key} ${bytes} ${crc32}`;
}
