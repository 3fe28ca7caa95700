/**
 * Node similarity: how many of their targets two nodes have in common (Jaccard 1912; overlap; cosine). From each node
 * the search goes to its targets and back, so that only pairs with a common target are compared. O(sum over targets of
 * the squares of their incoming relationships). Parallel relationships count once; without weights each target weighs
 * 1.
 */

import { argumentFault } from '../../value/index.ts';
import { anything, float, integer, nodeFilter, oneOf } from '../configuration/fields.ts';
import type { Csr } from '../graph/csr.ts';
import type { Topology } from '../graph/topology.ts';
import { type Algorithm, type PairOutcome, pairAlgorithm, type Size } from '../table/algorithm.ts';
import { scoreDistribution } from '../table/distribution.ts';
import { sharedPhase, sharedUnit } from '../threads/shared-phase.ts';
import { Arrays, memberCount, overLists, overUnits, type Pieces, type Work } from '../work.ts';
import { filterOf, type NodeFilter } from './node-filter.ts';
import { type BestPairs, BYTES_PER_PAIR, foundPairs, offer, roomForPairs, SIMILARITY_SUMMARY } from './pairs.ts';

const FIELDS = {
  similarityCutoff: float(1e-42, { min: 0, max: 1 }),
  degreeCutoff: integer(1, { min: 1 }),
  upperDegreeCutoff: integer(2 ** 31 - 1, { min: 1 }),
  topK: integer(10, { min: 1 }),
  bottomK: integer(0, { min: 0 }),
  topN: integer(0, { min: 0 }),
  bottomN: integer(0, { min: 0 }),
  similarityMetric: oneOf(['JACCARD', 'OVERLAP', 'COSINE'], 'JACCARD'),
  useComponents: anything(false),
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
  /** For each node the number of its different targets; `sizes` has the sum of their weights, for the cosine of their squares. */
  readonly degrees: Uint32Array;
  readonly sizes: Float64Array;
  readonly rules: Rules;
  /** 1 at each node that is compared with others; `isTarget` is 1 at each node that others are compared with. */
  readonly isSource: Uint8Array;
  readonly isTarget: Uint8Array;
  /** The best pairs of each node; `steps` has how many steps it takes to find them. */
  readonly room: BestPairs;
  readonly steps: Float64Array;
  readonly scratch: readonly Scratch[];
}

/** The arrays in which one member counts common targets. */
interface Scratch {
  /** For each node the weight that it has in common with the present one. `touched` lists the nodes where `isTouched` is 1. */
  readonly common: Float64Array;
  readonly touched: Uint32Array;
  readonly isTouched: Uint8Array;
}

type Measuring = Pick<Comparing, 'csr' | 'weights' | 'degrees' | 'sizes' | 'rules'>;

const measure = sharedPhase<Measuring>('nodeSimilarity.measure', ({ csr, weights, degrees, sizes, rules }, from, to) => {
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
});

/** Computes how many steps each source takes, to its targets and back from each. A source finds at most as many nodes. */
const countSteps = sharedPhase<Pick<Comparing, 'csr' | 'inverse' | 'isSource' | 'steps'>>(
  'nodeSimilarity.countSteps',
  ({ csr, inverse, isSource, steps }, from, to) => {
    for (let node = from; node < to; node++) {
      if (isSource[node] === 0) continue;
      let sum = 1;
      for (let i = csr.offsets[node]!; i < csr.offsets[node + 1]!; i++) {
        const target = csr.targets[i]!;
        sum += inverse.offsets[target + 1]! - inverse.offsets[target]! + 1;
      }
      steps[node] = sum;
    }
  },
);

/**
 * Adds up, for each node that shares a target, the common part of both weights: the smaller one, or for the cosine
 * their product.
 *
 * @returns how many nodes share a target
 */
