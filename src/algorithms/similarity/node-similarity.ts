/**
 * Node similarity: how much of what two nodes lead to is common (Jaccard 1912; overlap; cosine). Each node counts common targets by going there and back, so that only pairs with something in common are looked
 * at. O(sum over targets of the squares of their incoming relationships). Parallel relationships count once; without weights each target weighs 1.
 */

import { argumentFault } from '../../value/index.ts';
import { float, integer, nodeFilter, oneOf } from '../configuration/fields.ts';
import type { Csr } from '../graph/csr.ts';
import type { Topology } from '../graph/topology.ts';
import { type Algorithm, type PairOutcome, pairAlgorithm } from '../table/algorithm.ts';
import { scoreDistribution } from '../table/distribution.ts';
import { Arrays, overLists, type Phase, type Pieces, type Work } from '../work.ts';
import { filterOf, type NodeFilter } from './node-filter.ts';
import { Pairs, SIMILARITY_SUMMARY } from './pairs.ts';

const FIELDS = {
  similarityCutoff: float(1e-42, { min: 0, max: 1 }),
  degreeCutoff: integer(1, { min: 1 }),
  upperDegreeCutoff: integer(2 ** 31 - 1, { min: 1 }),
  topK: integer(10, { min: 1 }),
  bottomK: integer(0, { min: 0 }),
  topN: integer(0, { min: 0 }),
  bottomN: integer(0, { min: 0 }),
  similarityMetric: oneOf(['JACCARD', 'OVERLAP', 'COSINE'], 'JACCARD'),
};
const FILTERED = { ...FIELDS, sourceNodeFilter: nodeFilter(), targetNodeFilter: nodeFilter() };

interface Rules {
  readonly similarityCutoff: number;
  readonly degreeCutoff: number;
  readonly upperDegreeCutoff: number;
  readonly topK: number;
  readonly bottomK: number;
  readonly topN: number;
  readonly bottomN: number;
  readonly similarityMetric: 'JACCARD' | 'OVERLAP' | 'COSINE';
}

interface Comparing {
  readonly csr: Csr;
  readonly weights: Float64Array | null;
  readonly inverse: Csr;
  readonly inverseWeights: Float64Array | null;
  /** By node: targets, each once; what their weights, or squares of weights, add up to. */
  readonly degrees: Uint32Array;
  readonly sizes: Float64Array;
  readonly rules: Rules;
  readonly isSource: NodeFilter;
  readonly isTarget: NodeFilter;
  /** By node: what it has in common with the present node; nodes for which that is not 0. */
  readonly common: Float64Array;
  readonly touched: Uint32Array;
  readonly isTouched: Uint8Array;
  readonly pairs: Pairs;
  compared: number;
}

const measure: Phase<Pick<Comparing, 'csr' | 'weights' | 'degrees' | 'sizes' | 'rules'>> = (
  { csr, weights, degrees, sizes, rules },
  from,
  to,
) => {
  const { offsets, targets } = csr;
  for (let node = from; node < to; node++) {
    let size = 0;
    for (let i = offsets[node]!; i < offsets[node + 1]!; i++) {
      if (i > offsets[node]! && targets[i] === targets[i - 1]) continue;
      degrees[node]!++;
      const weight = weights === null ? 1 : weights[i]!;
      size += rules.similarityMetric === 'COSINE' ? weight * weight : weight;
    }
    sizes[node] = size;
  }
};

const isCompared = ({ degrees, rules }: Comparing, node: number): boolean =>
  degrees[node]! >= rules.degreeCutoff && degrees[node]! <= rules.upperDegreeCutoff;

/** Work that a node takes: it goes to its targets, and back from each. */
function stepsOf({ csr, inverse }: Comparing, node: number): number {
  let steps = 1;
  for (let i = csr.offsets[node]!; i < csr.offsets[node + 1]!; i++) {
    const target = csr.targets[i]!;
    steps += inverse.offsets[target + 1]! - inverse.offsets[target]! + 1;
  }
  return steps;
}

/** What is common of two weights: the smaller one, or their product. */
function addCommon(state: Comparing, node: number): number {
  const { csr, weights, inverse, inverseWeights, rules, common, touched, isTouched } = state;
  const isCosine = rules.similarityMetric === 'COSINE';
  let count = 0;
  for (let i = csr.offsets[node]!; i < csr.offsets[node + 1]!; i++) {
    const target = csr.targets[i]!;
    if (i > csr.offsets[node]! && target === csr.targets[i - 1]) continue;
    let last = -1;
    for (let j = inverse.offsets[target]!; j < inverse.offsets[target + 1]!; j++) {
      const other = inverse.targets[j]!;
      if (other === last) continue;
      last = other;
      if (isTouched[other] === 0) {
        isTouched[other] = 1;
        touched[count++] = other;
      }
      if (weights === null || inverseWeights === null) common[other]! += 1;
      else common[other]! += isCosine ? weights[i]! * inverseWeights[j]! : Math.min(weights[i]!, inverseWeights[j]!);
    }
  }
  return count;
}

