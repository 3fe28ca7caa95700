/** Collection of a thread's heap by an owner that knows, better than V8 does, how much of it is garbage. */
import { getHeapStatistics, setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

let collect: (() => void) | null = null;

/** Collects all garbage of this thread's heap at once: some 15 ms, more where much is alive. */
export function collectGarbage(): void {
  collect ??= collector();
  collect();
}

/** The least `used_heap_size` that was seen since the last collection by `collectIfGrown`, in bytes. */
let least = Number.POSITIVE_INFINITY;

/** Collects the heap if it has grown by `bytes` since it was smallest: after any collection, also one by V8. The check takes 5 µs. */
export function collectIfGrown(bytes: number): void {
  least = Math.min(least, getHeapStatistics().used_heap_size);
  if (getHeapStatistics().used_heap_size - least < bytes) return;
  collectGarbage();
  least = getHeapStatistics().used_heap_size;
}

/** Makes the function that collects. V8 gives it to contexts that are created after its flag is set. */
function collector(): () => void {
  setFlagsFromString('--expose-gc');
  return runInNewContext('gc') as () => void; // as: what the flag defines
}

const COLLECT_FROM_BYTES = 32 * 2 ** 20;

/**
 * A count of bytes that nothing in this thread refers to any more, and that V8 would free late: V8 does not count
 * shared memory, and lets a heap grow to a multiple of what lived at the last collection. A collection is cheap when
 * most of the heap is known to be garbage.
 */
export class KnownGarbage {
  private bytes = 0;

  add(bytes: number): void {
    this.bytes += bytes;
  }

  /** Collects the heap if at least 32 MiB were counted; returns whether it did. Must be called where nothing refers to them any more. */
  collectIfMuch(): boolean {
    if (this.bytes < COLLECT_FROM_BYTES) return false;
    this.bytes = 0;
    collectGarbage();
    return true;
  }
}
