/**
 * Minimum or maximum spanning tree of the component of a node (Prim 1957) with a heap. O(relationships × log nodes). Of
 * equal weights the smaller node joins first.
 */
import { makeFloat } from '../../value/index.ts';
import { node, oneOf } from '../configuration/fields.ts';
import { sourceIn } from '../graph/sources.ts';
import { type Algorithm, type PairOutcome, pairAlgorithm } from '../table/algorithm.ts';
import { Arrays } from '../work.ts';
import { NOBODY } from './dijkstra.ts';
import { heapArrays, NodeHeap } from './node-heap.ts';

const FIELDS = { sourceNode: node(), objective: oneOf(['MINIMUM', 'MAXIMUM'], 'MINIMUM') };
const STEPS_TOGETHER = 4096;

interface Growing {
  readonly offsets: Uint32Array;
  readonly targets: Uint32Array;
  readonly weights: Float64Array | null;
  /** 1 for the minimum spanning tree, -1 for the maximum. */
  readonly sign: 1 | -1;
  readonly heap: NodeHeap;
  readonly parents: Uint32Array;
  readonly costs: Float64Array;
  /** 1 at each node that is in the tree. */
  readonly isIn: Uint8Array;
  readonly order: Uint32Array;
  count: number;
}

function grow(state: Growing): void {
  const { offsets, targets, weights, sign, heap, parents, costs, isIn, order } = state;
  for (let left = STEPS_TOGETHER; left > 0 && heap.size > 0; ) {
    const joined = heap.pop();
    isIn[joined] = 1;
    order[state.count++] = joined;
    const end = offsets[joined + 1]!;
    left -= 1 + end - offsets[joined]!;
    for (let i = offsets[joined]!; i < end; i++) {
      const next = targets[i]!;
      const weight = sign * (weights === null ? 1 : weights[i]!);
      if (isIn[next] === 1 || !(weight < costs[next]!)) continue;
      costs[next] = weight;
      parents[next] = joined;
      heap.set(next, weight);
    }
  }
}

/** A minimum or maximum spanning tree. */
export const spanningTree: Algorithm<typeof FIELDS, PairOutcome> = pairAlgorithm({
  name: 'spanningTree',
  description: 'The lightest, or heaviest, tree that joins all nodes that can be reached from a node.',
  modes: ['stream', 'stats', 'mutate', 'write'],
  fields: FIELDS,
  weights: 'optional',
  needsUndirected: true,
  columns: [
    { name: 'nodeId', type: 'INTEGER' },
    { name: 'parentId', type: 'INTEGER' },
    { name: 'weight', type: 'FLOAT' },
  ],
  summary: [
    { name: 'effectiveNodeCount', type: 'INTEGER' },
    { name: 'totalWeight', type: 'FLOAT' },
  ],
  bytes: ({ nodeCount }) => nodeCount * 49,
  leastBytes: ({ nodeCount }) => nodeCount * 33,
  *run({ topology, configuration: { sourceNode, objective }, work }) {
    const { csr, weights, nodeCount } = topology;
    const source = sourceIn(topology, 'sourceNode', sourceNode);
    const arrays = new Arrays(work);
    const sign = objective === 'MINIMUM' ? 1 : -1;
    const state: Growing = {
      ...csr,
      weights,
      sign,
      heap: new NodeHeap(heapArrays(nodeCount, arrays)),
      parents: arrays.uint32(nodeCount).fill(NOBODY),
      costs: arrays.float64(nodeCount).fill(Number.POSITIVE_INFINITY),
      isIn: arrays.uint8(nodeCount),
      order: arrays.uint32(nodeCount),
      count: 0,
    };
    state.heap.set(source, 0);
    while (state.heap.size > 0) {
      if (work.worked(2 * STEPS_TOGETHER)) yield null;
      grow(state);
    }
    state.parents[source] = source;
    state.costs[source] = 0;
    let totalWeight = 0;
    const sources = state.order.slice(0, state.count);
    const parents = sources.map((each) => state.parents[each]!);
    const treeWeights = Float64Array.from(sources, (each) => sign * state.costs[each]! + 0);
    for (const weight of treeWeights) totalWeight += weight;
    return {
      kind: 'pairs',
      sources,
      targets: parents,
      weights: treeWeights,
      isTree: true,
      summary: { effectiveNodeCount: state.count, totalWeight: makeFloat(totalWeight) },
    };
  },
});
