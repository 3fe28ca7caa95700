/**
 * A file in pieces of some megabytes for a scanner that works on whole rows: what it leaves of one piece is put before
 * the next. The next piece is read while the scanner works. Pieces stand in buffers of the caller's, who gives them
 * back.
 */
import { textStart } from './byte-order-mark.ts';
import type { ByteSource } from './byte-source.ts';
import { type ChunkBuffers, HEADROOM, TAILROOM } from './chunk-buffers.ts';
import { LINE_FEED, LONGEST_ROW_BYTES, tooLongRow } from './text-lines.ts';

/** Bytes that are read from a file at once. */
export const READ_BYTES = 4 * 2 ** 20;

/** Reads a file in pieces for a scanner. */
export class ChunkReader {
  /** The piece: `bytes[from] … bytes[to - 1]`, and a line feed at `to`. */
  bytes: Buffer = Buffer.alloc(TAILROOM);
  from = 0;
  to = 0;
  /** No more bytes will come: a row that is not complete now never will be. */
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

  /** Gets the next piece, in another buffer, with the bytes from `consumed` on before it. False: there is nothing more to scan. */
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
      // At least as many bytes as were looked at in vain, so that all looks at a long row are twice its bytes.
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

  /** A last line without an end gets one. */
  #end(): void {
    this.atEnd = true;
    if (this.to > this.from && this.bytes[this.to - 1] !== LINE_FEED) this.bytes[this.to++] = LINE_FEED;
  }
}
