/**
 * Delta-stepping (Meyer and Sanders 2003): nodes wait in buckets of distances, `delta` wide; a bucket is emptied, nodes
 * that come back into it are taken again, and only then the next one begins. Distances are those of Dijkstra; a node
 * keeps its predecessor unless another one is strictly nearer.
 */
import type { Topology } from '../graph/topology.ts';
import { Arrays, type Pieces, type Work } from '../work.ts';
import { NOBODY, type ShortestPathTree } from './dijkstra.ts';

const STEPS_TOGETHER = 8192;
const BYTES_PER_WAITING = 16;
/** The highest bucket: all farther nodes wait in it, as numbers beyond it would lose digits where `delta` is tiny. */
const MOST_BUCKETS = 2 ** 40;

interface Stepping extends ShortestPathTree {
  readonly topology: Topology;
  readonly delta: number;
  readonly buckets: Map<number, number[]>;
  /** The number of the bucket that is being emptied. */
  current: number;
  relaxed: number;
}

/** Takes nodes from the current bucket, for about `STEPS_TOGETHER` neighbours. True once the bucket is empty. */
function drain(state: Stepping): boolean {
  const { topology, delta, buckets, distances, predecessors, current } = state;
  const { csr, weights } = topology;
  const { offsets, targets } = csr;
  const bucket = buckets.get(current)!;
  let left = STEPS_TOGETHER;
  while (bucket.length > 0 && left > 0) {
    const node = bucket.pop()!;
    const distance = distances[node]!;
    left--;
    if (bucketOf(distance, delta) < current) continue;
    const end = offsets[node + 1]!;
    left -= end - offsets[node]!;
    for (let i = offsets[node]!; i < end; i++) {
      const next = targets[i]!;
      const total = distance + (weights === null ? 1 : weights[i]!);
      if (total >= distances[next]!) continue;
      distances[next] = total;
      predecessors[next] = node;
      const into = bucketOf(total, delta);
      const waiting = buckets.get(into);
      if (waiting === undefined) buckets.set(into, [next]);
      else waiting.push(next);
      state.relaxed++;
    }
  }
  return bucket.length === 0;
}

const bucketOf = (distance: number, delta: number): number => Math.min(MOST_BUCKETS, Math.floor(distance / delta));

/** Finds shortest paths from one node by delta-stepping. */
export function* deltaStepping(topology: Topology, source: number, delta: number, work: Work): Pieces<ShortestPathTree> {
  const arrays = new Arrays(work);
  const distances = arrays.float64(topology.nodeCount).fill(Number.POSITIVE_INFINITY);
  const predecessors = arrays.uint32(topology.nodeCount).fill(NOBODY);
  distances[source] = 0;
  const state: Stepping = { topology, delta, buckets: new Map([[0, [source]]]), distances, predecessors, current: 0, relaxed: 0 };
  while (state.buckets.size > 0) {
    state.current = Math.min(...state.buckets.keys());
    for (let isEmpty = false; !isEmpty; ) {
      if (work.worked(2 * STEPS_TOGETHER)) yield null;
      const before = state.relaxed;
      isEmpty = drain(state);
      work.charge((state.relaxed - before) * BYTES_PER_WAITING);
    }
    state.buckets.delete(state.current);
  }
  return state;
}
