/**
 * How likely it is that a vector of a cluster is much nearer to a query than the cluster's centroid is. The *gain* of a
 * vector x of a cluster with centroid c and radius ρ is (|q − c|² − |q − x|²) / (2 ρ |q − c|): where residuals are
 * alike in all directions, its distribution is the same for all clusters and queries. It is measured on a sample when
 * clusters are built, and tells a search how many of the nearest vectors it may have missed in clusters that it has not
 * read.
 */
import { type ClusterFinder, type VectorList, vectorAt } from './train-clusters.ts';

const QUERIES = 256;
/** How many of the nearest clusters are looked at for each query of the sample. */
const CLUSTERS = 128;
/** The least number of gains that a quantile may rest on. */
const LEAST_GAINS = 8;

/**
 * One list for the nearest cluster of a query, one for the next two, one for the next four and so on; the last is for
 * all clusters farther away. Element i of a list is the gain that one of 2^(i + 1) vectors exceeds; lists ascend.
 */
export type TailTable = readonly (readonly number[])[];

const LISTS = 7;

/** Returns the list for a cluster. @param rank how many clusters are nearer */
export function listOfRank(rank: number): number {
  return Math.min(LISTS - 1, 31 - Math.clz32(rank + 1));
}

/** Measures the gains of a sample. @param clusterOf the cluster of each vector of the sample */
export function measureTail(sample: VectorList, clusterOf: Uint32Array, finder: ClusterFinder): TailTable {
  const members = Array.from({ length: finder.clusterCount }, (): number[] => []);
  for (let i = 0; i < sample.count; i++) members[clusterOf[i]!]!.push(i);
  const radii = members.map((each) => radiusOf(sample, each));
  const gains = Array.from({ length: LISTS }, (): number[] => []);
  const step = Math.max(1, Math.floor(sample.count / QUERIES));
  for (let query = 0; query < sample.count; query += step) {
    const vector = vectorAt(sample, query);
    const square = dot(vector, vector);
    const keys = finder.keys(vector);
    const nearest = [...keys.keys()].sort((a, b) => keys[b]! - keys[a]!).slice(0, CLUSTERS);
    for (const [rank, cluster] of nearest.entries()) {
      const toCentroid = Math.max(square - 2 * keys[cluster]!, 0);
      const scale = 2 * radii[cluster]! * Math.sqrt(toCentroid);
      const list = gains[listOfRank(rank)]!;
      for (const member of members[cluster]!)
        if (member !== query) list.push(scale > 0 ? (toCentroid - distance(vector, vectorAt(sample, member))) / scale : 0);
    }
  }
  return gains.map(quantiles);
}

function quantiles(gains: readonly number[]): number[] {
  const sorted = Float64Array.from(gains).sort().reverse();
  const list: number[] = [];
  for (let share = sorted.length / 2; share >= LEAST_GAINS; share /= 2) list.push(Math.max(sorted[Math.floor(share)]!, list.at(-1) ?? 0));
  return list;
}

function radiusOf(sample: VectorList, members: readonly number[]): number {
  const mean = new Float64Array(sample.padded);
  let squares = 0;
  for (const member of members) {
    const vector = vectorAt(sample, member);
    for (let i = 0; i < vector.length; i++) mean[i]! += vector[i]! / members.length;
    squares += dot(vector, vector) / members.length;
  }
  return Math.sqrt(Math.max(squares - mean.reduce((sum, each) => sum + each * each, 0), 0));
}

function dot(a: Float32Array, b: Float32Array): number {
  let sum = 0;
  for (let i = 0; i < a.length; i++) sum += a[i]! * b[i]!;
  return sum;
}

function distance(a: Float32Array, b: Float32Array): number {
  let sum = 0;
  for (let i = 0; i < a.length; i++) sum += (a[i]! - b[i]!) ** 2;
  return sum;
}

/** Returns the share of vectors with a larger gain. Beyond the last measured gain the tail is that of a normal distribution. */
export function shareAbove(tail: readonly number[], gain: number): number {
  const last = tail.length - 1;
  if (last < 0) return 1;
  if (gain <= 0) return 1;
  const end = tail[last]!;
  if (gain >= end) {
    if (end <= 0) return 0;
    return 2 ** (-(last + 1) * (gain / end) ** 2);
  }
  let at = 0;
  while (tail[at]! < gain) at++;
  const below = at === 0 ? 0 : tail[at - 1]!;
  const part = tail[at]! > below ? (gain - below) / (tail[at]! - below) : 1;
  return 2 ** -(at + part);
}
