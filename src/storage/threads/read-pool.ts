/**
 * Shared memory for reads, used again and again. Each buffer that two threads have seen is freed when both have collected it, and neither
 * counts it among what makes it collect.
 */
const MOST_SPARE = 16;
const SMALLEST_BYTES = 4_096;

export class ReadPool {
  readonly #spare: SharedArrayBuffer[] = [];

  /** Holds anything. */
  take(length: number): Uint8Array {
    const place = this.#spare.findIndex(({ byteLength }) => byteLength >= length && byteLength <= roomFor(length) * 4);
    const buffer = place < 0 ? new SharedArrayBuffer(roomFor(length)) : this.#spare.splice(place, 1)[0]!;
    return new Uint8Array(buffer, 0, length);
  }

  /** Nobody reads or writes it any more. */
  giveBack({ buffer }: Uint8Array): void {
    if (this.#spare.length === MOST_SPARE) this.#spare.shift();
    this.#spare.push(buffer as SharedArrayBuffer); // as: `take` made it
  }
}

/** A power of two: blocks of one table have about the same length. */
function roomFor(length: number): number {
  return Math.max(SMALLEST_BYTES, 2 ** Math.ceil(Math.log2(length)));
}
