/** Writes messages in chunks: what is written between `begin` and `end` becomes one message. Small messages gather until they are taken. */
import { PackStreamWriter } from '../packstream/packstream-writer.ts';

const MAX_CHUNK_BYTES = 0xffff;

/** Writes messages as chunks. */
export class MessageWriter {
  readonly pack = new PackStreamWriter();
  #start = 0;

  /** Bytes that wait to be taken. */
  get length(): number {
    return this.pack.length;
  }

  begin(fields: number, tag: number): void {
    this.#start = this.pack.length;
    this.pack.u16(0);
    this.pack.structureHeader(fields, tag);
  }

  end(): void {
    this.#endChunks();
    this.pack.u16(0);
  }

  /**
   * Takes out the bytes that were written so far, the beginning of the present message included; the rest of the
   * message follows in chunks of its own. The memory is the caller's from now on.
   */
  cut(): Buffer {
    this.#endChunks();
    const bytes = this.take();
    this.pack.u16(0);
    return bytes;
  }

  /** Forgets the message that was begun. */
  cancel(): void {
    this.pack.truncate(this.#start);
  }

  /** Returns the bytes written; the memory is the caller's from now on. */
  take(): Buffer {
    this.#start = 0;
    return this.pack.take();
  }

  /** Writes the lengths of the message's chunks so far. A chunk without content is dropped, since it would end the message. */
  #endChunks(): void {
    const size = this.pack.length - this.#start - 2;
    if (size === 0) this.pack.truncate(this.#start);
    else if (size <= MAX_CHUNK_BYTES) this.pack.setU16(this.#start, size);
    else this.#part(size);
  }

  /** Splits the message into chunks by making room for the header of each, the last chunk first. */
  #part(size: number): void {
    const { pack } = this;
    const first = this.#start + 2;
    const chunks = Math.ceil(size / MAX_CHUNK_BYTES);
    pack.extend((chunks - 1) * 2);
    for (let chunk = chunks - 1; chunk >= 0; chunk--) {
      const offset = chunk * MAX_CHUNK_BYTES;
      const bytes = Math.min(MAX_CHUNK_BYTES, size - offset);
      const to = first + offset + chunk * 2;
      if (chunk > 0) pack.move(first + offset, to, bytes);
      pack.setU16(to - 2, bytes);
    }
  }
}
