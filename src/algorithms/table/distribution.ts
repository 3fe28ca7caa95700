/** Distributions that the modes beside `stream` report: of scores, and of sizes of communities. */
import { makeFloat, type Value, type ValueMap } from '../../value/index.ts';
import { Arrays, overRange, type Phase, type Pieces, type Work } from '../work.ts';

const PERCENTILES = { p50: 0.5, p75: 0.75, p90: 0.9, p95: 0.95, p99: 0.99, p999: 0.999 };
/** Steps that sorting counts for one element. */
const STEPS_PER_ELEMENT = 2;

/** Returns minimum, maximum, mean and percentiles (nearest rank) of scores; an empty map where there are none. O(n log n). */
export function* scoreDistribution(scores: Float64Array | Float32Array, work: Work): Pieces<Value> {
  return yield* distributionOf(scores, makeFloat, work);
}

/** Returns the same distribution of sizes, as Integers except for the mean. */
export function* sizeDistribution(sizes: Float64Array | Uint32Array, work: Work): Pieces<Value> {
  return yield* distributionOf(sizes, (value) => value, work);
}

function* distributionOf(values: Float64Array | Float32Array | Uint32Array, show: (value: number) => Value, work: Work): Pieces<Value> {
  const distribution: ValueMap = new Map();
  if (values.length === 0) return distribution;
  work.charge(values.byteLength);
  if (work.worked(values.length * STEPS_PER_ELEMENT)) yield null;
  const sorted = values.slice().sort();
  let sum = 0;
  for (let i = 0; i < sorted.length; i++) sum += sorted[i]!;
  distribution.set('min', show(sorted[0]!));
  distribution.set('max', show(sorted[sorted.length - 1]!));
  distribution.set('mean', makeFloat(sum / sorted.length));
  for (const [name, share] of Object.entries(PERCENTILES))
    distribution.set(name, show(sorted[Math.max(0, Math.ceil(share * sorted.length) - 1)]!));
  work.release(values.byteLength);
  return distribution;
}

const tally: Phase<{ readonly communities: ArrayLike<number>; readonly sizes: Map<number, number> }> = (
  { communities, sizes },
  from,
  to,
) => {
  for (let node = from; node < to; node++) {
    const community = communities[node]!;
    sizes.set(community, (sizes.get(community) ?? 0) + 1);
  }
};

/** Counts the nodes of each community. Communities may be any numbers; sizes come in the order in which these first appear. */
export function* communitySizes(communities: ArrayLike<number>, work: Work): Pieces<Float64Array> {
  const sizes = new Map<number, number>();
  yield* overRange(work, communities.length, tally, { communities, sizes }, 8);
  return Float64Array.from(sizes.values());
}

/** Returns the summary columns of communities: how many there are, and how large. One count serves both columns. */
export function communitySummary(communities: ArrayLike<number>, work: Work, names: { count: string; distribution: string }) {
  let tallied: Float64Array | null = null;
  function* sizes(): Pieces<Float64Array> {
    tallied ??= yield* communitySizes(communities, work);
    return tallied;
  }
  return {
    [names.count]: function* (): Pieces<Value> {
      return (yield* sizes()).length;
    },
    [names.distribution]: function* (): Pieces<Value> {
      return yield* sizeDistribution(yield* sizes(), work);
    },
  };
}

/** Replaces communities by dense numbers from 0, in the order in which nodes first name them. */
export function* consecutive(communities: Float64Array, work: Work): Pieces<Float64Array> {
  const known = new Map<number, number>();
  const renumbered = new Arrays(work).float64(communities.length);
  yield* overRange(work, communities.length, renumber, { communities, known, renumbered }, 8);
  return renumbered;
}

const renumber: Phase<{
  readonly communities: Float64Array;
  readonly known: Map<number, number>;
  readonly renumbered: Float64Array;
}> = ({ communities, known, renumbered }, from, to) => {
  for (let node = from; node < to; node++) {
    const community = communities[node]!;
    let number = known.get(community);
    if (number === undefined) known.set(community, (number = known.size));
    renumbered[node] = number;
  }
};
