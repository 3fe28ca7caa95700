/** The distribution of degrees that `gds.graph.list` shows. */
import type { Value } from '../../value/index.ts';
import type { ProjectedGraph } from '../graph/projected-graph.ts';
import { Arrays, overRange, type Phase, type Pieces, type Work } from '../work.ts';
import { sizeDistribution } from './distribution.ts';

const addDegrees: Phase<{ readonly offsets: Uint32Array; readonly degrees: Uint32Array }> = ({ offsets, degrees }, from, to) => {
  for (let node = from; node < to; node++) degrees[node]! += offsets[node + 1]! - offsets[node]!;
};

/** Computes the distribution of the numbers of outgoing relationships of all types. O(n log n). */
export function* degreeDistribution({ nodeCount, relationships }: ProjectedGraph, work: Work): Pieces<Value> {
  const degrees = new Arrays(work).uint32(nodeCount);
  for (const { csr } of relationships.values()) yield* overRange(work, nodeCount, addDegrees, { offsets: csr.offsets, degrees });
  return yield* sizeDistribution(degrees, work);
}
