/**
 * Shortest paths by weights that are not negative: Dijkstra (1959) with a heap, and A* (Hart, Nilsson, Raphael 1968)
 * with a lower bound of what is left. O((nodes + relationships) × log nodes).
 *
 * Of several shortest paths the first one found is taken: nodes are settled by distance, then by number; a node keeps
 * its predecessor unless another one is strictly nearer.
 */
import { assert } from '../../base/index.ts';
import { argumentFault } from '../../value/index.ts';
import type { Csr } from '../graph/csr.ts';
import type { Topology } from '../graph/topology.ts';
import type { FoundPath } from '../table/algorithm.ts';
import { type Arrays, overRange, type Phase, type Pieces, type Work } from '../work.ts';
import { heapArrays, NodeHeap } from './node-heap.ts';

/** Stands for the predecessor of a node that has none. */
export const NOBODY = 0xffffffff;
const STEPS_TOGETHER = 4096;
/** Steps that one neighbour counts as, with its share of the work on the heap. */
const STEPS_PER_NEIGHBOUR = 2;

/** A tree of shortest paths: the distance and the predecessor of each node. */
export interface ShortestPathTree {
  readonly distances: Float64Array;
  /** The predecessor of each node on its path; NOBODY at the source and at nodes that were not reached. */
  readonly predecessors: Uint32Array;
}

/** The state of a search for shortest paths. */
export interface Search extends ShortestPathTree {
  readonly csr: Csr;
  readonly weights: Float64Array | null;
  readonly heap: NodeHeap;
  /** Returns a lower bound of the distance from a node to the target; null: the bound is 0. */
  readonly bound: ((node: number) => number) | null;
  /** 1 at each node that the search must not enter; null: it may enter all nodes. */
  readonly isBlocked: Uint8Array | null;
  /** Nodes that the search must not enter directly from the source; null: it may enter all nodes. */
  readonly blockedFirst: ReadonlySet<number> | null;
  readonly source: number;
  /** The search ends once this node is settled; -1: it ends once all reachable nodes are. */
  readonly target: number;
  /** Nodes in the order in which they were settled; null: the order is not kept. */
  readonly settled: Uint32Array | null;
  settledCount: number;
  isOver: boolean;
}

const findNegative: Phase<{ readonly weights: Float64Array; isNegative: boolean }> = (state, from, to) => {
  const { weights } = state;
  for (let i = from; i < to; i++) if (!(weights[i]! >= 0)) state.isNegative = true;
};

/** Checks that each weight is a number and not negative. @throws ARGUMENT_ERROR */
export function* checkWeights({ weights }: Topology, work: Work): Pieces<void> {
  if (weights === null) return;
  const state = { weights, isNegative: false };
  yield* overRange(work, weights.length, findNegative, state);
  if (state.isNegative)
    throw argumentFault('shortest paths are found by weights that are numbers and not negative; some relationship has another');
}

interface SearchOptions {
  readonly target?: number;
  readonly bound?: Search['bound'];
  readonly keepsOrder?: boolean;
}

/** Begins a search from `source`. */
export function newSearch({ csr, weights, nodeCount }: Topology, source: number, options: SearchOptions, arrays: Arrays): Search {
  const state: Search = {
    csr,
    weights,
    heap: new NodeHeap(heapArrays(nodeCount, arrays)),
    bound: options.bound ?? null,
    isBlocked: null,
    blockedFirst: null,
    source,
    target: options.target ?? -1,
    distances: arrays.float64(nodeCount).fill(Number.POSITIVE_INFINITY),
    predecessors: arrays.uint32(nodeCount).fill(NOBODY),
    settled: options.keepsOrder === true ? arrays.uint32(nodeCount) : null,
    settledCount: 0,
    isOver: false,
  };
  state.distances[source] = 0;
  state.heap.set(source, 0);
  return state;
}

/** Begins the search again from another node, in the same arrays: only what it had reached is reset. It must have kept its order. */
export function newSearchIn(state: Search, source: number, blockedFirst: ReadonlySet<number>): Search {
  const { distances, predecessors, heap, settled, settledCount } = state;
  assert(settled !== null, 'a search that is made anew has kept its order');
  const forget = (node: number): void => {
    distances[node] = Number.POSITIVE_INFINITY;
    predecessors[node] = NOBODY;
  };
  for (let i = 0; i < settledCount; i++) forget(settled[i]!);
  heap.clear(forget);
  distances[source] = 0;
  heap.set(source, 0);
  return { ...state, source, blockedFirst, settledCount: 0, isOver: false };
}

/** Settles nodes, for about `STEPS_TOGETHER` neighbours. */
function settle(state: Search): void {
  const { csr, weights, heap, bound, isBlocked, blockedFirst, distances, predecessors, settled, source, target } = state;
  const { offsets, targets } = csr;
  for (let left = STEPS_TOGETHER; left > 0 && !state.isOver; ) {
    if (heap.size === 0) {
      state.isOver = true;
      return;
    }
    const node = heap.pop();
    if (settled !== null) settled[state.settledCount++] = node;
    if (node === target) {
      state.isOver = true;
      return;
    }
    const distance = distances[node]!;
    const end = offsets[node + 1]!;
    left -= 1 + end - offsets[node]!;
    for (let i = offsets[node]!; i < end; i++) {
      const next = targets[i]!;
      const total = distance + (weights === null ? 1 : weights[i]!);
      if (total >= distances[next]!) continue;
      if (isBlocked !== null && isBlocked[next] === 1) continue;
      if (blockedFirst !== null && node === source && blockedFirst.has(next)) continue;
      distances[next] = total;
      predecessors[next] = node;
      heap.set(next, bound === null ? total : total + bound(next));
    }
  }
}

/** Runs a search until it is over. */
export function* run(state: Search, work: Work): Pieces<void> {
  while (!state.isOver) {
    if (work.worked(STEPS_TOGETHER * STEPS_PER_NEIGHBOUR)) yield null;
    settle(state);
  }
}

/** Returns the path from the source of the tree to a node that was reached. */
export function pathTo({ distances, predecessors }: ShortestPathTree, node: number): FoundPath {
  const nodes: number[] = [];
  for (let at = node; at !== NOBODY; at = predecessors[at]!) nodes.push(at);
  nodes.reverse();
  return { nodes, costs: nodes.map((each) => distances[each]!) };
}
