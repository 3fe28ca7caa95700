/**
 * Shared memory that nothing in this thread needs any more, and that only a collection of its heap gives back: V8 does not count it, so a thread that makes
 * little other garbage would never collect. A collection takes some 15 ms, here where only long reads run.
 */
import { collector } from './collector.ts';

const COLLECT_FROM_BYTES = 32 * 2 ** 20;

export class SharedGarbage {
  private bytes = 0;
  private collect: (() => void) | null = null;

  add(bytes: number): void {
    this.bytes += bytes;
  }

  /** To be called where nothing holds on to what was given up. */
  collectIfMuch(): void {
    if (this.bytes < COLLECT_FROM_BYTES) return;
    this.bytes = 0;
    this.collect ??= collector();
    this.collect();
  }
}
