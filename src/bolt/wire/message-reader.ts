/**
 * Takes messages out of a stream of bytes. A message is a sequence of chunks of up to 65,535 bytes, each behind its
 * length (two bytes, big-endian), ended by an empty chunk. An empty chunk between messages keeps a connection alive and
 * means nothing.
 *
 * Memory holds at most one unfinished message, never longer than the limit of the moment, in proportion to its length
 * however small its chunks and the pieces of the network are. A message of one chunk in one piece is not copied.
 */
import { ByteWriter } from '../../base/index.ts';

/** The error of a message beyond the limit, which is not read. */
export class MessageTooLarge extends Error {}

/** Collects messages from chunks. */
export class MessageReader {
  /** The most bytes of a message that is taken; may change between messages. */
  maxBytes: number;
  /** The part of a chunk that has come, with its length, while the chunk is not complete. */
  #torn = new ByteWriter();
  /** The bytes that the incomplete chunk will have with its length. */
  #tornBytes = 2;
  /** The complete chunks of the message that is not complete. */
  #chunks = new ByteWriter();

  constructor(maxBytes: number) {
    this.maxBytes = maxBytes;
  }

  /** True if a message has begun and is not complete. */
  get isInside(): boolean {
    return this.#torn.length + this.#chunks.length > 0;
  }

  /** Takes bytes as they came, and yields the messages that are complete now. @throws `MessageTooLarge`. */
  *take(bytes: Buffer): Generator<Buffer, void, void> {
    let data = bytes;
    if (this.#torn.length > 0) {
      this.#torn.raw(bytes);
      if (this.#torn.length < this.#tornBytes) return;
      data = asBuffer(this.#torn.view());
      this.#torn = new ByteWriter();
    }
    this.#tornBytes = 2;
    let at = 0;
    while (data.length - at >= 2) {
      const size = data.readUInt16BE(at);
      if (this.#chunks.length + size > this.maxBytes) throw new MessageTooLarge(`a message of more than ${this.maxBytes} bytes`);
      const begin = at + 2;
      const end = begin + size;
      if (data.length < end) {
        this.#tornBytes = 2 + size;
        break;
      }
      const isWhole = this.#chunks.length === 0 && size > 0 && data.length >= end + 2 && data.readUInt16BE(end) === 0;
      at = isWhole ? end + 2 : end;
      if (isWhole) yield data.subarray(begin, end);
      else if (size > 0) this.#chunks.raw(data.subarray(begin, end));
      else if (this.#chunks.length > 0) yield this.#joined();
    }
    if (at < data.length) this.#torn.raw(data.subarray(at));
  }

  #joined(): Buffer {
    const message = asBuffer(this.#chunks.view());
    this.#chunks = new ByteWriter();
    return message;
  }
}

function asBuffer(bytes: Uint8Array): Buffer {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length);
}
