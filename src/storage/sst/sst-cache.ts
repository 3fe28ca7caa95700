/**
 * A cache of data that was read from SSTs and checked, up to a budget of bytes; the least recently used goes first. One
 * cache serves all namespaces of a process: a table that was dropped, a graph that begins again and another version of
 * the same namespace find here what lies in files that they share, without a request.
 *
 * Names hold the checksum of the bytes, besides where they lie: files never change (B1), and one that takes the place
 * of another in the same store does not pass for it.
 */
import type { SstBuffer, SstFile } from '../api.ts';

/** One piece must not push everything else out. */
const LARGEST_SHARE = 1 / 4;

/** The cache as what is read from one store goes by it. */
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

  /** Bytes that are held. */
  get bytes(): number {
    return this.#bytes;
  }

  get hits(): number {
    return this.#hits;
  }

  get misses(): number {
    return this.#misses;
  }

  /** Not to be changed by the caller. */
  get(name: string): Uint8Array | undefined {
    const bytes = this.#entries.get(name);
    if (bytes === undefined) {
      this.#misses++;
      return undefined;
    }
    this.#hits++;
    // A Map keeps the order of insertion: the first entry is the one used least recently.
    this.#entries.delete(name);
    this.#entries.set(name, bytes);
    return bytes;
  }

  /** Keeps a copy. */
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
