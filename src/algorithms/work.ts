/**
 * How a kernel is bounded: it counts the work that comes next and the memory that it is about to take, and gives the
 * thread away where it is told to.
 *
 * A kernel is a generator that yields null wherever others may run. Its inner loops are free functions over typed
 * arrays, each called for a range of nodes that holds about `STEPS_TOGETHER` steps, so that counting costs nothing that
 * can be measured (S2).
 */

import type { Team } from './threads/algorithm-threads.ts';
import { hasActive, takeRange } from './threads/job.ts';
import type { SharedPhase, SharedRun, SharedUnit } from './threads/shared-phase.ts';

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
  /** Threads that may help; null: none. */
  readonly team: Team | null;
}

/** Threads that take part in shared phases: as many sets of scratch arrays are made. */
export function memberCount({ team }: Work): number {
  return team?.size ?? 1;
}

/** Work that returns a result, and gives null wherever others may run. */
export type Pieces<T> = Generator<null, T, void>;

/** Steps that are counted together: a range of nodes with so many neighbours, or the largest single list. */
const STEPS_TOGETHER = 16_384;

/** A free function that does the part of a phase that belongs to the nodes from `from` to below `to`. */
export type Phase<State> = (state: State, from: number, to: number) => void;

/**
 * Calls a phase for ranges of nodes; the work of a node is 1 and the length of its list. Ranges ascend, or threads take
 * them.
 *
 * @param steps for each of these
 */
export function* overLists<State>(
  work: Work,
  offsets: Uint32Array,
  phase: Phase<State> | SharedPhase<State>,
  state: State,
  steps = 1,
): Pieces<void> {
  const count = offsets.length - 1;
  const size = Math.max(1, Math.floor(STEPS_TOGETHER / steps));
  if (typeof phase !== 'function' && isShared(work, (count + offsets[count]!) * steps)) {
    const bounds = [0];
    for (let from = 0; from < count; from = bounds.at(-1)!) bounds.push(rangeEnd(offsets, from, count, size));
    yield* together(work, Uint32Array.from(bounds), phase, state);
    return;
  }
  const run: SharedRun<State> = typeof phase === 'function' ? phase : phase.run;
  for (let from = 0; from < count; ) {
    const to = rangeEnd(offsets, from, count, size);
    if (work.worked((to - from + offsets[to]! - offsets[from]!) * steps)) yield null;
    run(state, from, to, MAIN);
    from = to;
  }
}

/** Calls a phase for ranges of `count` elements, each of which is `steps` steps. Ranges ascend, or threads take them. */
export function* overRange<State>(
  work: Work,
  count: number,
  phase: Phase<State> | SharedPhase<State>,
  state: State,
  steps = 1,
): Pieces<void> {
  const size = elementsTogether(steps);
  if (typeof phase !== 'function' && isShared(work, count * steps)) {
    const bounds = Uint32Array.from({ length: Math.ceil(count / size) + 1 }, (_, i) => Math.min(count, i * size));
    yield* together(work, bounds, phase, state);
    return;
  }
  const run: SharedRun<State> = typeof phase === 'function' ? phase : phase.run;
  for (let from = 0; from < count; from += size) {
    const to = Math.min(count, from + size);
    if (work.worked((to - from) * steps)) yield null;
    run(state, from, to, MAIN);
  }
}

/** The elements of a range that `overRange` makes: range i begins at i times as many. */
export function elementsTogether(steps: number): number {
  return Math.max(1, Math.floor(STEPS_TOGETHER / steps));
}

/** Runs units of `size` elements, of `count`; each counts its own steps. Progress is told by units. */
export function* overUnits<State>(work: Work, count: number, size: number, unit: SharedUnit<State>, state: State): Pieces<void> {
  if (count === 0) return;
  const bounds = Uint32Array.from({ length: Math.ceil(count / size) + 1 }, (_, i) => Math.min(count, i * size));
  if (work.team !== null) {
    yield* together(work, bounds, unit, state);
    return;
  }
  for (let i = 0; i + 1 < bounds.length; i++) {
    for (const steps of unit.run(state, bounds[i]!, bounds[i + 1]!, MAIN)) if (work.worked(steps)) yield null;
    work.progress((i + 1) / (bounds.length - 1));
  }
}

/** The member of a team that the main thread is. */
const MAIN = 0;
/** Steps that a wait for other threads is worth. */
const STEPS_PER_WAIT = 2_500;

function isShared({ team }: Work, steps: number): boolean {
  return team !== null && steps >= team.leastSteps;
}

/** Takes ranges as the other members do, and waits for them. */
function* together<State>(work: Work, bounds: Uint32Array, phase: SharedPhase<State> | SharedUnit<State>, state: State): Pieces<void> {
  const team = work.team!; // Asked before.
  const job = team.begin(phase, bounds, state);
  try {
    for (;;) {
      if (work.worked(phase.kind === 'phase' ? STEPS_TOGETHER : 1)) yield null;
      const range = takeRange(job);
      if (range < 0) break;
      if (phase.kind === 'phase') phase.run(state, bounds[range]!, bounds[range + 1]!, MAIN);
      else {
        for (const steps of phase.run(state, bounds[range]!, bounds[range + 1]!, MAIN)) if (work.worked(steps)) yield null;
        work.progress((range + 1) / (bounds.length - 1));
      }
    }
    while (hasActive(job)) {
      if (work.worked(STEPS_PER_WAIT)) yield null;
      team.check(job);
    }
    team.check(job);
  } finally {
    team.end(job);
  }
}

/** The end of the longest range from `from` on that holds at most `size` steps, at least one node. O(log count). */
function rangeEnd(offsets: Uint32Array, from: number, count: number, size: number): number {
  const limit = offsets[from]! + from + size;
  let low = from + 1;
  let high = Math.min(count, from + size);
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
