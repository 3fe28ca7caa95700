/**
 * Label propagation (Raghavan, Albert, Kumara 2007), in the synchronous form of LDBC Graphalytics (CDLP): in each
 * iteration every node takes the label that weighed most among its neighbours after the last iteration, among equals
 * the smallest. So the result depends on nothing but the graph. O(iterations × relationships).
 */
import { boolean, integer, optional, string } from '../configuration/fields.ts';
import type { Csr } from '../graph/csr.ts';
import { type Algorithm, type NodeOutcome, nodeAlgorithm } from '../table/algorithm.ts';
import { consecutive } from '../table/distribution.ts';
import { sharedPhase } from '../threads/shared-phase.ts';
import { Arrays, memberCount, overLists, overRange, type Phase } from '../work.ts';
import { COMMUNITY, COMMUNITY_SUMMARY, inCommunities } from './communities.ts';
import { seeds } from './seeds.ts';

const FIELDS = {
  maxIterations: integer(10, { min: 1 }),
  nodeWeightProperty: optional(string(undefined)),
  seedProperty: optional(string(undefined)),
  consecutiveIds: boolean(false),
};

interface Propagation {
  readonly csr: Csr;
  readonly weights: Float64Array | null;
  readonly nodeWeights: ArrayLike<number> | null;
  readonly labels: Uint32Array;
  readonly next: Uint32Array;
  /** For each member the weight of each label among the neighbours of the present node; all 0 between nodes. */
  readonly sums: readonly Float64Array[];
  /** A flag (one element): 1 once a label has changed in this iteration. */
  readonly hasChanged: Uint8Array;
}

const propagate = sharedPhase<Propagation>('labelPropagation.propagate', (state, from, to, member) => {
  const { csr, weights, nodeWeights, labels, next } = state;
  const sums = state.sums[member]!;
  const { offsets, targets } = csr;
  for (let node = from; node < to; node++) {
    const start = offsets[node]!;
    const end = offsets[node + 1]!;
    let best = labels[node]!;
    let most = Number.NEGATIVE_INFINITY;
    for (let i = start; i < end; i++) {
      const target = targets[i]!;
      const weight = (weights === null ? 1 : weights[i]!) * (nodeWeights === null ? 1 : nodeWeights[target]!);
      sums[labels[target]!]! += weight;
    }
    for (let i = start; i < end; i++) {
      const label = labels[targets[i]!]!;
      const sum = sums[label]!;
      if (sum > most || (sum === most && label < best)) {
        most = sum;
        best = label;
      }
    }
    for (let i = start; i < end; i++) sums[labels[targets[i]!]!] = 0;
    next[node] = best;
    if (best !== labels[node]) state.hasChanged[0] = 1;
  }
});

/** As `propagate`, where all neighbours weigh the same: a label's sum only grows, so that the greatest is known with the last neighbour. */
const propagateCounts = sharedPhase<Propagation>('labelPropagation.propagateCounts', (state, from, to, member) => {
  const { csr, labels, next } = state;
  const counts = state.sums[member]!;
  const { offsets, targets } = csr;
  for (let node = from; node < to; node++) {
    const start = offsets[node]!;
    const end = offsets[node + 1]!;
    let best = labels[node]!;
    let most = 0;
    for (let i = start; i < end; i++) {
      const label = labels[targets[i]!]!;
      const count = counts[label]! + 1;
      counts[label] = count;
      if (count > most || (count === most && label < best)) {
        most = count;
        best = label;
      }
    }
    for (let i = start; i < end; i++) counts[labels[targets[i]!]!] = 0;
    next[node] = best;
    if (best !== labels[node]) state.hasChanged[0] = 1;
  }
});

const nameAll: Phase<{ readonly labels: Uint32Array; readonly names: Float64Array; readonly out: Float64Array }> = (state, from, to) => {
  const { labels, names, out } = state;
  for (let node = from; node < to; node++) out[node] = names[labels[node]!]!;
};

/** Label propagation. */
export const labelPropagation: Algorithm<typeof FIELDS, NodeOutcome> = nodeAlgorithm({
  name: 'labelPropagation',
  description: 'Communities by labels that nodes take over from most of their neighbours.',
  modes: ['stream', 'stats', 'mutate', 'write'],
  fields: FIELDS,
  weights: 'optional',
  minimumSize: 'minCommunitySize',
  needsUndirected: false,
  columns: [COMMUNITY],
  summary: [{ name: 'ranIterations', type: 'INTEGER' }, { name: 'didConverge', type: 'BOOLEAN' }, ...COMMUNITY_SUMMARY],
  bytes: ({ nodeCount, members }) => nodeCount * (44 + 8 * members),
  *run({ topology, configuration, work }) {
    const { maxIterations, nodeWeightProperty, seedProperty, consecutiveIds } = configuration;
    const { nodeCount, csr, weights } = topology;
    const arrays = new Arrays(work);
    const { labels, names } = yield* seeds(topology, seedProperty, work);
    const nodeWeights = nodeWeightProperty === null ? null : topology.numbers(nodeWeightProperty);
    const sums = Array.from({ length: memberCount(work) }, () => arrays.float64(names.length));
    const hasChanged = arrays.uint8(1).fill(1);
    let state: Propagation = { csr, weights, nodeWeights, labels, next: arrays.uint32(nodeCount), sums, hasChanged };
    const phase = weights === null && nodeWeights === null ? propagateCounts : propagate;
    let ranIterations = 0;
    while (hasChanged[0] === 1 && ranIterations < maxIterations) {
      hasChanged[0] = 0;
      yield* overLists(work, csr.offsets, phase, state);
      state = { ...state, labels: state.next, next: state.labels };
      ranIterations++;
      work.progress(ranIterations / maxIterations);
    }
    const out = arrays.float64(nodeCount);
    yield* overRange(work, nodeCount, nameAll, { labels: state.labels, names, out });
    const communities = consecutiveIds ? yield* consecutive(out, work) : out;
    return inCommunities(communities, work, { ranIterations, didConverge: hasChanged[0] === 0 });
  },
});
