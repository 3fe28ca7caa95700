/** Buffers for the pieces of files, in memory that threads share, used again as soon as a piece is done with. */
import { HEADROOM, TAILROOM } from './chunk-reader.ts';

export class ChunkBuffers {
  readonly readBytes: number;
  readonly #free: Buffer[] = [];

  /** `readBytes`: so much is read at a time. */
  constructor(readBytes: number) {
    this.readBytes = readBytes;
  }

  take(): Buffer {
    return this.#free.pop() ?? this.allocate(HEADROOM + this.readBytes + TAILROOM);
  }

  allocate(bytes: number): Buffer {
    return Buffer.from(new SharedArrayBuffer(bytes));
  }

  /** Nobody looks at it any more. One of another size is not kept. */
  give(buffer: Buffer): void {
    if (buffer.length === HEADROOM + this.readBytes + TAILROOM) this.#free.push(buffer);
  }
}
