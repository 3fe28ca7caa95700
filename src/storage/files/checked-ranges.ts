/**
 * Reads ranges of the files of a manifest and checks them (B7): from the cache on a local disk if there is one and it
 * has them, else from the bucket. Checked bytes are kept in that cache.
 *
 * Cost: one request for a range that is not cached.
 */
import { corruption, MissingFileError } from '../faults.ts';
import type { FileIdentity } from '../page-cache/cached-range.ts';
import type { StorePages } from '../page-cache/page-cache.ts';
import type { FileSource } from './file-access.ts';

/** Whether bytes are those that were written, by their checksum. */
export type IsSound = (bytes: Uint8Array) => boolean;

/** Reads ranges and checks them. */
export class CheckedRanges {
  readonly #source: FileSource;
  readonly #pages: StorePages | null;

  constructor(source: FileSource, pages: StorePages | null) {
    this.#source = source;
    this.#pages = pages;
  }

  /**
   * Fills `target` with the bytes of the file from `offset` on. Returns whether they are sound.
   * @throws MissingFileError, CORRUPTION when the file ends before the range does
   */
  async readInto(file: FileIdentity, offset: number, target: Uint8Array, isSound: IsSound): Promise<boolean> {
    const kept = await this.findKept(file, offset, target.length, isSound);
    if (kept !== null) {
      target.set(kept);
      return true;
    }
    await this.#fetchInto(file, offset, target);
    if (!isSound(target)) return false;
    this.keep(file, offset, target);
    return true;
  }

  /**
   * Reads a range from the bucket, and checks only its length.
   * @throws MissingFileError, CORRUPTION when the file ends before the range does
   */
  async fetch(file: FileIdentity, offset: number, length: number): Promise<Uint8Array> {
    const bytes = new Uint8Array(length);
    await this.#fetchInto(file, offset, bytes);
    return bytes;
  }

  async #fetchInto({ key }: FileIdentity, offset: number, target: Uint8Array): Promise<void> {
    const read = await this.#source.readInto(key, offset, target);
    if (read === null) throw new MissingFileError(key);
    if (read !== target.length) throw corruption(key, `it ends too early or too late: ${read} bytes read, ${target.length} expected`);
  }

  /** Returns the bytes of a range from the cache on the disk; null when they are missing or damaged. No request. */
  async findKept(file: FileIdentity, offset: number, length: number, isSound: IsSound): Promise<Uint8Array | null> {
    if (this.#pages === null) return null;
    const range = { file, offset, length };
    const kept = await this.#pages.read(range);
    if (kept === null || isSound(kept)) return kept;
    this.#pages.discard(range);
    return null;
  }

  /** Keeps checked bytes in the cache on the disk. */
  keep(file: FileIdentity, offset: number, bytes: Uint8Array): void {
    this.#pages?.keep({ file, offset, length: bytes.length }, bytes);
  }
}
