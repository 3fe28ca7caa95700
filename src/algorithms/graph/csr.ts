/**
 * Relationships between dense nodes as compressed sparse rows: the neighbours of node v stand at `offsets[v]` to below
 * `offsets[v + 1]` of `targets`, ascending. Parallel relationships are entries of their own.
 */
import { Arrays, overRange, type Phase, type Pieces, type Work } from '../work.ts';

/** Compressed sparse rows. */
export interface Csr {
  /** Where the entries of each node begin; one element more than there are nodes. */
  readonly offsets: Uint32Array;
  /** Dense nodes; ascending within a list. */
  readonly targets: Uint32Array;
}

/** A CSR and, for each of its entries, the position among the pairs that it was built of. */
export interface BuiltCsr extends Csr {
  readonly positions: Uint32Array;
}

/** Pairs of dense nodes; both arrays have at least `count` elements. */
export interface Pairs {
  readonly nodeCount: number;
  readonly count: number;
  readonly sources: Uint32Array;
  readonly targets: Uint32Array;
}

interface Sorting {
  readonly keys: Uint32Array;
  /** The order in which keys are taken, as positions; null: ascending positions. */
  readonly order: Uint32Array | null;
  readonly next: Uint32Array;
  readonly sorted: Uint32Array;
}

const countKeys: Phase<Pick<Sorting, 'keys'> & { readonly offsets: Uint32Array }> = ({ keys, offsets }, from, to) => {
  for (let i = from; i < to; i++) offsets[keys[i]! + 1]!++;
};

const place: Phase<Sorting> = ({ keys, order, next, sorted }, from, to) => {
  for (let i = from; i < to; i++) {
    const position = order === null ? i : order[i]!;
    sorted[next[keys[position]!]!++] = position;
  }
};

/** Turns counts into offsets, in place. The count of list i stands at i + 1. */
export function* sumOffsets(offsets: Uint32Array, work: Work): Pieces<void> {
  if (work.worked(offsets.length >> 2)) yield null;
  for (let i = 1; i < offsets.length; i++) offsets[i]! += offsets[i - 1]!;
}

function* offsetsOf(keys: Uint32Array, count: number, nodeCount: number, arrays: Arrays): Pieces<Uint32Array> {
  const offsets = arrays.uint32(nodeCount + 1);
  yield* overRange(arrays.work, count, countKeys, { keys, offsets });
  yield* sumOffsets(offsets, arrays.work);
  return offsets;
}

const gather: Phase<{ readonly from: Uint32Array; readonly positions: Uint32Array; readonly to: Uint32Array }> = (state, first, end) => {
  const { from, positions, to } = state;
  for (let i = first; i < end; i++) to[i] = from[positions[i]!]!;
};

/**
 * Sorts pairs by source, then target, then position: two counting sorts. O(nodes + pairs). It needs 12 bytes per pair
 * and 8 per node beside the result.
 */
export function* buildCsr({ nodeCount, count, sources, targets }: Pairs, work: Work): Pieces<BuiltCsr> {
  const arrays = new Arrays(work);
  const targetOffsets = yield* offsetsOf(targets, count, nodeCount, arrays);
  const byTarget = arrays.uint32(count);
  yield* overRange(work, count, place, { keys: targets, order: null, next: targetOffsets, sorted: byTarget });
  const offsets = yield* offsetsOf(sources, count, nodeCount, arrays);
  const next = arrays.uint32(nodeCount + 1);
  next.set(offsets);
  const positions = arrays.uint32(count);
  yield* overRange(work, count, place, { keys: sources, order: byTarget, next, sorted: positions });
  yield* overRange(work, count, gather, { from: targets, positions, to: byTarget });
  work.release(targetOffsets.byteLength + next.byteLength);
  return { offsets, targets: byTarget, positions };
}

const spread: Phase<{ readonly offsets: Uint32Array; readonly sources: Uint32Array }> = ({ offsets, sources }, from, to) => {
  for (let node = from; node < to; node++) sources.fill(node, offsets[node]!, offsets[node + 1]!);
};

/** Returns the source of each entry. */
export function* sourcesOf({ offsets, targets }: Csr, work: Work): Pieces<Uint32Array> {
  const sources = new Arrays(work).uint32(targets.length);
  yield* overRange(work, offsets.length - 1, spread, { offsets, sources }, 4);
  return sources;
}

/** Reverses the relationships. `positions` of the result are entries of the given CSR. */
export function* transposed(csr: Csr, work: Work): Pieces<BuiltCsr> {
  const sources = yield* sourcesOf(csr, work);
  const turned = yield* buildCsr(
    { nodeCount: csr.offsets.length - 1, count: csr.targets.length, sources: csr.targets, targets: sources },
    work,
  );
  work.release(sources.byteLength);
  return turned;
}
