/**
 * A pool of shared memory for bytes that several threads see. A shared buffer is freed only when every thread that has
 * seen it has collected it, and none of them counts it as a reason to collect; so a buffer that is dropped may stay for
 * long, and it is better to use it again.
 *
 * A caller that takes a buffer owns it until it gives it back, which it must do once, and when no thread reads or
 * writes it any more. The contents of a buffer from the pool are undefined.
 */
import { assert } from './errors.ts';

/** The rules of a pool of shared memory. */
export interface SharedMemoryRules {
  /** Returns the size in bytes of a new buffer for at least `bytes` bytes. */
  readonly sizeFor: (bytes: number) => number;
  /** Returns the size in bytes of the largest spare buffer that may serve for `bytes` bytes. */
  readonly largestFor: (bytes: number) => number;
  /** The most bytes of spare buffers in total; beyond them the buffers that were given back first are dropped. */
  readonly mostSpareBytes: number;
}

/** A pool of shared buffers of several sizes. */
export class SharedMemoryPool {
  /** The spare buffers, in the order in which they were given back. */
  readonly #spare: SharedArrayBuffer[] = [];
  #spareBytes = 0;
  readonly #rules: SharedMemoryRules;

  constructor(rules: SharedMemoryRules) {
    this.#rules = rules;
  }

  /** Returns a buffer of at least `bytes` bytes: a spare one, or a new one, whose bytes are zero. */
  take(bytes: number): SharedArrayBuffer {
    return this.takeSpare(bytes) ?? new SharedArrayBuffer(this.#rules.sizeFor(bytes));
  }

  /** Returns the smallest spare buffer of at least `bytes` bytes; null if there is none that the rules allow. */
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
