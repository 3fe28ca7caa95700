/**
 * Trains centroids for many vectors from a sample of them: k-means on two levels, groups and the clusters in each, so
 * that neither training nor finding the nearest centroid compares a vector with all of them. A group gets as many
 * clusters as its share of the sample asks for, which keeps clusters alike in size. The result is deterministic.
 */
import { CodeKernel } from './code-kernel.ts';

const ROUNDS = 8;
/** How many of the nearest groups are searched for the nearest centroid of a vector. */
const GROUPS_TRIED = 4;
const FLOAT_BLOCK = 16;

/** Vectors, one after the other, each of `padded` components, which is a multiple of 16. */
export interface VectorList {
  readonly values: Float32Array;
  readonly padded: number;
  readonly count: number;
}

/** Returns a number from 0 to below the bound. */
type RandomBelow = (bound: number) => number;

/** Returns a source of random numbers, whose sequence is always the same (xorshift, 32 bits). */
function randomNumbers(): RandomBelow {
  let state = 0x9e37_79b9;
  return (bound) => {
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    return (state >>> 0) % bound;
  };
}

/** The centroids of the groups, and for each group the centroids of its clusters. */
export interface TrainedClusters {
  readonly groups: VectorList;
  readonly clusters: readonly VectorList[];
}

/**
 * Trains the clusters.
 *
 * @param wanted about how many clusters to make in all
 * @param mostPerGroup the most clusters of one group
 * @param pause awaited now and then, so that other work can run
 */
export async function trainClusters(
  sample: VectorList,
  wanted: number,
  mostPerGroup: number,
  pause: () => Promise<void>,
): Promise<TrainedClusters> {
  const random = randomNumbers();
  const all = Uint32Array.from({ length: sample.count }, (_, i) => i);
  const groupCount = Math.max(1, Math.min(Math.round(Math.sqrt(wanted)), sample.count));
  const { centroids: groups, members } = await kMeans({ sample, members: all, wanted: groupCount, random, pause });
  const clusters: VectorList[] = [];
  for (const part of members) {
    const share = Math.round((wanted * part.length) / sample.count);
    const count = Math.max(1, Math.min(share, mostPerGroup, part.length));
    clusters.push((await kMeans({ sample, members: part, wanted: count, random, pause })).centroids);
  }
  return { groups, clusters };
}

interface Training {
  readonly sample: VectorList;
  readonly members: Uint32Array;
  readonly wanted: number;
  readonly random: RandomBelow;
  readonly pause: () => Promise<void>;
}

/** The centroids that have members, and the members of each. */
interface Trained {
  readonly centroids: VectorList;
  readonly members: readonly Uint32Array[];
}

async function kMeans({ sample, members, wanted, random, pause }: Training): Promise<Trained> {
  const { padded } = sample;
  const values = new Float32Array(wanted * padded);
  const order = members.slice();
  for (let i = 0; i < wanted; i++) {
    const other = i + random(order.length - i);
    [order[i], order[other]] = [order[other]!, order[i]!];
    values.set(vectorAt(sample, order[i]!), i * padded);
  }
  const nearest = new Nearest({ values, padded, count: wanted }, new CodeKernel());
  const nearestOf = new Uint32Array(members.length);
  const counts = new Uint32Array(wanted);
  for (let round = 0; round < ROUNDS && wanted > 1; round++) {
    const sums = new Float64Array(wanted * padded);
    counts.fill(0);
    for (let i = 0; i < members.length; i++) {
      const vector = vectorAt(sample, members[i]!);
      const at = nearest.find(vector);
      nearestOf[i] = at;
      counts[at]!++;
      const from = at * padded;
      for (let j = 0; j < padded; j++) sums[from + j]! += vector[j]!;
      if ((i & 0xfff) === 0xfff) await pause();
    }
    if (round === ROUNDS - 1) break;
    const largest = counts.indexOf(counts.reduce((most, count) => Math.max(most, count), 0));
    for (let at = 0; at < wanted; at++) {
      const count = counts[at]!;
      const from = at * padded;
      // A centroid without members starts again at a member of the largest cluster.
      if (count === 0) values.set(vectorAt(sample, someMemberOf(largest, members, nearestOf, random)), from);
      else for (let j = 0; j < padded; j++) values[from + j] = sums[from + j]! / count;
    }
    nearest.take(values);
    await pause();
  }
  if (wanted === 1) return { centroids: meanOf(sample, members), members: [members] };
  return keepNonEmpty({ values, padded, count: wanted }, counts, members, nearestOf);
}

function someMemberOf(cluster: number, members: Uint32Array, nearestOf: Uint32Array, random: RandomBelow): number {
  const start = random(members.length);
  for (let i = 0; i < members.length; i++) {
    const at = (start + i) % members.length;
    if (nearestOf[at] === cluster) return members[at]!;
  }
  return members[start]!;
}

