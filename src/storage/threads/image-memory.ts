/**
 * Shared memory for the files that a thread writes (images), in numbered places, by which the thread that has the store
 * refers to it. If buffers were transferred instead, the thread that has the store would have to collect one for each
 * file, and V8 counts that much memory as a reason for a full garbage collection. There are as many places as were in
 * use at once, mostly two, and their memory stays until the thread ends.
 */
import { SharedMemoryPool } from '../../base/index.ts';
import { pieces } from '../files/background-thread.ts';

const STEP_BYTES = 2 ** 20;

/** Shared memory for files. */
export class ImageMemory {
  readonly #pool = new SharedMemoryPool({
    sizeFor: (bytes) => Math.ceil(bytes / STEP_BYTES) * STEP_BYTES,
    largestFor: () => Number.POSITIVE_INFINITY,
    mostSpareBytes: Number.POSITIVE_INFINITY,
  });
  readonly #places = new Map<ArrayBufferLike, number>();
  readonly #tell: (place: number, buffer: SharedArrayBuffer) => void;

  /** `tell` is called with the number of a place and its new buffer. */
  constructor(tell: (place: number, buffer: SharedArrayBuffer) => void) {
    this.#tell = tell;
  }

  /** Takes zeroed memory. */
  take(length: number): Uint8Array {
    const spare = this.#pool.takeSpare(length);
    if (spare === null) return new Uint8Array(this.#make(length), 0, length);
    const bytes = new Uint8Array(spare, 0, length);
    for (const { from, to } of pieces(0, length, STEP_BYTES)) bytes.fill(0, from, to);
    return bytes;
  }

  /** Makes a buffer, in place of a spare one that is too small, or at a new place. */
  #make(length: number): SharedArrayBuffer {
    const smaller = this.#pool.takeSpare(0);
    const place = smaller === null ? this.#places.size : this.#places.get(smaller)!;
    if (smaller !== null) this.#places.delete(smaller);
    const buffer = this.#pool.take(length);
    this.#places.set(buffer, place);
    this.#tell(place, buffer);
    return buffer;
  }

  /** Returns the place of memory that `take` returned; undefined for any other bytes. */
  placeOf({ buffer }: Uint8Array): number | undefined {
    return this.#places.get(buffer);
  }

  /** Gives back memory that nobody reads any more. */
  giveBack({ buffer }: Uint8Array): void {
    this.#pool.giveBack(buffer as SharedArrayBuffer); // as: `take` handed it out
  }
}
