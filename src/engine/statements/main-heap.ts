/**
 * The heap of the main thread, watched by the statements that run there: whenever one looks at the clock it may look at
 * the heap too. V8 ends the whole process where its limit is met; before that the statement that holds most is ended
 * with MEMORY_LIMIT.
 *
 * A heap may be full of garbage, so it is collected before anything is judged; not again until it has grown since.
 */
import { getHeapStatistics } from 'node:v8';
import { collectGarbage, GraphDBError } from '../../base/index.ts';
import type { Runtime } from '../../exec/index.ts';

/** Looks at the heap cost 5 µs; looks at the clock come each millisecond. */
const LOOKS_PER_HEAP_LOOK = 8;
/** Share of V8's limit that may be in use. */
const MOST_USED = 0.85;
/** Share of the limit by which it must have grown before it is collected again. */
const COLLECTED_AGAIN = 0.03;

/** Looks at the clock, of all statements, that one that is to end has for it before another one is chosen. */
const LOOKS_TO_END = 256;
/** Holders that have ended are swept out when there are so many more than at the last sweep. */
const SWEPT_FROM = 64;

/** A statement that runs on the main thread. */
export interface HeapHolder {
  /** null: it has not begun. */
  runtime: Runtime | null;
  /** It has looked at the clock, so that it counts among those that hold something. */
  isKnown: boolean;
  /** It is to fail when it looks next. */
  mustEnd: boolean;
}

/** The use of the heap of the main thread. */
export interface HeapUse {
  readonly usedBytes: number;
  readonly limitBytes: number;
}

/** Watches the heap of the main thread for statements that run there. */
export class MainHeap {
  private readonly measure: () => HeapUse;
  /** Weak, so that nobody has to tell that a statement has ended, or was left. */
  private holders: WeakRef<HeapHolder>[] = [];
  private sweepFrom = SWEPT_FROM;
  private looks = 0;
  private choosesFrom = 0;
  private collectFrom = 0;

  constructor(measure: () => HeapUse = heapUse) {
    this.measure = measure;
  }

  /** MEMORY_LIMIT: the heap is full, and the statement is the one that holds most. */
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

  /** One that is to end already is not chosen again. */
  private largest(looking: HeapHolder): HeapHolder {
    let largest = looking;
    for (const each of this.holders) {
      const holder = each.deref();
      if (holder !== undefined && !holder.mustEnd && bytesOf(holder) > bytesOf(largest)) largest = holder;
    }
    return largest;
  }
}

/** Statements of all engines of the process share its heap. */
export const mainHeap = new MainHeap();

function bytesOf({ runtime }: HeapHolder): number {
  return runtime?.memory.used ?? 0;
}

function heapUse(): HeapUse {
  const { used_heap_size, heap_size_limit } = getHeapStatistics();
  return { usedBytes: used_heap_size, limitBytes: heap_size_limit };
}
