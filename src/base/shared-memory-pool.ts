/**
 * Shared memory that is used again and again, for bytes that several threads see. A shared buffer is freed when every
 * thread that has seen it has collected it, and no thread counts it among what makes it collect; so what is dropped may
 * stay for long.
 *
 * Whoever takes a buffer owns it until it gives it back: once, and when no thread reads or writes it any more. A buffer
 * holds anything when it is taken.
 */
import { assert } from './errors.ts';

/** The rules of a pool of shared memory. */
export interface SharedMemoryRules {
  /** The size of a buffer that is made for so many bytes: as many or more. */
  readonly sizeFor: (bytes: number) => number;
  /** The largest spare buffer that may serve for so many bytes. */
  readonly largestFor: (bytes: number) => number;
  /** The most bytes that spare buffers take together; beyond them those given back first are dropped. */
  readonly mostSpareBytes: number;
}

/** A pool of shared buffers of several sizes. */
export class SharedMemoryPool {
  /** In the order in which they were given back. */
  readonly #spare: SharedArrayBuffer[] = [];
  #spareBytes = 0;
  readonly #rules: SharedMemoryRules;

  constructor(rules: SharedMemoryRules) {
    this.#rules = rules;
  }

  /** A buffer of at least so many bytes: a spare one, or a new one, whose bytes are zero. */
  take(bytes: number): SharedArrayBuffer {
    return this.takeSpare(bytes) ?? new SharedArrayBuffer(this.#rules.sizeFor(bytes));
  }

  /** The smallest spare buffer that has so many bytes; null: there is none, or only such as are too large for them. */
  takeSpare(bytes: number): SharedArrayBuffer | null {
    const spare = this.#spare;
    const largest = this.#rules.largestFor(bytes);
    let best = -1;
    for (let index = 0; index < spare.length; index++) {
      const { byteLength } = spare[index]!;
      if (byteLength < bytes || byteLength > largest) continue;
      if (best < 0 || byteLength < spare[best]!.byteLength) best = index;
    }
    if (best < 0) return null;
    const [buffer] = spare.splice(best, 1);
    this.#spareBytes -= buffer!.byteLength;
    return buffer!;
  }

  giveBack(buffer: SharedArrayBuffer): void {
    assert(!this.#spare.includes(buffer), 'shared memory is given back once');
    this.#spare.push(buffer);
    this.#spareBytes += buffer.byteLength;
    while (this.#spareBytes > this.#rules.mostSpareBytes) this.#spareBytes -= this.#spare.shift()!.byteLength;
  }
}
