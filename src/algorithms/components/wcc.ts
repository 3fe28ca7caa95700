/**
 * Weakly connected components by union-find with links to the smaller node and path halving. O(relationships × α(nodes)).
 *
 * A component is named by its smallest node, so the names do not depend on the order of the relationships; with a seed
 * by the smallest seed in it, nodes without one getting new numbers behind the largest.
 */

import { argumentFault } from '../../value/index.ts';
import { seedsOf } from '../community/seeds.ts';
import { boolean, float, optional, string } from '../configuration/fields.ts';
import type { Csr } from '../graph/csr.ts';
import { numbers } from '../graph/node-property.ts';
import type { Topology } from '../graph/topology.ts';
import { type Algorithm, type NodeOutcome, nodeAlgorithm } from '../table/algorithm.ts';
import { communitySummary, consecutive } from '../table/distribution.ts';
import { sharedPhase } from '../threads/shared-phase.ts';
import { Arrays, overLists, overRange, type Pieces, type Work } from '../work.ts';

const FIELDS = { threshold: float(0), seedProperty: optional(string(undefined)), consecutiveIds: boolean(false) };

interface Forest {
  readonly csr: Csr;
  readonly weights: Float64Array | null;
  readonly threshold: number;
  readonly parents: Uint32Array;
}

const begin = sharedPhase<Pick<Forest, 'parents'>>('wcc.begin', ({ parents }, from, to) => {
  for (let node = from; node < to; node++) parents[node] = node;
});

/** Returns the root of a node's tree, and halves the path to it. What is right already is not written: other threads read it. */
function rootOf(parents: Uint32Array, node: number): number {
  let at = node;
  for (;;) {
    const parent = parents[at]!;
    const above = parents[parent]!;
    if (above === parent) return parent;
    parents[at] = above;
    at = above;
  }
}

/**
 * Joins the trees of the two nodes of each relationship. Each parent is smaller than its child, so that the root of a
 * tree is its smallest node. Threads share the forest: a root becomes a child by one atomic exchange, and path halving
 * only changes nodes that are no longer roots, and only to ancestors of theirs.
 */
const unite = sharedPhase<Forest>('wcc.unite', ({ csr, weights, threshold, parents }, from, to) => {
  const { offsets, targets } = csr;
  for (let node = from; node < to; node++) {
    const end = offsets[node + 1]!;
    let root = rootOf(parents, node);
    for (let i = offsets[node]!; i < end; i++) {
      if (weights !== null && !(weights[i]! > threshold)) continue;
      let other = targets[i]!;
      if (parents[other] === root) continue;
      for (;;) {
        other = rootOf(parents, other);
        root = rootOf(parents, root);
        if (other === root) break;
        const child = Math.max(root, other);
        if (Atomics.compareExchange(parents, child, child, Math.min(root, other)) === child) break;
      }
      if (other < root) root = other;
    }
  }
});

/** Makes each node a child of its root. Threads do so at the same time, so a parent may already have been replaced by its root. */
const flatten = sharedPhase<Pick<Forest, 'parents'>>('wcc.flatten', ({ parents }, from, to) => {
  for (let node = from; node < to; node++) {
    let root = node;
    while (parents[root] !== root) root = parents[root]!;
    parents[node] = root;
  }
});

/** Finds a tree for each component, whose root is its smallest node. */
function* trees(topology: Topology, threshold: number, work: Work): Pieces<Uint32Array> {
  const { csr, weights, nodeCount } = topology;
  const parents = new Arrays(work).uint32(nodeCount);
  yield* overRange(work, nodeCount, begin, { parents });
  yield* overLists(work, csr.offsets, unite, { csr, weights, threshold, parents });
  return parents;
}

/** Finds the smallest node of each node's component. @param threshold relationships count only if their weight is above it */
export function* componentRoots(topology: Topology, threshold: number, work: Work): Pieces<Uint32Array> {
  const parents = yield* trees(topology, threshold, work);
  yield* overRange(work, parents.length, flatten, { parents }, 2);
  return parents;
}

/** Names each node by its root. */
const name = sharedPhase<{ readonly parents: Uint32Array; readonly names: Float64Array }>('wcc.name', ({ parents, names }, from, to) => {
  for (let node = from; node < to; node++) {
    let root = node;
    while (parents[root] !== root) root = parents[root]!;
    names[node] = root;
  }
});

/** Finds the smallest seed of each node's component. */
function* seededNames(topology: Topology, parents: Uint32Array, seedProperty: string, work: Work): Pieces<Float64Array> {
  const seeds = seedsOf(topology, seedProperty);
  const names = new Arrays(work).float64(parents.length).fill(Number.POSITIVE_INFINITY);
  let next = 0;
  if (work.worked(parents.length * 3)) yield null;
  for (let node = 0; node < seeds.length; node++) if (seeds[node]! >= next) next = seeds[node]! + 1;
  for (let node = 0; node < parents.length; node++) {
    const root = parents[node]!;
    const seed = seeds[node]!;
    if (seed >= 0 && seed < names[root]!) names[root] = seed;
  }
  for (let node = 0; node < parents.length; node++) {
    if (parents[node] !== node) names[node] = names[parents[node]!]!;
    else if (names[node] === Number.POSITIVE_INFINITY) names[node] = next++;
  }
  return names;
}

/** Weakly connected components. */
export const wcc: Algorithm<typeof FIELDS, NodeOutcome> = nodeAlgorithm({
  name: 'wcc',
  description: 'Sets of nodes that are connected, whatever the direction of relationships.',
  modes: ['stream', 'stats', 'mutate', 'write'],
  fields: FIELDS,
  weights: 'optional',
  minimumSize: 'minComponentSize',
  needsUndirected: false,
  columns: [{ name: 'componentId', type: 'INTEGER' }],
  summary: [
    { name: 'componentCount', type: 'INTEGER' },
    { name: 'componentDistribution', type: 'MAP' },
  ],
  bytes: ({ nodeCount }) => nodeCount * 28,
  *run({ topology, configuration: { threshold, seedProperty, consecutiveIds }, work }) {
    if (consecutiveIds && seedProperty !== null)
      throw argumentFault('Seeding and the `consecutiveIds` option cannot be used at the same time.');
    let names: Float64Array;
    if (seedProperty !== null) names = yield* seededNames(topology, yield* componentRoots(topology, threshold, work), seedProperty, work);
    else {
      const parents = yield* trees(topology, threshold, work);
      names = new Arrays(work).float64(parents.length);
      yield* overRange(work, parents.length, name, { parents, names }, 2);
    }
    if (consecutiveIds) names = yield* consecutive(names, work);
    return {
      kind: 'nodes',
      properties: { '': numbers('integer', names) },
      communities: names,
      row: (node, id) => [id, names[node]!],
      summary: communitySummary(names, work, { count: 'componentCount', distribution: 'componentDistribution' }),
    };
  },
});
