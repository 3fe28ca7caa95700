/**
 * The source of the buffers of an SST: ranged reads, or a piece of the file in memory. Each buffer is checked before it
 * is returned (B7), and unpacked.
 */
import { crc32, zstdDecompressSync } from 'node:zlib';
import type { SstBuffer, SstFile } from '../api.ts';
import { corruption, MissingFileError } from '../faults.ts';
import { pauseIfDue } from '../files/background-thread.ts';
import type { CheckedRanges, IsSound } from '../files/checked-ranges.ts';
import { arePieces, piecesAround } from './pieces.ts';
import { nameOfBuffer, type StoreCache } from './sst-cache.ts';

const NOTHING = new Uint8Array(0);

/** Fills `target` with the stored bytes of a buffer, and returns whether they are sound. */
type ReadStored = (buffer: SstBuffer, target: Uint8Array, isSound: IsSound) => Promise<boolean>;

/** The source of a file's buffers. */
export class BufferSource {
  readonly #file: SstFile;
  readonly #readStored: ReadStored;
  readonly #cache: StoreCache | null;

  private constructor(file: SstFile, readStored: ReadStored, cache: StoreCache | null = null) {
    this.#file = file;
    this.#readStored = readStored;
    this.#cache = cache;
  }

  /** Makes a source that reads from the bucket, one request per buffer that is not in the cache. */
  static ranged(ranges: CheckedRanges, file: SstFile, cache: StoreCache | null): BufferSource {
    return new BufferSource(file, ([offset], target, isSound) => ranges.readInto(file, offset, target, isSound), cache);
  }

  /** Makes a source over bytes in memory. `image` returns the bytes of the file from `start` on. */
  static image(file: SstFile, image: () => Promise<Uint8Array>, start: number): BufferSource {
    return new BufferSource(file, async ([offset, length], target, isSound) => {
      target.set((await image()).subarray(offset - start, offset - start + length));
      return isSound(target);
    });
  }

  /** Returns the unpacked bytes of a buffer, at an offset that suits any typed array. @throws CORRUPTION */
  async fetch(buffer: SstBuffer, expectedBytes: number): Promise<Uint8Array> {
    const target = new Uint8Array(expectedBytes);
    await this.fetchInto(buffer, target);
    return target;
  }

  /** Reads a buffer into `target`, which must have exactly its unpacked length. @throws CORRUPTION */
  async fetchInto(buffer: SstBuffer, target: Uint8Array): Promise<void> {
    if (unpackedBytes(buffer) !== target.length) {
      throw corruption(this.#file.key, `a buffer has ${unpackedBytes(buffer)} bytes instead of ${target.length}`);
    }
    if (buffer[1] === 0) return;
    if (this.#file.compression === undefined) return this.#read(buffer, target);
    const packed = new Uint8Array(buffer[1]);
    await this.#read(buffer, packed);
    target.set(this.#unpack(packed, target.length));
  }

  /** Returns the stored bytes of a buffer that is never packed. @throws CORRUPTION */
  async fetchStored(buffer: SstBuffer): Promise<Uint8Array> {
    const target = new Uint8Array(buffer[1]);
    await this.#read(buffer, target);
    return target;
  }

  /**
   * Returns the bytes from `from` to before `to` of a buffer that is not packed, at an offset that suits any typed
   * array if `from` does. `checksums` are those of the buffer's pieces, '' for a buffer of one piece. @throws
   * CORRUPTION
   */
  async fetchPart(buffer: SstBuffer, checksums: string, from: number, to: number): Promise<Uint8Array> {
    const [offset, length, checksum] = buffer;
    if (checksums === '' || from >= to) return from >= to ? NOTHING : (await this.fetch(buffer, length)).subarray(from, to);
    const around = piecesAround(from, to, length);
    const place: SstBuffer = [offset + around.from, around.to - around.from, checksum];
    const name = this.#cache === null ? '' : nameOfBuffer(this.#cache.location, this.#file, place);
    let bytes = this.#cache?.entries.get(name);
    if (bytes === undefined) {
      bytes = new Uint8Array(place[1]);
      if (!(await this.#readStored(place, bytes, (read) => arePieces(read, around.first, checksums))))
        throw corruption(this.#file.key, `the checksums of the pieces from ${place[0]} on do not match`);
      this.#cache?.entries.put(name, bytes);
    }
    return bytes.subarray(from - around.from, to - around.from);
  }

  async #read(buffer: SstBuffer, target: Uint8Array): Promise<void> {
    if (this.#cache === null) return this.#readChecked(buffer, target);
    const { entries, location } = this.#cache;
    const name = nameOfBuffer(location, this.#file, buffer);
    const known = entries.get(name);
    if (known !== undefined) {
      target.set(known);
      return;
    }
    await this.#readChecked(buffer, target);
    entries.put(name, target);
  }

  async #readChecked(buffer: SstBuffer, target: Uint8Array): Promise<void> {
    const [offset, length, checksum] = buffer;
    const isSound = await this.#readStored(buffer, target, (bytes) => crc32(bytes) === checksum);
    if (!isSound) throw corruption(this.#file.key, `the checksum of the ${length} bytes at ${offset} does not match`);
    pauseIfDue();
  }

  #unpack(packed: Uint8Array, length: number): Uint8Array {
    const prefix = new DataView(packed.buffer, packed.byteOffset, 8).getBigInt64(0, true);
    const body = packed.subarray(8);
    if (prefix === -1n) return body;
    if (prefix !== BigInt(length)) throw corruption(this.#file.key, 'a compressed buffer has another length than the manifest says');
    try {
      return zstdDecompressSync(body, { maxOutputLength: Math.max(length, 1) });
    } catch (error) {
      throw corruption(this.#file.key, 'a compressed buffer cannot be unpacked', error);
    }
  }
}

/** Checks how many bytes were read. @throws MissingFileError when `read` is null, CORRUPTION for another number */
export function checkLength(file: SstFile, read: number | null, expected: number): void {
  if (read === null) throw new MissingFileError(file.key);
  if (read !== expected) throw corruption(file.key, `it ends too early or too late: ${read} bytes read, ${expected} expected`);
}

/** Returns the size of a buffer when it is unpacked, in bytes. */
export function unpackedBytes([, stored, , unpacked]: SstBuffer): number {
  return unpacked ?? stored;
}
