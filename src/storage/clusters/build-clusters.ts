/**
 * Builds clusters of vectors from rows. A first pass takes a sample to train centroids on; a second pass finds the
 * cluster of each vector and codes it. When the codes of all vectors do not fit into memory at once, the second pass
 * only notes clusters, and further passes code one range of clusters each.
 *
 * Memory: the sample, the codes, four bytes for each row, and the sink's buffers.
 */
import { nextTurn } from '../../base/index.ts';
import {
  type CentroidList,
  ClusteredCodes,
  ClusterFinder,
  CodeShape,
  centroidsIn,
  entryBytes,
  measureTail,
  newCentroidList,
  quantiseCentroid,
  type TailTable,
  type TrainedClusters,
  trainClusters,
  vectorAt,
} from '../../search/index.ts';
import { LARGEST_PAGE_BYTES, type PageSequence, type PageSink } from '../artefacts/artefact-kind.ts';
import type { CoveredRows } from '../artefacts/covered-rows.ts';
import { pauseIfDue } from '../files/background-thread.ts';
import { type ClustersDirectory, type ClustersSubject, TAIL_UNIT } from './clusters-directory.ts';
import { dimensionsIn, eachVector, type VectorRequest } from './vector-rows.ts';

/** The limits of building clusters. */
export interface ClusterLimits {
  readonly sampleBytes: number;
  /** The most bytes of codes that are collected at once. */
  readonly codeBytes: number;
}

/** The limits of building clusters outside of tests. */
export const CLUSTER_LIMITS: ClusterLimits = { sampleBytes: 160 * 2 ** 20, codeBytes: 320 * 2 ** 20 };

/** The average number of vectors of a cluster. */
const VECTORS_PER_CLUSTER = 256;
/** The least vectors per cluster that the sample has. */
const SAMPLE_PER_CLUSTER = 8;
/** The most vectors per cluster that the sample has: more make no better centroids. */
const MOST_SAMPLE_PER_CLUSTER = 40;
/** The number of vectors between two calls of `pauseIfDue`. */
const VECTORS_PER_PAUSE = 16;
const NO_CLUSTER = 0xffff_ffff;

/** Builds clusters of the vectors in the column of this name. */
export async function buildClusters(
  column: string,
  subject: ClustersSubject,
  rows: CoveredRows,
  pages: PageSink,
  limits: ClusterLimits = CLUSTER_LIMITS,
): Promise<ClustersDirectory> {
  const dimensions = subject.dimensions > 0 ? subject.dimensions : await dimensionsOf(column, rows);
  const empty = { rows: rows.count, entries: 0, dimensions, isDense: false, groups: 0, clusters: 0, groupPages: 0, tail: [] };
  if (dimensions === 0) return empty;
  const shape = new CodeShape(dimensions);
  const request = { column, shape, similarity: subject.similarity };
  const { sample, entries, areVectors } = await takeSample(request, rows, limits);
  if (entries === 0) return empty;
  const wanted = Math.max(1, Math.min(Math.round(entries / VECTORS_PER_CLUSTER), Math.floor(sample.count / SAMPLE_PER_CLUSTER)));
  const trained = await trainClusters(sample, wanted, centroidsIn(shape, LARGEST_PAGE_BYTES), pause);
  const builder = new ClusterWriter(request, rows, trained, limits);
  const tail = await builder.measureTail(sample);
  return {
    ...(await builder.write(entries, pages)),
    rows: rows.count,
    entries,
    dimensions,
    isDense: areVectors && entries === rows.count,
    tail,
  };
}

async function pause(): Promise<void> {
  pauseIfDue();
  await nextTurn();
}

/** Thrown to end a pass over rows that has found its result. */
class Found extends Error {}

async function dimensionsOf(column: string, rows: CoveredRows): Promise<number> {
  let dimensions = 0;
  try {
    await rows.each([column], (batch) => {
      dimensions = dimensionsIn(batch, column);
      if (dimensions > 0) throw new Found();
    });
  } catch (error) {
    if (!(error instanceof Found)) throw error;
  }
  return dimensions;
}

interface Sample {
  readonly values: Float32Array;
  readonly padded: number;
  readonly count: number;
}

