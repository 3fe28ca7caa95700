/** Buffers for the pieces of files, in memory that threads share, used again as soon as a piece is done with. */
import { SharedMemoryPool } from '../../base/index.ts';

/** Room before what is read, for what was left; a longer rest costs a larger buffer. */
export const HEADROOM = 256 * 1024;
/** Room after what is read: for the line feed that ends every scan, and one that a last line may lack. */
export const TAILROOM = 2;

/** Buffers for pieces of files, used again and again. */
export class ChunkBuffers {
  readonly readBytes: number;
  readonly #pool = new SharedMemoryPool({
    sizeFor: (bytes) => bytes,
    largestFor: (bytes) => bytes,
    mostSpareBytes: Number.POSITIVE_INFINITY,
  });

  /** `readBytes`: so much is read at a time. */
  constructor(readBytes: number) {
    this.readBytes = readBytes;
  }

  take(): Buffer {
    return Buffer.from(this.#pool.take(this.#usualBytes));
  }

  allocate(bytes: number): Buffer {
    return Buffer.from(new SharedArrayBuffer(bytes));
  }

  /** Nobody looks at it any more. One of another size is not kept. */
  give(buffer: Buffer): void {
    if (buffer.length === this.#usualBytes) this.#pool.giveBack(buffer.buffer as unknown as SharedArrayBuffer); // as: `take` handed it out
  }

  get #usualBytes(): number {
    return HEADROOM + this.readBytes + TAILROOM;
  }
}
