/**
 * Limits on the time and the memory of kernels, and the loops by which kernels share work with other threads.
 *
 * A kernel is a generator. Before each piece of work it counts the steps of that piece, before each allocation it
 * charges the bytes, and it yields null wherever other statements may run. Its inner loops are free functions over
 * typed arrays; each call covers a range of nodes of about `STEPS_TOGETHER` steps, so that the cost of counting cannot
 * be measured (S2).
 */

import type { Team } from './threads/algorithm-threads.ts';
import { hasActive, takeRange } from './threads/job.ts';
import type { SharedPhase, SharedRun, SharedUnit } from './threads/shared-phase.ts';

/** The statement that a kernel works for. */
export interface Work {
  /** Counts steps that are about to be done, some 100 ns each at most. True: others should run. @throws QUERY_TIMEOUT, CANCELLED */
  worked(steps: number): boolean;
  /** Charges bytes that are about to be allocated. @throws MEMORY_LIMIT */
  charge(bytes: number): void;
  /** Gives back bytes that were charged. */
  release(bytes: number): void;
  /** Reports how far the task is, as a fraction from 0 to 1. */
  progress(fraction: number): void;
  /** The threads that may help with shared phases; null: the main thread works alone. */
  readonly team: Team | null;
}

/** Returns how many threads take part in shared phases, the main thread included. Each needs scratch arrays of its own. */
export function memberCount({ team }: Work): number {
  return team?.size ?? 1;
}

/** A computation in pieces: it yields null wherever other statements may run, and returns its result. */
export type Pieces<T> = Generator<null, T, void>;

/** Steps of one range: a range holds as many nodes as stay below this number, but at least one. */
const STEPS_TOGETHER = 16_384;

/** A free function that does a phase for the nodes from `from` to below `to`. */
export type Phase<State> = (state: State, from: number, to: number) => void;

/**
 * Runs a phase over all nodes, range by range. A node counts as one step and one more for each entry of its list. The
 * main thread takes the ranges in ascending order; a shared phase that is long enough is shared with other threads.
 *
 * @param steps how many steps a node, or an entry of its list, counts as
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

/**
 * Runs a phase over `count` elements of `steps` steps each, range by range. The main thread takes the ranges in
 * ascending order; a shared phase that is long enough is shared with other threads.
 */
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

/** Returns how many elements a range of `overRange` has: range i begins at i times this number. */
export function elementsTogether(steps: number): number {
  return Math.max(1, Math.floor(STEPS_TOGETHER / steps));
}

/** Runs a unit over `count` elements in ranges of `size`. The unit counts its own steps; progress is reported after each range. */
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

/** The number of the main thread among the members of a team. */
const MAIN = 0;
/** Steps that are counted for one wait for other threads. */
const STEPS_PER_WAIT = 2_500;

function isShared({ team }: Work, steps: number): boolean {
  return team !== null && steps >= team.leastSteps;
}

/** Runs a phase with all members of the team: this thread takes ranges as the others do, then waits until all are done. */
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

/** Returns the end of the longest range from `from` on that holds at most `size` steps, but at least one node. O(log count). */
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

/** Allocates typed arrays over shared memory, and charges their bytes first. */
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