function similarityOf({ rules, sizes, degrees, weights }: Comparing, a: number, b: number, common: number): number {
  if (rules.similarityMetric === 'COSINE') return common / Math.sqrt(sizes[a]! * sizes[b]!);
  if (rules.similarityMetric === 'JACCARD') return common / (sizes[a]! + sizes[b]! - common);
  return common / (weights === null ? Math.min(degrees[a]!, degrees[b]!) : Math.min(sizes[a]!, sizes[b]!));
}

function compareNode(state: Comparing, node: number): void {
  const { common, touched, isTouched, isTarget, pairs, rules } = state;
  const count = addCommon(state, node);
  touched.subarray(0, count).sort();
  pairs.begin(node);
  for (let i = 0; i < count; i++) {
    const other = touched[i]!;
    const shared = common[other]!;
    common[other] = 0;
    isTouched[other] = 0;
    if (other === node || !isTarget(other) || !isCompared(state, other)) continue;
    const similarity = similarityOf(state, node, other, shared);
    if (similarity >= rules.similarityCutoff) pairs.offer(other, similarity);
  }
  pairs.end();
}

function* similarPairs(topology: Topology, rules: Rules, filters: readonly [NodeFilter, NodeFilter], work: Work): Pieces<PairOutcome> {
  const { csr, weights, nodeCount } = topology;
  if (rules.bottomK > 0 && rules.topN > 0 && rules.bottomN > 0)
    throw argumentFault('Invalid parameter combination: topN and bottomN cannot both be given.');
  const arrays = new Arrays(work);
  const inverse = yield* topology.inverse(work);
  const degrees = arrays.uint32(nodeCount);
  const sizes = arrays.float64(nodeCount);
  yield* overLists(work, csr.offsets, measure, { csr, weights, degrees, sizes, rules });
  const perNode = rules.bottomK > 0 ? -rules.bottomK : rules.topK;
  const inAll = rules.bottomN > 0 ? -rules.bottomN : rules.topN;
  const state: Comparing = {
    csr,
    weights,
    inverse: inverse.csr,
    inverseWeights: inverse.weights,
    degrees,
    sizes,
    rules,
    isSource: filters[0],
    isTarget: filters[1],
    common: arrays.float64(nodeCount),
    touched: arrays.uint32(nodeCount),
    isTouched: arrays.uint8(nodeCount),
    pairs: new Pairs(perNode, inAll, work),
    compared: 0,
  };
  for (let node = 0; node < nodeCount; node++) {
    if (work.worked(1 + csr.offsets[node + 1]! - csr.offsets[node]!)) yield null;
    if (!filters[0](node) || !isCompared(state, node)) continue;
    state.compared++;
    if (work.worked(2 * stepsOf(state, node))) yield null;
    compareNode(state, node);
    if ((node & 1023) === 0) work.progress(node / nodeCount);
  }
  const found = yield* state.pairs.found();
  return {
    kind: 'pairs',
    ...found,
    summary: {
      nodesCompared: state.compared,
      similarityPairs: found.weights.length,
      similarityDistribution: () => scoreDistribution(found.weights, work),
    },
  };
}

const everyNode: NodeFilter = () => true;

export const nodeSimilarity: Algorithm<typeof FIELDS, PairOutcome> = pairAlgorithm({
  name: 'nodeSimilarity',
  description: 'Pairs of nodes that lead to the same nodes.',
  modes: ['stream', 'stats', 'mutate', 'write'],
  fields: FIELDS,
  weights: 'optional',
  needsUndirected: false,
  columns: [],
  summary: [{ name: 'nodesCompared', type: 'INTEGER' }, ...SIMILARITY_SUMMARY],
  bytes: ({ nodeCount, relationshipCount }, { topK, bottomK }) => nodeCount * (41 + 32 * Math.max(topK, bottomK)) + relationshipCount * 20,
  *run({ topology, configuration, work }) {
    return yield* similarPairs(topology, configuration, [everyNode, everyNode], work);
  },
});

export const filteredNodeSimilarity: Algorithm<typeof FILTERED, PairOutcome> = pairAlgorithm<typeof FILTERED>({
  ...nodeSimilarity,
  name: 'nodeSimilarity.filtered',
  description: 'Pairs of a node of one set and a node of another that lead to the same nodes.',
  fields: FILTERED,
  *run({ topology, configuration, work }) {
    const { sourceNodeFilter, targetNodeFilter } = configuration;
    const filters = [
      filterOf(topology, 'sourceNodeFilter', sourceNodeFilter),
      filterOf(topology, 'targetNodeFilter', targetNodeFilter),
    ] as const;
    return yield* similarPairs(topology, configuration, filters, work);
  },
});
