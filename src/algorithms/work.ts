/**
 * How a kernel is bounded: it counts the work that comes next and the memory that it is about to take, and gives the thread away where it is told to.
 *
 * A kernel is a generator that yields null wherever others may run. Its inner loops are free functions over typed arrays, each called for a range of nodes that holds about `STEPS_TOGETHER` steps, so that
 * counting costs nothing that can be measured (S2).
 */

/** The statement that a kernel works for. */
export interface Work {
  /** Counts steps of work that comes next, each some 100 ns at most. True: others should run. @throws QUERY_TIMEOUT, CANCELLED */
  worked(steps: number): boolean;
  /** Charges bytes that are about to be taken. @throws MEMORY_LIMIT */
  charge(bytes: number): void;
  /** Gives back bytes that were charged. */
  release(bytes: number): void;
  /** Tells how far the task is: a fraction from 0 to 1. */
  progress(fraction: number): void;
}

/** Work that returns a result, and gives null wherever others may run. */
export type Pieces<T> = Generator<null, T, void>;

/** Steps that are counted together: a range of nodes with so many neighbours, or the largest single list. */
const STEPS_TOGETHER = 16_384;

/** A free function that does the part of a phase that belongs to the nodes from `from` to below `to`. */
export type Phase<State> = (state: State, from: number, to: number) => void;

/** Calls a phase for ranges of nodes in ascending order; the work of a node is 1 and the length of its list. */
export function* overLists<State>(work: Work, offsets: Uint32Array, phase: Phase<State>, state: State): Pieces<void> {
  const count = offsets.length - 1;
  for (let from = 0; from < count; ) {
    const to = rangeEnd(offsets, from, count);
    if (work.worked(to - from + offsets[to]! - offsets[from]!)) yield null;
    phase(state, from, to);
    from = to;
  }
}

/** Calls a phase for ranges of `count` elements in ascending order, each of which is `steps` steps. */
export function* overRange<State>(work: Work, count: number, phase: Phase<State>, state: State, steps = 1): Pieces<void> {
  const size = Math.max(1, Math.floor(STEPS_TOGETHER / steps));
  for (let from = 0; from < count; from += size) {
    const to = Math.min(count, from + size);
    if (work.worked((to - from) * steps)) yield null;
    phase(state, from, to);
  }
}

/** The end of the longest range from `from` on that holds at most `STEPS_TOGETHER` steps, at least one node. O(log count). */
function rangeEnd(offsets: Uint32Array, from: number, count: number): number {
  const limit = offsets[from]! + from + STEPS_TOGETHER;
  let low = from + 1;
  let high = Math.min(count, from + STEPS_TOGETHER);
  while (low < high) {
    const middle = (low + high + 1) >>> 1;
    if (offsets[middle]! + middle <= limit) low = middle;
    else high = middle - 1;
  }
  return low;
}

/** Typed arrays over shared memory, charged before they are made. */
export class Arrays {
  readonly work: Work;

  constructor(work: Work) {
    this.work = work;
  }

  float64(length: number): Float64Array {
    return new Float64Array(this.buffer(length * 8));
  }

  float32(length: number): Float32Array {
    return new Float32Array(this.buffer(length * 4));
  }

  uint32(length: number): Uint32Array {
    return new Uint32Array(this.buffer(length * 4));
  }

  int32(length: number): Int32Array {
    return new Int32Array(this.buffer(length * 4));
  }

  uint8(length: number): Uint8Array {
    return new Uint8Array(this.buffer(length));
  }

  private buffer(bytes: number): SharedArrayBuffer {
    this.work.charge(bytes);
    return new SharedArrayBuffer(bytes);
  }
}
