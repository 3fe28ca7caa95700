/**
 * PageRank and ArticleRank by power iteration over deltas (Brin and Page 1998; Li and Willett 2009).
 *
 * Each iteration a node hands on what its rank has gained in the last one, divided among its outgoing relationships;
 * what it receives, damped, is its next gain. A gain that does not exceed the tolerance is not handed on; the ranks
 * have converged when none does. Ranks are not normalised, and nodes without outgoing relationships hand on nothing.
 * Nodes pull along incoming relationships in ascending order, so the sums are the same in every run. O(iterations ×
 * (nodes + relationships)).
 */
import { boolean, float, integer, oneOf, sourceNodes } from '../configuration/fields.ts';
import type { Csr } from '../graph/csr.ts';
import { sourcesIn } from '../graph/sources.ts';
import type { Topology } from '../graph/topology.ts';
import { type Algorithm, type NodeOutcome, nodeAlgorithm, type Size } from '../table/algorithm.ts';
import { sharedPhase } from '../threads/shared-phase.ts';
import { Arrays, overLists, overRange, type Pieces, type Work } from '../work.ts';
import { weightedDegrees } from './degree.ts';
import { redistributedRanks } from './redistributed-ranks.ts';
import { scaleColumn, scaler } from './scalers.ts';
import { DISTRIBUTION, ITERATIONS, SCORE, scored } from './scores.ts';

const FIELDS = {
  dampingFactor: float(0.85, { min: 0, max: 1, below: true }),
  maxIterations: integer(20, { min: 1 }),
  tolerance: float(1e-7, { min: 0 }),
  sourceNodes: sourceNodes(),
  scaler: scaler('NONE'),
  cacheWeights: boolean(false),
};

const PAGE_RANK_FIELDS = { ...FIELDS, danglingNodes: oneOf(['IGNORE', 'REDISTRIBUTE'], 'IGNORE') };

interface Iteration {
  readonly inverse: Csr;
  readonly weights: Float64Array | null;
  readonly divisors: Float64Array;
  readonly ranks: Float64Array;
  /** The share that each node hands on in this iteration, and the one of the next iteration. */
  readonly handedOn: Float64Array;
  readonly handedOnNext: Float64Array;
  readonly damping: number;
  readonly tolerance: number;
  /** A flag (one element): 1 once a node has gained more than the tolerance in this iteration. */
  readonly isActive: Uint8Array;
}

const begin = sharedPhase<Iteration>('pageRank.begin', ({ ranks, divisors, handedOnNext }, from, to) => {
  for (let node = from; node < to; node++) handedOnNext[node] = divisors[node]! > 0 ? ranks[node]! / divisors[node]! : 0;
});

const pull = sharedPhase<Iteration>('pageRank.pull', (state, from, to) => {
  const { inverse, ranks, divisors, handedOn, handedOnNext, damping, tolerance } = state;
  const { offsets, targets } = inverse;
  let isActive = false;
  let i = offsets[from]!;
  for (let node = from; node < to; node++) {
    const end = offsets[node + 1]!;
    let sum = 0;
    for (; i < end; i++) sum += handedOn[targets[i]!]!;
    const gain = damping * sum;
    ranks[node]! += gain;
    const divisor = divisors[node]!;
    handedOnNext[node] = gain > tolerance && divisor > 0 ? gain / divisor : 0;
    if (gain > tolerance) isActive = true;
  }
  if (isActive) state.isActive[0] = 1;
});

const pullWeighted = sharedPhase<Iteration>('pageRank.pullWeighted', (state, from, to) => {
  const { inverse, weights, ranks, divisors, handedOn, handedOnNext, damping, tolerance } = state;
  const { offsets, targets } = inverse;
  let isActive = false;
  for (let node = from; node < to; node++) {
    const end = offsets[node + 1]!;
    let sum = 0;
    for (let i = offsets[node]!; i < end; i++) sum += handedOn[targets[i]!]! * Math.max(0, weights![i]!);
    const gain = damping * sum;
    ranks[node]! += gain;
    const divisor = divisors[node]!;
    handedOnNext[node] = gain > tolerance && divisor > 0 ? gain / divisor : 0;
    if (gain > tolerance) isActive = true;
  }
  if (isActive) state.isActive[0] = 1;
});

