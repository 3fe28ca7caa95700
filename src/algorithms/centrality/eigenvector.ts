/**
 * Eigenvector centrality (Bonacich 1972) by power iteration: each node keeps its score, adds those of the nodes that
 * lead to it, and all are divided by their Euclidean norm. Keeping the score shifts the eigenvalues, so that bipartite
 * graphs converge too. O(iterations × (nodes + relationships)).
 */
import { float, integer, sourceNodes } from '../configuration/fields.ts';
import type { Csr } from '../graph/csr.ts';
import { sourcesIn } from '../graph/sources.ts';
import { type Algorithm, type NodeOutcome, nodeAlgorithm } from '../table/algorithm.ts';
import { sharedPhase } from '../threads/shared-phase.ts';
import { Arrays, overLists } from '../work.ts';
import { weightedDegrees } from './degree.ts';
import { Norms } from './norms.ts';
import { scaleColumn, scaler } from './scalers.ts';
import { DISTRIBUTION, ITERATIONS, SCORE, scored } from './scores.ts';

const FIELDS = {
  maxIterations: integer(20, { min: 1 }),
  tolerance: float(1e-7, { min: 0 }),
  sourceNodes: sourceNodes(),
  scaler: scaler('NONE'),
};

interface Iteration {
  readonly inverse: Csr;
  readonly weights: Float64Array | null;
  /** For each node the sum of the weights of its outgoing relationships; null: relationships have no weights. */
  readonly divisors: Float64Array | null;
  readonly scores: Float64Array;
  readonly next: Float64Array;
}

const pull = sharedPhase<Iteration>('eigenvector.pull', ({ inverse, weights, divisors, scores, next }, from, to) => {
  const { offsets, targets } = inverse;
  for (let node = from; node < to; node++) {
    const end = offsets[node + 1]!;
    let sum = scores[node]!;
    for (let i = offsets[node]!; i < end; i++) {
      const source = targets[i]!;
      if (weights === null || divisors === null) sum += scores[source]!;
      else if (divisors[source]! > 0) sum += (scores[source]! * Math.max(0, weights[i]!)) / divisors[source]!;
    }
    next[node] = sum;
  }
});

/** Eigenvector centrality. */
export const eigenvector: Algorithm<typeof FIELDS, NodeOutcome> = nodeAlgorithm({
  name: 'eigenvector',
  description: 'Importance of nodes by the importance of those that lead to them, undivided.',
  modes: ['stream', 'stats', 'mutate', 'write'],
  fields: FIELDS,
  weights: 'optional',
  needsUndirected: false,
  columns: SCORE,
  summary: [...ITERATIONS, DISTRIBUTION],
  bytes: ({ nodeCount, relationshipCount, isDirected }) => nodeCount * 40 + (isDirected ? nodeCount * 16 + relationshipCount * 20 : 0),
  *run({ topology, configuration, work }) {
    const { nodeCount } = topology;
    const { maxIterations, tolerance, sourceNodes } = configuration;
    const inverse = yield* topology.inverse(work);
    const divisors = inverse.weights === null ? null : yield* weightedDegrees(topology, topology.weights, work);
    const arrays = new Arrays(work);
    const scores = arrays.float64(nodeCount);
    const sources = sourceNodes === null ? null : sourcesIn(topology, 'sourceNodes', sourceNodes);
    if (sources === null) scores.fill(1 / nodeCount);
    else for (const node of sources) scores[node] = 1 / sources.length;
    const next = arrays.float64(nodeCount);
    const state: Iteration = { inverse: inverse.csr, weights: inverse.weights, divisors, scores, next };
    const norms = new Norms(nodeCount, work);
    let ranIterations = 0;
    let didConverge = false;
    while (ranIterations < maxIterations && !didConverge) {
      yield* overLists(work, inverse.csr.offsets, pull, state);
      didConverge = (yield* norms.normalize(scores, next)) < tolerance;
      ranIterations++;
      work.progress(ranIterations / maxIterations);
    }
    const { values } = yield* scaleColumn(scores, configuration.scaler, work);
    return scored(values, work, { ranIterations, didConverge });
  },
});
