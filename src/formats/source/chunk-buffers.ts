/** Buffers for the pieces of files, in memory that threads share, used again as soon as a piece is done with. */
/** Room before what is read, for what was left; a longer rest costs a larger buffer. */
export const HEADROOM = 256 * 1024;
/** Room after what is read: for the line feed that ends every scan, and one that a last line may lack. */
export const TAILROOM = 2;

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