/** Samples vectors at equal distances, and counts all of them. */
async function takeSample(
  request: VectorRequest,
  rows: CoveredRows,
  { sampleBytes }: ClusterLimits,
): Promise<{ readonly sample: Sample; readonly entries: number; readonly areVectors: boolean }> {
  const { padded } = request.shape;
  const most = Math.max(
    1,
    Math.min(Math.floor(sampleBytes / (4 * padded)), Math.ceil((rows.count * MOST_SAMPLE_PER_CLUSTER) / VECTORS_PER_CLUSTER)),
  );
  const step = Math.max(1, Math.ceil(rows.count / most));
  const values = new Float32Array(Math.ceil(rows.count / step) * padded);
  let [entries, count] = [0, 0];
  let areVectors = true;
  await rows.each([request.column], (batch) => {
    areVectors &&= batch.columns.get(request.column)?.kind === 'vector';
    eachVector(batch, request, (vector) => {
      if (entries++ % step === 0) values.set(vector, count++ * padded);
      if (entries % VECTORS_PER_PAUSE === 0) pauseIfDue();
    });
  });
  return { sample: { values: values.subarray(0, count * padded), padded, count }, entries, areVectors };
}

class ClusterWriter {
  readonly #request: VectorRequest;
  readonly #rows: CoveredRows;
  readonly #trained: TrainedClusters;
  readonly #limits: ClusterLimits;
  readonly #finder: ClusterFinder;
  /** For each group the list of its centroids, as codes. */
  readonly #lists: readonly { readonly bytes: Uint8Array; readonly list: CentroidList }[];
  readonly #centroids: Float32Array;
  /** The cluster of the vector at each position. */
  readonly #clusterOf: Uint32Array;
  readonly #squares: Float64Array;
  readonly #counts: Uint32Array;

