/**
 * PageRank as a probability distribution, by the definition of LDBC Graphalytics (its specification, section 2.3.3).
 *
 * All ranks begin as the distribution of starts: 1 / n, or 1 / s for each of s sources. In each iteration a node divides
 * its rank among its outgoing relationships; nodes without any, the dangling ones, divide theirs among the starts. What a
 * node receives, damped, and its share of `1 - d` is its next rank, so that ranks always add up to 1. Nodes pull along
 * incoming relationships in ascending order, and the ranks of dangling nodes are added by ranges, so the sums are the
 * same in every run. O(iterations × (nodes + relationships)).
 */
import type { Csr } from '../graph/csr.ts';
import { sourcesIn } from '../graph/sources.ts';
import type { Topology } from '../graph/topology.ts';
import { sharedPhase } from '../threads/shared-phase.ts';
import { Arrays, elementsTogether, overLists, overRange, type Pieces, type Work } from '../work.ts';

interface Iteration {
  readonly inverse: Csr;
  readonly weights: Float64Array | null;
  readonly divisors: Float64Array;
  readonly starts: Float64Array;
  readonly ranks: Float64Array;
  readonly handedOn: Float64Array;
  /** The rank of the dangling nodes in each range. */
  readonly danglingRanks: Float64Array;
  readonly damping: number;
  /** The largest change of a rank that counts as none. */
  readonly least: number;
  /** The rank that the starts receive together: `1 - d`, and the damped rank of the dangling nodes. */
  readonly startRank: number;
  /** A flag (one element): 1 once the rank of a node has changed by more than `least` in this iteration. */
  readonly isActive: Uint8Array;
}

const RANGE = elementsTogether(1);

const handOn = sharedPhase<Iteration>('redistributedRanks.handOn', ({ ranks, divisors, handedOn, danglingRanks }, from, to) => {
  let dangling = 0;
  for (let node = from; node < to; node++) {
    const divisor = divisors[node]!;
    if (divisor > 0) handedOn[node] = ranks[node]! / divisor;
    else dangling += ranks[node]!;
  }
  danglingRanks[Math.floor(from / RANGE)] = dangling;
});

const pull = sharedPhase<Iteration>('redistributedRanks.pull', (state, from, to) => {
  const { inverse, weights, starts, ranks, handedOn, damping, least, startRank } = state;
  const { offsets, targets } = inverse;
  let isActive = false;
  for (let node = from; node < to; node++) {
    const end = offsets[node + 1]!;
    let sum = 0;
    if (weights === null) for (let i = offsets[node]!; i < end; i++) sum += handedOn[targets[i]!]!;
    else for (let i = offsets[node]!; i < end; i++) sum += handedOn[targets[i]!]! * Math.max(0, weights[i]!);
    const rank = damping * sum + startRank * starts[node]!;
    if (Math.abs(rank - ranks[node]!) > least) isActive = true;
    ranks[node] = rank;
  }
  if (isActive) state.isActive[0] = 1;
});

interface Rules {
  readonly dampingFactor: number;
  readonly maxIterations: number;
  readonly tolerance: number;
  readonly sourceNodes: readonly number[] | null;
}

interface Ranked {
  readonly ranks: Float64Array;
  readonly ranIterations: number;
  readonly didConverge: boolean;
}

/**
 * Computes ranks that add up to 1. They have converged when none changes by more than the tolerance times the mean rank;
 * with a tolerance of 0, every iteration that changes a rank is run.
 *
 * @param divisors for each node the number that its rank is divided by before it is handed on; 0 for dangling nodes
 */
export function* redistributedRanks(topology: Topology, rules: Rules, divisors: Float64Array, work: Work): Pieces<Ranked> {
  const { dampingFactor: damping, maxIterations, tolerance, sourceNodes } = rules;
  const { nodeCount } = topology;
  const inverse = yield* topology.inverse(work);
  const arrays = new Arrays(work);
  const starts = arrays.float64(nodeCount);
  const sources = sourceNodes === null ? null : new Set(sourcesIn(topology, 'sourceNodes', sourceNodes));
  if (sources === null) starts.fill(1 / nodeCount);
  else for (const node of sources) starts[node] = 1 / sources.size;
  const ranks = arrays.float64(nodeCount);
  ranks.set(starts);
  const handedOn = arrays.float64(nodeCount);
  const danglingRanks = arrays.float64(Math.ceil(nodeCount / RANGE));
  const isActive = arrays.uint8(1).fill(1);
  const { csr, weights } = inverse;
  const least = tolerance / nodeCount;
  const fixed = { inverse: csr, weights, divisors, starts, ranks, handedOn, danglingRanks, damping, least, isActive };
  let ranIterations = 0;
  while (ranIterations < maxIterations && isActive[0] === 1) {
    yield* overRange(work, nodeCount, handOn, { ...fixed, startRank: 0 });
    const startRank = 1 - damping + damping * danglingRanks.reduce((sum, each) => sum + each, 0);
    isActive[0] = 0;
    yield* overLists(work, csr.offsets, pull, { ...fixed, startRank });
    ranIterations++;
    work.progress(ranIterations / maxIterations);
  }
  return { ranks, ranIterations, didConverge: isActive[0] === 0 };
}
