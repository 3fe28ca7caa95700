/**
 * The limits of a worker's heap, each above the one before:
 *
 * 1. `heapMiB`, kept by the worker's statements when they check the clock: the one that checks fails;
 * 2. `heapLimitBytes`, kept by the main thread (worker-watch.ts): a statement that does not check has filled the heap,
 *    and the worker is ended;
 * 3. V8's own, which ends the thread if JavaScript reaches it, but the whole process if one large allocation or a
 *    collection between two turns does. Nothing should reach it.
 */
import { totalmem } from 'node:os';
import { getHeapStatistics } from 'node:v8';
import { collectGarbage, GraphDBError } from '../../base/index.ts';

/** The share of the limit that may be in use after a collection; nearer to the limit, one collection would follow another. */
const MOST_LEFT = 0.9;

const MOST_HEAP_MIB = 4096;
const LEAST_HEAP_MIB = 128;

/** Returns the bytes that the process may use: those of the machine, or of the container if it has fewer. */
export function processMemoryBytes(): number {
  return Math.min(totalmem(), process.constrainedMemory());
}

/** Returns the heap in MiB for each of so many threads: together half of the memory that the process may use, within bounds. */
export function heapShareMiB(threads: number): number {
  const memoryMiB = processMemoryBytes() / 2 ** 20;
  return Math.max(LEAST_HEAP_MIB, Math.min(MOST_HEAP_MIB, Math.floor(memoryMiB / 2 / Math.max(1, threads))));
}

/** Returns the bytes of heap at which the main thread ends a worker. */
export function heapLimitBytes(heapMiB: number): number {
  return (64 + heapMiB * 1.25) * 2 ** 20;
}

/** Returns the limit in MiB to give V8 for a thread that may use `heapMiB`: it leaves room for what grows between two checks. */
export function hardLimitMiB(heapMiB: number): number {
  return 512 + heapMiB * 2;
}

/** Guards the heap of the thread that makes it. */
export class HeapGuard {
  private readonly limitBytes: number;

  constructor(heapMiB: number) {
    this.limitBytes = heapMiB * 2 ** 20;
  }

  /** Checks the heap. @throws MEMORY_LIMIT if what is in use, without garbage, is more than the thread may have. */
  check(): void {
    if (usedBytes() <= this.limitBytes) return;
    collectGarbage();
    if (usedBytes() > this.limitBytes * MOST_LEFT) throw threadIsFull();
  }
}

/** Makes the MEMORY_LIMIT error of a statement whose thread has no memory left. */
export function threadIsFull(cause?: unknown): GraphDBError {
  const message = 'the statement needs more memory than a thread has, by itself or with what runs beside it';
  return new GraphDBError('MEMORY_LIMIT', message, { cause });
}

function usedBytes(): number {
  return getHeapStatistics().used_heap_size;
}