function addCommon(state: Comparing, { common, touched, isTouched }: Scratch, node: number): number {
  const { csr, weights, inverse, inverseWeights, rules } = state;
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

function compareNode(state: Comparing, scratch: Scratch, node: number): void {
  const { common, touched, isTouched } = scratch;
  const { isTarget, room, rules } = state;
  const count = addCommon(state, scratch, node);
  touched.subarray(0, count).sort();
  for (let i = 0; i < count; i++) {
    const other = touched[i]!;
    const shared = common[other]!;
    common[other] = 0;
    isTouched[other] = 0;
    if (other === node || isTarget[other] === 0) continue;
    const similarity = similarityOf(state, node, other, shared);
    if (similarity >= rules.similarityCutoff) offer(room, node, other, similarity);
  }
}

const UNIT = 256;

const compareNodes = sharedUnit<Comparing>('nodeSimilarity.compareNodes', function* (state, from, to, member) {
  let steps = 0;
  for (let node = from; node < to; node++) {
    if (state.isSource[node] === 0) continue;
    compareNode(state, state.scratch[member]!, node);
    steps += 2 * state.steps[node]!;
    if (steps <= STEPS_TOGETHER) continue;
    yield steps;
    steps = 0;
  }
  yield steps;
});

const STEPS_TOGETHER = 16_384;

/** Marks with 1 the nodes that pass the filter and whose number of targets lies within the cutoffs. */
function* compared(filter: NodeFilter, degrees: Uint32Array, rules: Rules, work: Work): Pieces<Uint8Array> {
  const flags = new Arrays(work).uint8(degrees.length);
  if (work.worked(degrees.length >> 1)) yield null;
  for (let node = 0; node < degrees.length; node++) {
    const degree = degrees[node]!;
    if (degree >= rules.degreeCutoff && degree <= rules.upperDegreeCutoff && filter(node)) flags[node] = 1;
  }
  return flags;
}

function* similarPairs(topology: Topology, rules: Rules, filters: readonly [NodeFilter, NodeFilter], work: Work): Pieces<PairOutcome> {
  const { csr, weights, nodeCount } = topology;
  if (rules.topN > 0 && rules.bottomN > 0) throw argumentFault('Invalid parameter combination: topN and bottomN cannot both be given.');
  const arrays = new Arrays(work);
  const inverse = yield* topology.inverse(work);
  const degrees = arrays.uint32(nodeCount);
  const sizes = arrays.float64(nodeCount);
  yield* overLists(work, csr.offsets, measure, { csr, weights, degrees, sizes, rules });
  const isSource = yield* compared(filters[0], degrees, rules, work);
  const isTarget = yield* compared(filters[1], degrees, rules, work);
  const steps = arrays.float64(nodeCount);
  yield* overLists(work, csr.offsets, countSteps, { csr, inverse: inverse.csr, isSource, steps });
  const room = yield* roomForPairs(steps, rules.bottomK > 0 ? -rules.bottomK : rules.topK, work);
  const scratch = Array.from({ length: memberCount(work) }, () => ({
    common: arrays.float64(nodeCount),
    touched: arrays.uint32(nodeCount),
    isTouched: arrays.uint8(nodeCount),
  }));
  yield* overUnits(work, nodeCount, UNIT, compareNodes, {
    csr,
    weights,
    inverse: inverse.csr,
    inverseWeights: inverse.weights,
    degrees,
    sizes,
    rules,
    isSource,
    isTarget,
    room,
    steps,
    scratch,
  });
  const found = yield* foundPairs(room, rules.bottomN > 0 ? -rules.bottomN : rules.topN, work);
  let nodesCompared = 0;
  for (const each of isSource) nodesCompared += each;
  return {
    kind: 'pairs',
    ...found,
    summary: {
      nodesCompared,
      similarityPairs: found.weights.length,
      similarityDistribution: () => scoreDistribution(found.weights, work),
    },
  };
}

const everyNode: NodeFilter = () => true;

/** Bytes of a node: its degree, size, steps, two flags, and the bounds of its room. */
const BYTES_PER_NODE = 34;
/** Bytes of a node in the scratch arrays of one thread. */
const BYTES_PER_SCRATCH = 13;
/** Bytes of a pair that is found. */
const BYTES_PER_FOUND = 16;
/** Bytes of a pair while the distribution is made. */
const BYTES_PER_SCORE = 8;

type Cut = Pick<Rules, 'topK' | 'bottomK' | 'topN' | 'bottomN'>;

/** Returns how many pairs there is room for at most. */
const mostPairs = (nodeCount: number, { topK, bottomK }: Cut): number => nodeCount * Math.min(nodeCount, bottomK > 0 ? bottomK : topK);

/** Returns how many pairs are found at most, after all but the best of all have been dropped. */
function mostKept({ nodeCount }: Size, rules: Cut): number {
  const most = Math.max(rules.topN, rules.bottomN);
  const pairs = mostPairs(nodeCount, rules);
  return most > 0 ? Math.min(most, pairs) : pairs;
}

/** Node similarity. */
export const nodeSimilarity: Algorithm<typeof FIELDS, PairOutcome> = pairAlgorithm({
  name: 'nodeSimilarity',
  description: 'Pairs of nodes that lead to the same nodes.',
  modes: ['stream', 'stats', 'mutate', 'write'],
  fields: FIELDS,
  weights: 'optional',
  needsUndirected: false,
  columns: [],
  summary: [{ name: 'nodesCompared', type: 'INTEGER' }, ...SIMILARITY_SUMMARY],
  bytes: (size, rules) => {
    const { nodeCount, relationshipCount, isDirected, isWeighted, members } = size;
    const isCut = rules.topN > 0 || rules.bottomN > 0;
    const perPair = 12 + BYTES_PER_FOUND + (isCut ? BYTES_PER_PAIR : 0);
    const pairs = perPair * mostPairs(nodeCount, rules) + BYTES_PER_SCORE * mostKept(size, rules);
    const turning = isDirected ? nodeCount * 12 + relationshipCount * (isWeighted ? 16 : 12) + 12 : 0;
    return nodeCount * (BYTES_PER_NODE + BYTES_PER_SCRATCH * members) + 8 + pairs + turning;
  },
  leastBytes: ({ nodeCount, relationshipCount, isDirected, isWeighted }) =>
    nodeCount * (BYTES_PER_NODE + BYTES_PER_SCRATCH) + (isDirected ? nodeCount * 4 + relationshipCount * (isWeighted ? 12 : 4) : 0),
  relationships: mostKept,
  *run({ topology, configuration, work }) {
    return yield* similarPairs(topology, configuration, [everyNode, everyNode], work);
  },
});

/** Node similarity between filtered nodes. */
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
