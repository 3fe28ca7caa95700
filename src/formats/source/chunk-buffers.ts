/** Buffers for the pieces of files, in memory that threads share. A buffer is used again once its piece has been processed. */
import { SharedMemoryPool } from '../../base/index.ts';

/** Bytes before those that are read, for the incomplete row of the piece before. A longer rest needs a buffer of its own. */
export const HEADROOM = 256 * 1024;
/** Bytes after those that are read: for the line feed that ends every scan, and for one that the last line may lack. */
export const TAILROOM = 2;

/** A pool of buffers for the pieces of files. */
export class ChunkBuffers {
  readonly readBytes: number;
  readonly #pool = new SharedMemoryPool({
    sizeFor: (bytes) => bytes,
    largestFor: (bytes) => bytes,
    mostSpareBytes: Number.POSITIVE_INFINITY,
  });

  /** @param readBytes the number of bytes that are read at a time */
  constructor(readBytes: number) {
    this.readBytes = readBytes;
  }

  take(): Buffer {
    return Buffer.from(this.#pool.take(this.#usualBytes));
  }

  allocate(bytes: number): Buffer {
    return Buffer.from(new SharedArrayBuffer(bytes));
  }

  /** Returns a buffer that nobody reads any more to the pool. A buffer of another size than `take` gives is dropped. */
  give(buffer: Buffer): void {
    if (buffer.length === this.#usualBytes) this.#pool.giveBack(buffer.buffer as unknown as SharedArrayBuffer); // as: `take` handed it out
  }

  get #usualBytes(): number {
    return HEADROOM + this.readBytes + TAILROOM;
  }
}
