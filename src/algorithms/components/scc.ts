/**
 * Strongly connected components (Tarjan 1972, Pearce 2005), without recursion. O(nodes + relationships). A component is
 * named by its smallest node.
 */
import { boolean } from '../configuration/fields.ts';
import type { Csr } from '../graph/csr.ts';
import { numbers } from '../graph/node-property.ts';
import { type Algorithm, type NodeOutcome, nodeAlgorithm } from '../table/algorithm.ts';
import { communitySummary, consecutive } from '../table/distribution.ts';
import { Arrays, overRange, type Phase } from '../work.ts';

const FIELDS = { consecutiveIds: boolean(false) };
const NOBODY = 0xffffffff;
const STEPS_TOGETHER = 16_384;

interface Descent {
  readonly csr: Csr;
  /**
   * The state of each node: 0 before it is visited; its number among the visited ones while it is open; NOBODY once its
   * component is known.
   */
  readonly indexes: Uint32Array;
  /** For each node the least number that the search has reached from it. */
  readonly lows: Uint32Array;
  /** The path of the search from its start to the present node; `entries` has for each node on it the list entry to read next. */
  readonly stack: Uint32Array;
  readonly entries: Uint32Array;
  /** The visited nodes whose component is not complete. */
  readonly open: Uint32Array;
  /** For each node a node that stands for its component. */
  readonly roots: Uint32Array;
  height: number;
  openCount: number;
  visited: number;
  next: number;
}

function enter(state: Descent, node: number): void {
  state.visited++;
  state.indexes[node] = state.visited;
  state.lows[node] = state.visited;
  state.stack[state.height] = node;
  state.entries[state.height++] = state.csr.offsets[node]!;
  state.open[state.openCount++] = node;
}

/** Continues the search for about `STEPS_TOGETHER` list entries. */
function descend(state: Descent): void {
  const { csr, indexes, lows, stack, entries, open, roots } = state;
  const { offsets, targets } = csr;
  for (let left = STEPS_TOGETHER; left > 0; left--) {
    if (state.height === 0) {
      while (state.next < roots.length && indexes[state.next] !== 0) state.next++;
      if (state.next === roots.length) return;
      enter(state, state.next);
    }
    const node = stack[state.height - 1]!;
    const entry = entries[state.height - 1]!;
    if (entry < offsets[node + 1]!) {
      entries[state.height - 1] = entry + 1;
      const target = targets[entry]!;
      const index = indexes[target]!;
      if (index === 0) enter(state, target);
      else if (index !== NOBODY && index < lows[node]!) lows[node] = index;
      continue;
    }
    state.height--;
    if (state.height > 0) {
      const above = stack[state.height - 1]!;
      if (lows[node]! < lows[above]!) lows[above] = lows[node]!;
    }
    if (lows[node] !== indexes[node]) continue;
    for (;;) {
      const member = open[--state.openCount]!;
      roots[member] = node;
      indexes[member] = NOBODY;
      if (member === node) break;
    }
  }
}

interface Naming {
  readonly roots: Uint32Array;
  /** The smallest node of each component, indexed by the node that stands for it. */
  readonly least: Uint32Array;
  readonly names: Float64Array;
}

const findLeast: Phase<Naming> = ({ roots, least }, from, to) => {
  for (let node = from; node < to; node++) if (node < least[roots[node]!]!) least[roots[node]!] = node;
};

const nameNodes: Phase<Naming> = ({ roots, least, names }, from, to) => {
  for (let node = from; node < to; node++) names[node] = least[roots[node]!]!;
};

/** Strongly connected components. */
export const scc: Algorithm<typeof FIELDS, NodeOutcome> = nodeAlgorithm({
  name: 'scc',
  description: 'Sets of nodes each of which can be reached from each other one along the direction of relationships.',
  modes: ['stream', 'stats', 'mutate', 'write'],
  fields: FIELDS,
  weights: 'none',
  needsUndirected: false,
  columns: [{ name: 'componentId', type: 'INTEGER' }],
  summary: [
    { name: 'componentCount', type: 'INTEGER' },
    { name: 'componentDistribution', type: 'MAP' },
  ],
  bytes: ({ nodeCount }) => nodeCount * 48,
  *run({ topology, configuration: { consecutiveIds }, work }) {
    const { nodeCount, csr } = topology;
    const arrays = new Arrays(work);
    const array = (): Uint32Array => arrays.uint32(nodeCount);
    const state: Descent = {
      csr,
      indexes: array(),
      lows: array(),
      stack: array(),
      entries: array(),
      open: array(),
      roots: array(),
      height: 0,
      openCount: 0,
      visited: 0,
      next: 0,
    };
    while (state.next < nodeCount) {
      if (work.worked(STEPS_TOGETHER)) yield null;
      descend(state);
      work.progress(state.visited / nodeCount);
    }
    const naming: Naming = { roots: state.roots, least: state.lows.fill(NOBODY), names: arrays.float64(nodeCount) };
    yield* overRange(work, nodeCount, findLeast, naming);
    yield* overRange(work, nodeCount, nameNodes, naming);
    const names = consecutiveIds ? yield* consecutive(naming.names, work) : naming.names;
    return {
      kind: 'nodes',
      properties: { '': numbers('integer', names) },
      communities: names,
      row: (node, id) => [id, names[node]!],
      summary: communitySummary(names, work, { count: 'componentCount', distribution: 'componentDistribution' }),
    };
  },
});
