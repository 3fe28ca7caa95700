/** Collecting the heap of a thread when its owner knows better than V8 that much of it is garbage. */
import { getHeapStatistics, setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

let collect: (() => void) | null = null;

/** Collects the garbage of this thread's heap, all of it, now: some 15 ms, more where much is alive. */
export function collectGarbage(): void {
  collect ??= collector();
  collect();
}

/** Bytes of this thread's heap when it was last collected here, or was found to be smaller. */
let least = Number.POSITIVE_INFINITY;

/** Collects the heap if it has grown by so many bytes since it was collected, by whomever. Looking takes 5 µs. */
export function collectIfGrown(bytes: number): void {
  least = Math.min(least, getHeapStatistics().used_heap_size);
  if (getHeapStatistics().used_heap_size - least < bytes) return;
  collectGarbage();
  least = getHeapStatistics().used_heap_size;
}

/** Makes the function that collects. V8 gives it to contexts that are made behind its flag. */
function collector(): () => void {
  setFlagsFromString('--expose-gc');
  return runInNewContext('gc') as () => void; // as: what the flag defines
}

const COLLECT_FROM_BYTES = 32 * 2 ** 20;

/**
 * Memory that nothing in this thread needs any more, and that V8 would give back late: it does not count shared memory,
 * and lets a heap grow to a multiple of what lived at the last collection. A collection is cheap when most of the heap
 * is known to be garbage.
 */
export class KnownGarbage {
  private bytes = 0;

  add(bytes: number): void {
    this.bytes += bytes;
  }

  /** Is to be called where nothing holds on to what was given up. True: it was much, and was collected. */
  collectIfMuch(): boolean {
    if (this.bytes < COLLECT_FROM_BYTES) return false;
    this.bytes = 0;
    collectGarbage();
    return true;
  }
}
