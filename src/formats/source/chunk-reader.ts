/**
 * Reads a file in pieces of some megabytes, for a scanner of whole rows: the incomplete row of one piece is copied
 * before the next. The next piece is read while the scanner works. Pieces are in buffers of a pool, to which the caller
 * returns them.
 */
import { textStart } from './byte-order-mark.ts';
import type { ByteSource } from './byte-source.ts';
import { type ChunkBuffers, HEADROOM, TAILROOM } from './chunk-buffers.ts';
import { LINE_FEED, LONGEST_ROW_BYTES, tooLongRow } from './text-lines.ts';

/** The number of bytes that are read from a file at a time. */
export const READ_BYTES = 4 * 2 ** 20;

/** Reads a file in pieces for a scanner. */
export class ChunkReader {
  /** The present piece is `bytes[from] … bytes[to - 1]`, with a line feed at `to`. */
  bytes: Buffer = Buffer.alloc(TAILROOM);
  from = 0;
  to = 0;
  /** True once the file has no more bytes, so that an incomplete row will never be complete. */
  atEnd = false;
  readonly #path: string;
  readonly #source: ByteSource;
  readonly #buffers: ChunkBuffers;
  #spare: Buffer;
  #reading: Promise<number>;
  #first = true;

  constructor(path: string, source: ByteSource, buffers: ChunkBuffers) {
    this.#path = path;
    this.#source = source;
    this.#buffers = buffers;
    this.#spare = buffers.take();
    this.#reading = this.#read();
  }

  /** Gets the next piece, in another buffer, after the bytes from `consumed` on. Resolves to false if nothing is left to scan. */
  async next(consumed: number): Promise<boolean> {
    if (this.atEnd) return false;
    const rest = this.to - consumed;
    if (rest > LONGEST_ROW_BYTES) throw tooLongRow(this.#path);
    let read = await this.#reading;
    const filled = this.#spare;
    const previous = this.bytes;
    const isLong = rest > HEADROOM;
    const start = Math.max(rest, HEADROOM);
    if (isLong) {
      // At least as many bytes as were scanned in vain, so that a long row is scanned in time linear in its length.
      const more = Math.max(0, rest - read);
      this.bytes = this.#buffers.allocate(rest + read + more + TAILROOM);
      filled.copy(this.bytes, start, HEADROOM, HEADROOM + read);
      this.#buffers.give(filled);
      if (read > 0) read += await this.#source.read(this.bytes.subarray(start + read, start + read + more));
    } else this.bytes = filled;
    previous.copy(this.bytes, start - rest, consumed, this.to);
    this.from = start - rest;
    this.to = start + read;
    if (this.#first) this.from = textStart(this.#path, this.bytes, this.from, this.to);
    this.#first = false;
    if (read === 0) this.#end();
    else {
      this.#spare = this.#buffers.take();
      this.#reading = this.#read();
    }
    this.bytes[this.to] = LINE_FEED;
    return this.to > this.from;
  }

  async close(): Promise<void> {
    await this.#reading.catch(() => {});
    await this.#source.close();
  }

  get position(): number {
    return this.#source.position;
  }

  #read(): Promise<number> {
    const reading = this.#source.read(this.#spare.subarray(HEADROOM, HEADROOM + this.#buffers.readBytes));
    reading.catch(() => {}); // Thrown where it is awaited.
    return reading;
  }

  /** Adds a line feed to a last line that has none. */
  #end(): void {
    this.atEnd = true;
    if (this.to > this.from && this.bytes[this.to - 1] !== LINE_FEED) this.bytes[this.to++] = LINE_FEED;
  }
}