interface Ranked {
  readonly ranks: Float64Array;
  readonly ranIterations: number;
  readonly didConverge: boolean;
}

interface Rules {
  readonly dampingFactor: number;
  readonly maxIterations: number;
  readonly tolerance: number;
  readonly sourceNodes: readonly number[] | null;
}

/** Computes the ranks. @param divisors for each node the number that its gain is divided by before it is handed on */
function* rank(topology: Topology, rules: Rules, divisors: Float64Array, work: Work): Pieces<Ranked> {
  const { dampingFactor: damping, maxIterations, tolerance, sourceNodes } = rules;
  const { nodeCount } = topology;
  const inverse = yield* topology.inverse(work);
  const arrays = new Arrays(work);
  const ranks = arrays.float64(nodeCount);
  const sources = sourceNodes === null ? null : sourcesIn(topology, 'sourceNodes', sourceNodes);
  if (sources === null) ranks.fill(1 - damping);
  else for (const node of sources) ranks[node] = 1 - damping;
  const isActive = arrays.uint8(1).fill(1);
  const { csr, weights } = inverse;
  const fixed = { inverse: csr, weights, divisors, ranks, damping, tolerance, isActive };
  let state: Iteration = { ...fixed, handedOn: arrays.float64(nodeCount), handedOnNext: arrays.float64(nodeCount) };
  yield* overRange(work, nodeCount, begin, state);
  const phase = weights === null ? pull : pullWeighted;
  let ranIterations = 1;
  for (; ranIterations < maxIterations && isActive[0] === 1; ranIterations++) {
    state = { ...fixed, handedOn: state.handedOnNext, handedOnNext: state.handedOn };
    isActive[0] = 0;
    yield* overLists(work, csr.offsets, phase, state);
    work.progress(ranIterations / maxIterations);
  }
  return { ranks, ranIterations, didConverge: isActive[0] === 0 };
}

const bytes = ({ nodeCount, relationshipCount, isDirected }: Size): number =>
  nodeCount * 48 + (isDirected ? nodeCount * 16 + relationshipCount * 20 : 0);

/** PageRank; with `danglingNodes: 'REDISTRIBUTE'` by the definition of LDBC Graphalytics. */
export const pageRank: Algorithm<typeof PAGE_RANK_FIELDS, NodeOutcome> = nodeAlgorithm({
  name: 'pageRank',
  description: 'Importance of nodes by the importance of those that lead to them.',
  modes: ['stream', 'stats', 'mutate', 'write'],
  fields: PAGE_RANK_FIELDS,
  weights: 'optional',
  needsUndirected: false,
  columns: SCORE,
  summary: [...ITERATIONS, DISTRIBUTION],
  bytes,
  *run({ topology, configuration, work }) {
    const divisors = yield* weightedDegrees(topology, topology.weights, work);
    const ranked = configuration.danglingNodes === 'IGNORE' ? rank : redistributedRanks;
    const { ranks, ranIterations, didConverge } = yield* ranked(topology, configuration, divisors, work);
    const { values } = yield* scaleColumn(ranks, configuration.scaler, work);
    return scored(values, work, { ranIterations, didConverge });
  },
});

/** ArticleRank: relationships of nodes with few of them weigh less, as the mean degree is added to the degree of each node. */
export const articleRank: Algorithm<typeof FIELDS, NodeOutcome> = nodeAlgorithm({
  ...pageRank,
  name: 'articleRank',
  description: 'PageRank in which nodes with few outgoing relationships hand on less.',
  fields: FIELDS,
  *run({ topology, configuration, work }) {
    const divisors = yield* weightedDegrees(topology, topology.weights, work);
    let sum = 0;
    for (const degree of divisors) sum += degree;
    const mean = topology.nodeCount === 0 ? 0 : sum / topology.nodeCount;
    for (let node = 0; node < divisors.length; node++) divisors[node]! += mean;
    const { ranks, ranIterations, didConverge } = yield* rank(topology, configuration, divisors, work);
    const { values } = yield* scaleColumn(ranks, configuration.scaler, work);
    return scored(values, work, { ranIterations, didConverge });
  },
});