function keepNonEmpty(centroids: VectorList, counts: Uint32Array, members: Uint32Array, nearestOf: Uint32Array): Trained {
  const { padded } = centroids;
  const kept = [...counts.keys()].filter((at) => counts[at]! > 0);
  const values = new Float32Array(kept.length * padded);
  const parts = kept.map((at) => new Uint32Array(counts[at]!));
  const placeOf = new Map(kept.map((at, place) => [at, place]));
  const filled = new Uint32Array(kept.length);
  for (const [place, at] of kept.entries()) values.set(vectorAt(centroids, at), place * padded);
  for (let i = 0; i < members.length; i++) {
    const place = placeOf.get(nearestOf[i]!)!; // It has members.
    parts[place]![filled[place]!++] = members[i]!;
  }
  return { centroids: { values, padded, count: kept.length }, members: parts };
}

function meanOf(sample: VectorList, members: Uint32Array): VectorList {
  const { padded } = sample;
  const sums = new Float64Array(padded);
  for (const member of members) {
    const vector = vectorAt(sample, member);
    for (let j = 0; j < padded; j++) sums[j]! += vector[j]!;
  }
  return { values: Float32Array.from(sums, (sum) => sum / Math.max(members.length, 1)), padded, count: 1 };
}

/** Returns a vector of a list. */
export function vectorAt({ values, padded }: Pick<VectorList, 'values' | 'padded'>, index: number): Float32Array {
  return values.subarray(index * padded, (index + 1) * padded);
}

/** Finds the nearest of some centroids. */
class Nearest {
  readonly #kernel: CodeKernel;
  readonly #count: number;
  readonly #blocks: number;
  readonly #vector: number;
  readonly #centroids: number;
  readonly #dots: number;
  readonly #halves: Float32Array;

  constructor({ values, padded, count }: VectorList, kernel: CodeKernel) {
    this.#kernel = kernel;
    this.#count = count;
    this.#blocks = padded / FLOAT_BLOCK;
    this.#vector = this.#kernel.allocate(4 * padded);
    this.#centroids = this.#kernel.allocate(4 * values.length);
    this.#dots = this.#kernel.allocate(4 * count);
    this.#halves = new Float32Array(count);
    this.take(values);
  }

  take(values: Float32Array): void {
    this.#kernel.numbers.set(values, this.#centroids / 4);
    for (let at = 0; at < this.#count; at++) this.#halves[at] = halfSquare(values, at, values.length / this.#count);
  }

  find(vector: Float32Array): number {
    const keys = this.keys(vector);
    let best = 0;
    for (let at = 1; at < this.#count; at++) if (keys[at]! > keys[best]!) best = at;
    return best;
  }

  /** Returns q·c − |c|²/2 for each centroid c; the greatest is the nearest. The array is valid until the next call. */
  keys(vector: Float32Array): Float32Array {
    const { numbers } = this.#kernel;
    numbers.set(vector, this.#vector / 4);
    this.#kernel.floats(this.#vector, this.#centroids, this.#count, this.#blocks, this.#dots);
    const dots = numbers.subarray(this.#dots / 4, this.#dots / 4 + this.#count);
    for (let at = 0; at < this.#count; at++) dots[at]! -= this.#halves[at]!;
    return dots;
  }
}

function halfSquare(values: Float32Array, at: number, padded: number): number {
  let square = 0;
  for (let i = at * padded; i < (at + 1) * padded; i++) square += values[i]! * values[i]!;
  return square / 2;
}

/** Finds the cluster of a vector: the nearest one in the nearest few groups. Clusters are numbered through all groups. */
export class ClusterFinder {
  readonly #groups: Nearest;
  readonly #clusters: readonly Nearest[];
  readonly #firsts: readonly number[];
  readonly #tried: number;
  readonly clusterCount: number;

  constructor({ groups, clusters }: TrainedClusters) {
    const kernel = new CodeKernel();
    this.#groups = new Nearest(groups, kernel);
    this.#clusters = clusters.map((list) => new Nearest(list, kernel));
    let first = 0;
    this.#firsts = clusters.map(({ count }) => {
      first += count;
      return first - count;
    });
    this.#tried = Math.min(GROUPS_TRIED, groups.count);
    this.clusterCount = first;
  }

  /** Returns q·c − |c|²/2 for the centroid c of each cluster. */
  keys(vector: Float32Array): Float32Array {
    const all = new Float32Array(this.clusterCount);
    for (const [group, clusters] of this.#clusters.entries()) all.set(clusters.keys(vector), this.#firsts[group]);
    return all;
  }

  find(vector: Float32Array): number {
    const keys = this.#groups.keys(vector).slice();
    let [best, bestKey] = [0, Number.NEGATIVE_INFINITY];
    for (let tried = 0; tried < this.#tried; tried++) {
      let group = 0;
      for (let at = 1; at < keys.length; at++) if (keys[at]! > keys[group]!) group = at;
      keys[group] = Number.NEGATIVE_INFINITY;
      const inside = this.#clusters[group]!.keys(vector);
      for (let at = 0; at < inside.length; at++) {
        if (inside[at]! > bestKey) [best, bestKey] = [this.#firsts[group]! + at, inside[at]!];
      }
    }
    return best;
  }
}