  constructor(request: VectorRequest, rows: CoveredRows, trained: TrainedClusters, limits: ClusterLimits) {
    this.#request = request;
    this.#rows = rows;
    this.#trained = trained;
    this.#limits = limits;
    this.#finder = new ClusterFinder(trained);
    const { padded } = request.shape;
    this.#centroids = new Float32Array(this.#finder.clusterCount * padded);
    let first = 0;
    this.#lists = trained.clusters.map((clusters) => {
      const made = newCentroidList(request.shape, clusters.count);
      writeCentroids(clusters, made.list, this.#centroids.subarray(first * padded));
      first += clusters.count;
      return made;
    });
    this.#clusterOf = new Uint32Array(rows.count).fill(NO_CLUSTER);
    this.#squares = new Float64Array(this.#finder.clusterCount);
    this.#counts = new Uint32Array(this.#finder.clusterCount);
  }

  async measureTail(sample: Sample): Promise<TailTable> {
    const clusterOf = new Uint32Array(sample.count);
    for (let i = 0; i < sample.count; i++) {
      clusterOf[i] = this.#finder.find(vectorAt(sample, i));
      if (i % VECTORS_PER_PAUSE === 0) pauseIfDue();
      if ((i & 0xfff) === 0xfff) await nextTurn();
    }
    return measureTail(sample, clusterOf, this.#finder).map((list) => list.map((gain) => Math.round(gain * TAIL_UNIT)));
  }

  async write(entries: number, sink: PageSink): Promise<Pick<ClustersDirectory, 'groups' | 'clusters' | 'groupPages'>> {
    const [groups, centroids, pages] = [sink.begin(), sink.begin(), sink.begin()];
    const bytes = entryBytes(this.#request.shape);
    const { clusterCount } = this.#finder;
    if (entries * bytes <= this.#limits.codeBytes) await this.#writeClusters({ first: 0, end: clusterCount, most: entries }, pages);
    else {
      await this.#eachVector((vector, position) => void this.#find(vector, position));
      for (const range of this.#ranges(Math.max(1, Math.floor(this.#limits.codeBytes / bytes)))) await this.#writeClusters(range, pages);
    }
    await this.#writeCentroids(centroids);
    await this.#writeGroups(groups);
    return { groups: this.#lists.length, clusters: clusterCount, groupPages: groups.pageCount };
  }

  /** Returns the cluster of a vector, which is found at the first call and noted. */
  #find(vector: Float32Array, position: number): number {
    const known = this.#clusterOf[position]!;
    if (known !== NO_CLUSTER) return known;
    const cluster = this.#finder.find(vector);
    this.#clusterOf[position] = cluster;
    this.#counts[cluster]!++;
    return cluster;
  }

  async #eachVector(take: (vector: Float32Array, position: number) => void): Promise<void> {
    let seen = 0;
    await this.#rows.each([this.#request.column], (batch) =>
      eachVector(batch, this.#request, (vector, position) => {
        take(vector, position);
        if (++seen % VECTORS_PER_PAUSE === 0) pauseIfDue();
      }),
    );
  }

  /** Divides the clusters into ranges with at most `most` vectors each; a larger cluster is a range of its own. */
  #ranges(most: number): ClusterRange[] {
    const ranges: ClusterRange[] = [];
    let [first, vectors] = [0, 0];
    for (const [cluster, count] of this.#counts.entries()) {
      if (vectors > 0 && vectors + count > most) {
        ranges.push({ first, end: cluster, most: vectors });
        [first, vectors] = [cluster, 0];
      }
      vectors += count;
    }
    return [...ranges, { first, end: this.#counts.length, most: vectors }];
  }

  async #writeClusters({ first, end, most }: ClusterRange, pages: PageSequence): Promise<void> {
    const { shape } = this.#request;
    const codes = new ClusteredCodes(shape, most);
    await this.#eachVector((vector, position) => {
      const cluster = this.#find(vector, position);
      if (cluster < first || cluster >= end) return;
      const centroid = this.#centroids.subarray(cluster * shape.padded, (cluster + 1) * shape.padded);
      this.#squares[cluster]! += codes.add(vector, centroid, cluster, position);
    });
    let place = this.#placeOf(first);
    for (const { cluster, bytes } of codes.pages(first, end, LARGEST_PAGE_BYTES)) {
      while (place.first + place.list.count <= cluster) place = this.#placeOf(place.first + place.list.count);
      const at = cluster - place.first;
      if (place.list.pageCounts[at]! === 0) place.list.firstPages[at] = pages.pageCount;
      place.list.pageCounts[at]!++;
      await pages.add(bytes);
      pauseIfDue();
    }
  }

  /** Returns the list that has a cluster, and the first cluster in that list. */
  #placeOf(cluster: number): { readonly list: CentroidList; readonly first: number } {
    let first = 0;
    for (const { list } of this.#lists) {
      if (cluster < first + list.count) return { list, first };
      first += list.count;
    }
    throw new RangeError(`cluster ${cluster} is in no group`);
  }

  async #writeCentroids(pages: PageSequence): Promise<void> {
    let first = 0;
    for (const { bytes, list } of this.#lists) {
      for (let at = 0; at < list.count; at++) {
        const entries = this.#counts[first + at]!;
        list.entries[at] = entries;
        list.radii[at] = entries === 0 ? 0 : Math.sqrt(this.#squares[first + at]! / entries);
      }
      first += list.count;
      await pages.add(bytes);
    }
  }

  async #writeGroups(pages: PageSequence): Promise<void> {
    const { groups } = this.#trained;
    const { bytes, list } = newCentroidList(this.#request.shape, groups.count);
    writeCentroids(groups, list, new Float32Array(groups.values.length));
    for (let group = 0; group < groups.count; group++) {
      list.firstPages[group] = group;
      list.pageCounts[group] = 1;
      list.entries[group] = this.#lists[group]!.list.count;
    }
    for (let at = 0; at < bytes.length; at += LARGEST_PAGE_BYTES) await pages.add(bytes.slice(at, at + LARGEST_PAGE_BYTES));
  }
}

/** The clusters from `first` to before `end`, which have at most `most` vectors together. */
interface ClusterRange {
  readonly first: number;
  readonly end: number;
  readonly most: number;
}

/** Writes the codes of centroids into a list, and the vectors that these codes stand for into `exact`. */
function writeCentroids(centroids: Sample, list: CentroidList, exact: Float32Array): void {
  const { padded } = centroids;
  for (let at = 0; at < centroids.count; at++) {
    const centroid = vectorAt(centroids, at).slice();
    list.scales[at] = quantiseCentroid(centroid, list.codes.subarray(at * padded, (at + 1) * padded));
    list.halves[at] = centroid.reduce((sum, each) => sum + each * each, 0) / 2;
    exact.set(centroid, at * padded);
  }
}
