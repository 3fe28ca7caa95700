/**
 * Guards the heap of the main thread. Statements that run there check the heap on some of their checks of the clock. V8
 * ends the whole process if the heap reaches its limit; before that, the statement that holds most is ended with
 * MEMORY_LIMIT.
 *
 * The heap may be full of garbage, so it is collected before a statement is chosen, and not again until it has grown.
 */
import { getHeapStatistics } from 'node:v8';
import { collectGarbage, GraphDBError } from '../../base/index.ts';
import type { Runtime } from '../../exec/index.ts';

/** Checks of the clock per check of the heap: a check of the heap costs 5 µs, and the clock is checked about every millisecond. */
const LOOKS_PER_HEAP_LOOK = 8;
/** The share of V8's limit that may be in use. */
const MOST_USED = 0.85;
/** The share of V8's limit by which the heap must have grown before it is collected again. */
const COLLECTED_AGAIN = 0.03;

/** Checks of the clock, by all statements together, that a chosen statement has for ending before another one is chosen. */
const LOOKS_TO_END = 256;
/** Ended holders are removed when there are this many more than twice those that the last removal left. */
const SWEPT_FROM = 64;

/** A statement that runs on the main thread. */
export interface HeapHolder {
  /** Null until the statement has begun. */
  runtime: Runtime | null;
  /** True once the statement has checked the clock; only then can it be chosen to end. */
  isKnown: boolean;
  /** True if the statement must fail at its next check. */
  mustEnd: boolean;
}

/** The use of the heap of the main thread. */
export interface HeapUse {
  readonly usedBytes: number;
  readonly limitBytes: number;
}

/** Guards the heap of the main thread for the statements that run there. */
export class MainHeap {
  private readonly measure: () => HeapUse;
  /** Weak references, so that nobody has to report that a statement has ended or was abandoned. */
  private holders: WeakRef<HeapHolder>[] = [];
  private sweepFrom = SWEPT_FROM;
  private looks = 0;
  private choosesFrom = 0;
  private collectFrom = 0;

  constructor(measure: () => HeapUse = heapUse) {
    this.measure = measure;
  }

  /**
   * To be called by a statement that runs, about every millisecond.
   *
   * @throws MEMORY_LIMIT if the heap is full and the statement holds most of it.
   */
  look(holder: HeapHolder): void {
    if (!holder.isKnown) this.add(holder);
    if (++this.looks % LOOKS_PER_HEAP_LOOK === 0 && this.looks >= this.choosesFrom && this.isFull()) {
      this.largest(holder).mustEnd = true;
      this.choosesFrom = this.looks + LOOKS_TO_END;
    }
    if (!holder.mustEnd) return;
    throw new GraphDBError('MEMORY_LIMIT', 'the process has no memory left for the statement, which holds most of it');
  }

  private add(holder: HeapHolder): void {
    holder.isKnown = true;
    this.holders.push(new WeakRef(holder));
    if (this.holders.length < this.sweepFrom) return;
    this.holders = this.holders.filter((each) => each.deref() !== undefined);
    this.sweepFrom = 2 * this.holders.length + SWEPT_FROM;
  }

  private isFull(): boolean {
    const { usedBytes, limitBytes } = this.measure();
    if (usedBytes <= limitBytes * MOST_USED) return false;
    if (usedBytes < this.collectFrom) return true;
    collectGarbage();
    const { usedBytes: leftBytes } = this.measure();
    this.collectFrom = leftBytes + limitBytes * COLLECTED_AGAIN;
    return leftBytes > limitBytes * MOST_USED;
  }

  /** Returns the statement that holds most memory, among those that do not have to end already. */
  private largest(looking: HeapHolder): HeapHolder {
    let largest = looking;
    for (const each of this.holders) {
      const holder = each.deref();
      if (holder !== undefined && !holder.mustEnd && bytesOf(holder) > bytesOf(largest)) largest = holder;
    }
    return largest;
  }
}

/** The guard of the main thread's heap, which the statements of all engines of the process share. */
export const mainHeap = new MainHeap();

function bytesOf({ runtime }: HeapHolder): number {
  return runtime?.memory.used ?? 0;
}

function heapUse(): HeapUse {
  const { used_heap_size, heap_size_limit } = getHeapStatistics();
  return { usedBytes: used_heap_size, limitBytes: heap_size_limit };
}
