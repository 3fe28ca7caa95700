/** The communities that nodes begin in: given by a seed property, or one for each node. */
import { argumentFault, quoted } from '../../value/index.ts';
import type { Topology } from '../graph/topology.ts';
import { Arrays, type Pieces, type Work } from '../work.ts';

/** The communities that nodes begin in, as dense numbers in the order of the seeds. */
export interface Seeded {
  /** The dense number of each node's community. */
  readonly labels: Uint32Array;
  /** For each dense number the community as users see it; ascending. */
  readonly names: Float64Array;
}

/**
 * Puts each node into a community of its own, or into that of its seed. Nodes without a seed get new communities above
 * the largest seed. O(n log n).
 *
 * @throws ARGUMENT_ERROR when a seed is no Integer, or one beyond 2^53
 */
export function* seeds(topology: Topology, seedProperty: string | null, work: Work): Pieces<Seeded> {
  const { nodeCount } = topology;
  work.charge(nodeCount * 8);
  const labels = new Arrays(work).uint32(nodeCount);
  if (work.worked(nodeCount * (seedProperty === null ? 1 : 8))) yield null;
  if (seedProperty === null) {
    for (let node = 0; node < nodeCount; node++) labels[node] = node;
    return { labels, names: Float64Array.from(labels) };
  }
  const given = Float64Array.from(seedsOf(topology, seedProperty));
  let next = 0;
  for (const seed of given) if (seed >= next) next = seed + 1;
  for (let node = 0; node < nodeCount; node++) if (Number.isNaN(given[node])) given[node] = next++;
  const sorted = given.slice().sort();
  let count = 0;
  for (let i = 0; i < nodeCount; i++) if (i === 0 || sorted[i] !== sorted[i - 1]) sorted[count++] = sorted[i]!;
  const names = sorted.subarray(0, count);
  for (let node = 0; node < nodeCount; node++) labels[node] = positionOf(names, given[node]!);
  return { labels, names };
}

/**
 * Returns the seed of each node, NaN where it has none.
 *
 * @throws ARGUMENT_ERROR when a seed is no Integer, or one beyond 2^53: different ones could be the same number then
 */
export function seedsOf(topology: Topology, seedProperty: string): ArrayLike<number> {
  const given = topology.numbers(seedProperty);
  for (const seed of given) {
    if (Number.isNaN(seed) || Number.isSafeInteger(seed)) continue;
    throw argumentFault(`the seeds in ${quoted(seedProperty)} must be Integers up to 2^53, which ${seed} is not`);
  }
  return given;
}

function positionOf(sorted: Float64Array, value: number): number {
  let low = 0;
  let high = sorted.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (sorted[middle]! < value) low = middle + 1;
    else high = middle;
  }
  return low;
}
