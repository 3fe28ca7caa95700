/**
 * Delta-stepping (Meyer and Sanders 2003): nodes wait in buckets of distances, `delta` wide; a bucket is emptied, nodes
 * that come back into it are taken again, and only then the next one begins. Distances are those of Dijkstra; a node
 * keeps its predecessor unless another one is strictly nearer.
 *
 * The nodes of a bucket are taken in the order in which they came, each once for all that has reached it before. So a
 * bucket costs O(nodes × relationships) at most, however wide it is; finding the next one costs O(log buckets).
 *
 * A node that has come nearer stays behind in the bucket that it has left. Once there are more such entries than nodes,
 * all are removed, so that the memory is bounded by the nodes.
 */
import type { Topology } from '../graph/topology.ts';
import { Arrays, type Pieces, type Work } from '../work.ts';
import { NOBODY, type ShortestPathTree } from './dijkstra.ts';
import { NumberHeap } from './number-heap.ts';

const STEPS_TOGETHER = 8192;
/** Bytes of a waiting node. */
const BYTES_PER_WAITING = 16;
/** Bytes of a bucket beside its nodes: its array, its entry in the map, and its place in the heap. */
const BYTES_PER_BUCKET = 112;
/** The highest bucket: all farther nodes wait in it, as numbers beyond it would lose digits where `delta` is tiny. */
const MOST_BUCKETS = 2 ** 40;

/** The bytes that a search takes for each node of the graph while none waits. */
export const LEAST_BYTES_PER_NODE = 13;

/** The bytes that a search takes for each node of the graph if each waits in a bucket of its own. */
export const BYTES_PER_NODE = LEAST_BYTES_PER_NODE + BYTES_PER_WAITING + BYTES_PER_BUCKET;

interface Stepping extends ShortestPathTree {
  readonly topology: Topology;
  readonly delta: number;
  readonly buckets: Map<number, number[]>;
  /** The numbers of the buckets that are still to be emptied. */
  readonly next: NumberHeap;
  /** 1 for each node that waits in the bucket of its present distance. */
  readonly isWaiting: Uint8Array;
  /** The number of the bucket that is being emptied; its nodes before `head` were taken. */
  current: number;
  bucket: readonly number[];
  head: number;
  /** The nodes in all buckets, with those that have been taken from the current one or have left for a nearer one. */
  entries: number;
  /** The number of entries above which those that do not wait any more are removed. */
  readonly most: number;
  /** Bytes taken, less those given back, since they were charged last. */
  bytes: number;
}

const bucketOf = (distance: number, delta: number): number => Math.min(MOST_BUCKETS, Math.floor(distance / delta));

/** Puts a node into a bucket, which is made if there is none. */
function wait(state: Stepping, node: number, number: number): void {
  const { buckets, next, isWaiting } = state;
  isWaiting[node] = 1;
  state.bytes += BYTES_PER_WAITING;
  const bucket = buckets.get(number);
  if (bucket !== undefined) bucket.push(node);
  else {
    buckets.set(number, [node]);
    next.add(number);
    state.bytes += BYTES_PER_BUCKET;
  }
  if (++state.entries > state.most) removeTaken(state);
}

/** Removes the entries of nodes that do not wait in their bucket any more; the others keep their order. O(entries). */
function removeTaken(state: Stepping): void {
  const { buckets, next, current, delta, distances, isWaiting } = state;
  const before = state.entries;
  const bucketsBefore = buckets.size;
  state.entries = 0;
  next.clear();
  for (const [number, bucket] of buckets) {
    const isCurrent = number === current;
    const from = isCurrent ? state.head : 0;
    const left = bucket.filter((node, i) => i >= from && isWaiting[node] === 1 && bucketOf(distances[node]!, delta) === number);
    state.entries += left.length;
    if (isCurrent) {
      state.bucket = left;
      state.head = 0;
    } else if (left.length > 0) next.add(number);
    if (isCurrent || left.length > 0) buckets.set(number, left);
    else buckets.delete(number);
  }
  state.bytes -= BYTES_PER_WAITING * (before - state.entries) + BYTES_PER_BUCKET * (bucketsBefore - buckets.size);
}

/** As many as may wait at once, and some more, so that entries are not removed at every step. */
const mostEntries = (nodeCount: number): number => nodeCount + (nodeCount >> 3) + 16;

/** Drops the bucket that was emptied, and begins with the next one. Returns false if there is none. */
function nextBucket(state: Stepping): boolean {
  const { buckets, next, current, bucket } = state;
  if (buckets.delete(current)) {
    state.bytes -= BYTES_PER_BUCKET + BYTES_PER_WAITING * bucket.length;
    state.entries -= bucket.length;
  }
  if (next.size === 0) return false;
  state.current = next.take();
  state.bucket = buckets.get(state.current)!; // Each number in the heap has a bucket.
  state.head = 0;
  return true;
}

/** Continues for about `STEPS_TOGETHER` neighbours and buckets. Returns false once all buckets are empty. */
function drain(state: Stepping): boolean {
  const { delta, distances, isWaiting } = state;
  for (let left = STEPS_TOGETHER; left > 0; left--) {
    if (state.head === state.bucket.length) {
      if (!nextBucket(state)) return false;
      continue;
    }
    const node = state.bucket[state.head++]!;
    if (isWaiting[node] === 0 || bucketOf(distances[node]!, delta) < state.current) continue;
    isWaiting[node] = 0;
    left -= relax(state, node);
  }
  return true;
}

/** Offers the paths through a node to its neighbours. Returns how many it has. */
function relax(state: Stepping, node: number): number {
  const { topology, delta, distances, predecessors, isWaiting } = state;
  const { csr, weights } = topology;
  const { offsets, targets } = csr;
  const start = offsets[node]!;
  const end = offsets[node + 1]!;
  const distance = distances[node]!;
  for (let i = start; i < end; i++) {
    const next = targets[i]!;
    const total = distance + (weights === null ? 1 : weights[i]!);
    const before = distances[next]!;
    if (total >= before) continue;
    distances[next] = total;
    predecessors[next] = node;
    const number = bucketOf(total, delta);
    if (isWaiting[next] === 0 || bucketOf(before, delta) !== number) wait(state, next, number);
  }
  return end - start;
}

/** Finds shortest paths from one node by delta-stepping. */
export function* deltaStepping(topology: Topology, source: number, delta: number, work: Work): Pieces<ShortestPathTree> {
  const arrays = new Arrays(work);
  const state: Stepping = {
    topology,
    delta,
    buckets: new Map(),
    next: new NumberHeap(),
    distances: arrays.float64(topology.nodeCount).fill(Number.POSITIVE_INFINITY),
    predecessors: arrays.uint32(topology.nodeCount).fill(NOBODY),
    isWaiting: arrays.uint8(topology.nodeCount),
    current: -1,
    bucket: [],
    head: 0,
    entries: 0,
    most: mostEntries(topology.nodeCount),
    bytes: 0,
  };
  state.distances[source] = 0;
  wait(state, source, 0);
  for (let isOver = false; !isOver; ) {
    if (work.worked(2 * STEPS_TOGETHER)) yield null;
    isOver = !drain(state);
    if (state.bytes >= 0) work.charge(state.bytes);
    else work.release(-state.bytes);
    state.bytes = 0;
  }
  return state;
}
