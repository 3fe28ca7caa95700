/**
 * Breadth-first and depth-first search from one node. O(nodes + relationships).
 *
 * The order of visits is fixed: breadth first, in ascending order of neighbours; or depth first in preorder, the
 * largest neighbour first. A search ends with the first target that it visits.
 */

import { integer, node, nodes, optional } from '../configuration/fields.ts';
import type { Csr } from '../graph/csr.ts';
import { sourceIn, sourcesIn } from '../graph/sources.ts';
import type { Topology } from '../graph/topology.ts';
import { type Algorithm, type Column, type PathOutcome, pathAlgorithm } from '../table/algorithm.ts';
import { Arrays, type Pieces, type Work } from '../work.ts';

const FIELDS = {
  sourceNode: node(),
  targetNodes: optional(nodes(undefined)),
  maxDepth: integer(-1, { min: -1 }),
};

const COLUMNS: readonly Column[] = [
  { name: 'sourceNode', type: 'INTEGER' },
  { name: 'nodeIds', type: 'LIST<INTEGER>' },
  { name: 'path', type: 'PATH' },
];

const STEPS_TOGETHER = 16_384;

interface Search {
  readonly csr: Csr;
  readonly maxDepth: number;
  /** 1 for each node that is a target; null: there are no targets. */
  readonly isTarget: Uint8Array | null;
  /** For each node its depth plus 1; 0: it was not reached. */
  readonly reached: Uint32Array;
  /** Nodes in the order of their visits. */
  readonly order: Uint32Array;
  visited: number;
  isOver: boolean;
}

interface BreadthFirst extends Search {
  head: number;
}

/** Continues the breadth-first search, for about `STEPS_TOGETHER` neighbours. */
function widen(state: BreadthFirst): void {
  const { csr, order, reached, isTarget, maxDepth } = state;
  const { offsets, targets } = csr;
  let { head, visited } = state;
  let left = STEPS_TOGETHER;
  while (head < visited && left > 0) {
    const node = order[head++]!;
    const depth = reached[node]!;
    if (depth > maxDepth) continue;
    const end = offsets[node + 1]!;
    left -= end - offsets[node]! + 1;
    for (let i = offsets[node]!; i < end; i++) {
      const next = targets[i]!;
      if (reached[next] !== 0) continue;
      reached[next] = depth + 1;
      order[visited++] = next;
      if (isTarget === null || isTarget[next] === 0) continue;
      state.isOver = true;
      state.visited = visited;
      return;
    }
  }
  Object.assign(state, { head, visited });
}

interface DepthFirst extends Search {
  /** The path from the source to the present node; `entries` has for each node on it the end of the list entries still to read. */
  readonly stack: Uint32Array;
  readonly entries: Uint32Array;
  height: number;
}

function deepen(state: DepthFirst): void {
  const { csr, order, reached, isTarget, maxDepth, stack, entries } = state;
  const { offsets, targets } = csr;
  let { height, visited } = state;
  for (let left = STEPS_TOGETHER; height > 0 && left > 0; left--) {
    const node = stack[height - 1]!;
    const entry = entries[height - 1]!;
    if (entry < offsets[node]! + 1 || height > maxDepth) {
      height--;
      continue;
    }
    entries[height - 1] = entry - 1;
    const next = targets[entry - 1]!;
    if (reached[next] !== 0) continue;
    reached[next] = height + 1;
    order[visited++] = next;
    stack[height] = next;
    entries[height++] = offsets[next + 1]!;
    if (isTarget?.[next] === 1) {
      state.isOver = true;
      break;
    }
  }
  Object.assign(state, { height, visited });
}

interface Start {
  readonly source: number;
  readonly search: Search;
}

function begin(
  topology: Topology,
  configuration: { sourceNode: number; targetNodes: readonly number[] | null; maxDepth: number },
  arrays: Arrays,
): Start {
  const { nodeCount, csr } = topology;
  const source = sourceIn(topology, 'sourceNode', configuration.sourceNode);
  const targets = sourcesIn(topology, 'targetNodes', configuration.targetNodes ?? []);
  const isTarget = targets.length === 0 ? null : arrays.uint8(nodeCount);
  for (const target of targets) isTarget![target] = 1; // There are targets.
  const reached = arrays.uint32(nodeCount);
  const order = arrays.uint32(nodeCount);
  reached[source] = 1;
  order[0] = source;
  const maxDepth = configuration.maxDepth < 0 ? Number.POSITIVE_INFINITY : configuration.maxDepth;
  return { source, search: { csr, maxDepth, isTarget, reached, order, visited: 1, isOver: isTarget?.[source] === 1 } };
}

function outcome({ order, visited }: Search, work: Work): PathOutcome {
  return {
    kind: 'paths',
    isStepwise: true,
    *paths() {
      work.charge(visited * 16);
      if (work.worked(visited)) yield null;
      yield { nodes: Array.from(order.subarray(0, visited)), costs: [] };
    },
    summary: {},
  };
}

function* runBreadthFirst(state: BreadthFirst, work: Work): Pieces<void> {
  while (!state.isOver && state.head < state.visited) {
    if (work.worked(STEPS_TOGETHER)) yield null;
    widen(state);
  }
}

/** Breadth-first search. */
export const bfs: Algorithm<typeof FIELDS, PathOutcome> = pathAlgorithm({
  name: 'bfs',
  description: 'Nodes in the order of a breadth-first search.',
  modes: ['stream', 'stats', 'mutate'],
  fields: FIELDS,
  weights: 'none',
  needsUndirected: false,
  columns: COLUMNS,
  summary: [],
  bytes: ({ nodeCount }) => nodeCount * 25,
  leastBytes: ({ nodeCount }) => nodeCount * 8,
  *run({ topology, configuration, work }) {
    const { search } = begin(topology, configuration, new Arrays(work));
    const state: BreadthFirst = { ...search, head: 0 };
    yield* runBreadthFirst(state, work);
    return outcome(state, work);
  },
});

/** Depth-first search. */
export const dfs: Algorithm<typeof FIELDS, PathOutcome> = pathAlgorithm({
  ...bfs,
  name: 'dfs',
  description: 'Nodes in the order of a depth-first search.',
  bytes: ({ nodeCount }) => nodeCount * 33,
  leastBytes: ({ nodeCount }) => nodeCount * 16,
  *run({ topology, configuration, work }) {
    const arrays = new Arrays(work);
    const { source, search } = begin(topology, configuration, arrays);
    const stack = arrays.uint32(topology.nodeCount);
    const entries = arrays.uint32(topology.nodeCount);
    stack[0] = source;
    entries[0] = topology.csr.offsets[source + 1]!;
    const state: DepthFirst = { ...search, stack, entries, height: 1 };
    while (!state.isOver && state.height > 0) {
      if (work.worked(STEPS_TOGETHER)) yield null;
      deepen(state);
    }
    return outcome(state, work);
  },
});
