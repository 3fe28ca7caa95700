/**
 * A file in pieces of some megabytes for a scanner that works on whole rows: what it leaves of one piece is put before the next. The next piece is read while the
 * scanner works. Pieces stand in buffers of the caller's, who gives them back.
 */
import { GraphDBError } from '../../base/index.ts';
import { LINE_FEED } from '../csv/dialect.ts';
import type { ByteSource } from './byte-source.ts';
import { type ChunkBuffers, HEADROOM, TAILROOM } from './chunk-buffers.ts';

export const READ_BYTES = 4 * 2 ** 20;
const LONGEST_ROW_BYTES = 64 * 2 ** 20;
const BYTE_ORDER_MARK = Buffer.from([0xef, 0xbb, 0xbf]);
const UTF16_MARKS = [Buffer.from([0xff, 0xfe]), Buffer.from([0xfe, 0xff])];

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
    if (rest > LONGEST_ROW_BYTES) {
      throw new GraphDBError('ARGUMENT_ERROR', `${this.#path}: a row of more than ${LONGEST_ROW_BYTES >> 20} MiB; is a quote not closed?`);
    }
    const read = await this.#reading;
    const filled = this.#spare;
    const previous = this.bytes;
    this.bytes = rest <= HEADROOM ? filled : this.#buffers.allocate(rest + read + TAILROOM);
    const start = Math.max(rest, HEADROOM);
    if (this.bytes !== filled) filled.copy(this.bytes, start, HEADROOM, HEADROOM + read);
    previous.copy(this.bytes, start - rest, consumed, this.to);
    this.from = start - rest;
    this.to = start + read;
    if (this.#first) this.#skipMark();
    this.#first = false;
    if (this.bytes !== filled) this.#buffers.give(filled);
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

  #skipMark(): void {
    const start = this.bytes.subarray(this.from, this.to);
    if (UTF16_MARKS.some((mark) => start.subarray(0, 2).equals(mark))) {
      throw new GraphDBError('ARGUMENT_ERROR', `${this.#path} is UTF-16; convert it to UTF-8`);
    }
    if (start.subarray(0, 3).equals(BYTE_ORDER_MARK)) this.from += 3;
  }
}
