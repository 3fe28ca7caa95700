/**
 * Shared memory for the files that a thread writes, used again and again, by later threads as well. As buffers that change hands, the thread that has the store would have to
 * collect one for each file, and V8 takes so much for a reason to go through all objects there. There are as many as were in use at once, mostly two,
 * and they stay as long as the namespace is open.
 */
import { pieces } from '../files/background-thread.ts';

const STEP_BYTES = 2 ** 20;

export class ImagePool {
  readonly #buffers: SharedArrayBuffer[];
  readonly #tell: (place: number, buffer: SharedArrayBuffer) => void;
  readonly #taken = new Map<ArrayBufferLike, number>();

  /** @param tell what stands at a place now */
  constructor(buffers: readonly SharedArrayBuffer[], tell: (place: number, buffer: SharedArrayBuffer) => void) {
    this.#buffers = [...buffers];
    this.#tell = tell;
  }

  /** Zeroed. */
  take(length: number): Uint8Array {
    const isFree = (buffer: SharedArrayBuffer): boolean => !this.#taken.has(buffer);
    let place = this.#buffers.findIndex((buffer) => isFree(buffer) && buffer.byteLength >= length);
    if (place >= 0) clear(new Uint8Array(this.#buffers[place]!, 0, length));
    else place = this.#make(this.#buffers.findIndex(isFree), length);
    const buffer = this.#buffers[place]!;
    this.#taken.set(buffer, place);
    return new Uint8Array(buffer, 0, length);
  }

  /** In the place of one that is too small, or (-1) at a new one. */
  #make(smaller: number, length: number): number {
    const place = smaller < 0 ? this.#buffers.length : smaller;
    this.#buffers[place] = new SharedArrayBuffer(Math.ceil(length / STEP_BYTES) * STEP_BYTES);
    this.#tell(place, this.#buffers[place]);
    return place;
  }

  /** Where bytes that were taken lie; undefined: they were not. */
  placeOf({ buffer }: Uint8Array): number | undefined {
    return this.#taken.get(buffer);
  }

  /** Nobody reads the bytes any more. */
  giveBack({ buffer }: Uint8Array): void {
    this.#taken.delete(buffer);
  }
}

function clear(bytes: Uint8Array): void {
  for (const { from, to } of pieces(0, bytes.length, STEP_BYTES)) bytes.fill(0, from, to);
}
