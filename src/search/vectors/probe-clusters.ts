/**
 * Searches clusters for the vectors that are nearest to a query. The nearest clusters are read first. After some of
 * them the search estimates how many of the nearest vectors the remaining clusters may hold (`tail-table.ts`), and it
 * ends once these are few enough for the recall that is asked for.
 *
 * In each page the upper halves of all codes are compared, then the lower halves of those that may be among the best.
 * The filter is asked about the latter only. Results are ordered by their codes: the caller compares the vectors
 * themselves.
 *
 * Cost: one byte per component for each centroid, half a byte per component for each vector of the clusters that are read.
 */

import { type CentroidList, type EntryPage, entryBytes } from './cluster-pages.ts';
import { CodeKernel } from './code-kernel.ts';
import {
  CODE_ORIGIN,
  type CodeShape,
  centroidDot,
  DEVIATION_OF_LOWER,
  MEAN_OF_LOWER,
  type QuantisedQuery,
  quantiseQuery,
} from './code-shape.ts';
import { KeptCandidates } from './kept-candidates.ts';
import { RankedClusters } from './ranked-clusters.ts';
import { listOfRank, type TailTable } from './tail-table.ts';

/** Clusters of one artefact, wherever its pages are. */
export interface ClusterSource {
  readonly shape: CodeShape;
  readonly tail: TailTable;
  /** The number of clusters in all groups together. */
  readonly clusterCount: number;
  readonly groups: CentroidList;
  /** Returns the centroids of a group; null: their page is not in memory, and was noted as missing. */
  centroids(group: number): CentroidList | null;
  entries(page: number): EntryPage | null;
  /** Whether all pages are in memory. */
  readonly isResident: boolean;
}

/** A search in clusters. */
export interface ProbeRequest {
  /** The sources to search; all have the same shape. */
  readonly sources: readonly ClusterSource[];
  /** The query; for the cosine its length is one. */
  readonly query: Float32Array;
  readonly wanted: number;
  /** The recall to reach, above 0 and at most 1; with 1 all clusters are read. */
  readonly recall: number;
  /** The share of all vectors that `accepts` is expected to accept. */
  readonly share: number;
  /** Tells whether a vector, given by source and position, may be found. */
  accepts(source: number, position: number): boolean;
  /** Counts steps that come next. True: others should run. */
  worked(steps: number): boolean;
}

/** The result of a search in clusters. */
export interface Probed {
  /** The vectors found, best first; more than are wanted, if there are more. */
  readonly found: readonly { readonly source: number; readonly position: number }[];
  readonly clusters: number;
  readonly pages: number;
  readonly candidates: number;
  /** The estimated recall. */
  readonly estimate: number;
  /** Whether some page was not in memory, and was noted as missing. */
  readonly isPartial: boolean;
}

/** How many candidates are kept beside the wanted ones, and in addition which share of these. */
const FIRST_SPARE = 12;
const SPARE_SHARE = 0.25;
/** How many standard deviations the upper halves may be off before the lower halves are not read. */
const CERTAINTY = 2.5;
/** How many vectors count as one step of work. */
const VECTORS_PER_STEP = 8;
/** Where a smaller share of the vectors is accepted, the filter is asked before vectors are compared. */
const FEW_ACCEPTED = 0.25;
/** The next estimate is made after this many times the clusters of the last one. */
const NEXT_ESTIMATE = 1.3;
/** How many candidates are kept beside the wanted ones where reading each vector is a request. */
const SPARE_BY_PAGE = 4;
/** Limits where pages are not in memory: bytes of entries to ask for at once, and groups whose centroids are read. */
const BYTES_AT_ONCE = 500_000;
const GROUPS_BY_PAGE = 12;

/** The state that a thread keeps for a source: its centroids, in the memory of the kernel. */
class Ranker {
  readonly kernel = new CodeKernel();
  readonly query: number;
  readonly #codes: number;
  readonly #dots: number;
  readonly page: number;
  readonly pageDots: number;
  readonly lower: number;
  readonly lowerDot: number;
  readonly #firsts: number[] = [];
  readonly #lists: (CentroidList | null)[];
  readonly #groupCodes: number;
  readonly #shape: CodeShape;

  constructor({ shape, groups, clusterCount }: ClusterSource) {
    const { kernel } = this;
    this.#shape = shape;
    this.query = kernel.allocate(shape.padded);
    this.page = kernel.allocate(MOST_ENTRIES * shape.planeBytes);
    this.pageDots = kernel.allocate(4 * MOST_ENTRIES);
    this.lower = kernel.allocate(shape.planeBytes);
    this.lowerDot = kernel.allocate(4);
    this.#groupCodes = kernel.allocate(groups.count * shape.centroidBytes);
    this.#codes = kernel.allocate(clusterCount * shape.centroidBytes);
    this.#dots = kernel.allocate(4 * Math.max(clusterCount, groups.count));
    groups.codes.copy(kernel.memory, this.#groupCodes);
    let first = 0;
    for (let group = 0; group < groups.count; group++) {
      this.#firsts.push(first);
      first += groups.entries[group]!;
    }
    this.#lists = Array.from({ length: groups.count }, () => null);
  }

  /** Returns the squared distance from the query to the centroid of each group. */
  groupDistances({ groups }: ClusterSource, query: QuantisedQuery): Float64Array {
    const { kernel } = this;
    kernel.bytes(this.query, this.#groupCodes, groups.count, this.#shape.byteBlocks, this.#dots);
    return Float64Array.from({ length: groups.count }, (_, i) => {
      const dot = centroidDot(kernel.integers[this.#dots / 4 + i]!, groups.scales[i]!, query);
      return Math.max(query.square - 2 * (dot - groups.halves[i]!), 0);
    });
  }

  /** Returns the centroids of a group; null: they are not in memory. */
  list(source: ClusterSource, group: number): CentroidList | null {
    const known = this.#lists[group]!;
    if (known !== null) return known;
    const list = source.centroids(group);
    if (list === null) return null;
    list.codes.copy(this.kernel.memory, this.#codes + this.#firsts[group]! * this.#shape.centroidBytes);
    this.#lists[group] = list;
    return list;
  }

  /** Computes the dot products with the centroids of a group. Returns where they begin in the kernel's integers. */
  dots(group: number, count: number): number {
    const first = this.#firsts[group]!;
    const { centroidBytes, byteBlocks } = this.#shape;
    const out = this.#dots + 4 * first;
    this.kernel.bytes(this.query, this.#codes + first * centroidBytes, count, byteBlocks, out);
    return out / 4;
  }
}

/** The most entries that a page has, whatever the size of its vectors. */
export const MOST_ENTRIES = 1024;

const rankers = new WeakMap<ClusterSource, Ranker>();

function rankerOf(source: ClusterSource): Ranker {
  let ranker = rankers.get(source);
  if (ranker === undefined) {
    ranker = new Ranker(source);
    rankers.set(source, ranker);
  }
  return ranker;
}

interface Page {
  readonly source: number;
  readonly page: EntryPage;
  /** The dot product q·c of the query and the centroid. */
  readonly dot: number;
}

/** Searches the clusters; yields null wherever others may run. */
export function* probeClusters(request: ProbeRequest): Generator<null, Probed, void> {
  const { sources, wanted, recall, share } = request;
  const isByPage = sources.some((source) => !source.isResident);
  const spare = isByPage ? SPARE_BY_PAGE : FIRST_SPARE + Math.ceil(wanted * SPARE_SHARE);
  const kept = new KeptCandidates(wanted + spare);
  const counters = { clusters: 0, pages: 0, candidates: 0 };
  const queries = sources.map((source) => loadQuery(rankerOf(source), request.query));
  const [{ square }] = queries as [QuantisedQuery];
  const ranked = new RankedClusters(sources.reduce((sum, { clusterCount }) => sum + clusterCount, 0));
  let isPartial = rank(request, queries, ranked);
  if (request.worked(Math.ceil(ranked.size / VECTORS_PER_STEP))) {
    yield null;
    for (const source of sources) loadQuery(rankerOf(source), request.query);
  }
  const looked = sources.map(() => 0);
  let [missingBytes, nextEstimate, estimate] = [0, 2, 0];
  while (ranked.size > 0) {
    if (counters.clusters >= nextEstimate) {
      nextEstimate = Math.ceil(counters.clusters * NEXT_ESTIMATE);
      const tails = sources.map(({ tail }, source) => tail[listOfRank(looked[source]!)] ?? []);
      estimate = kept.count < wanted ? 0 : 1 - ranked.expected(square - 2 * kept.keyOf(wanted), tails, share) / wanted;
      if (estimate >= recall && recall < 1) break;
    }
    if (missingBytes >= BYTES_AT_ONCE) break;
    const { source, list, at, distance } = ranked.next();
    counters.clusters++;
    looked[source]!++;
    const dot = (square - distance) / 2 + list.halves[at]!;
    const first = list.firstPages[at]!;
    for (let page = first; page < first + list.pageCounts[at]!; page++) {
      const entries = sources[source]!.entries(page);
      if (entries === null) {
        isPartial = true;
        missingBytes += (entryBytes(sources[source]!.shape) * list.entries[at]!) / list.pageCounts[at]!;
        continue;
      }
      counters.pages++;
      counters.candidates += entries.count;
      const others = request.worked(Math.ceil(entries.count / VECTORS_PER_STEP));
      lookAt({ source, page: entries, dot }, request, queries[source]!, kept);
      if (!others) continue;
      yield null;
      for (const each of sources) loadQuery(rankerOf(each), request.query);
    }
  }
  if (ranked.size === 0 && !isPartial) estimate = 1;
  return { found: kept.best(), ...counters, estimate: Math.max(0, estimate), isPartial };
}

function loadQuery(ranker: Ranker, query: Float32Array): QuantisedQuery {
  const { signed } = ranker.kernel;
  signed.fill(0, ranker.query, ranker.query + query.length + 32 - (query.length % 32 || 32));
  return quantiseQuery(query, signed.subarray(ranker.query, ranker.query + query.length));
}

/** Adds the clusters of all sources to the ranking. Returns whether some were not in memory, and were noted as missing. */
function rank({ sources }: ProbeRequest, queries: readonly QuantisedQuery[], ranked: RankedClusters): boolean {
  let isPartial = false;
  for (const [index, source] of sources.entries()) {
    const ranker = rankerOf(source);
    const query = queries[index]!;
    for (const group of groupsOf(source, ranker, query)) {
      const list = ranker.list(source, group);
      if (list === null) {
        isPartial = true;
        continue;
      }
      const dots = ranker.dots(group, list.count);
      const { integers } = ranker.kernel;
      ranked.add(index, list, (at) => {
        const dot = centroidDot(integers[dots + at]!, list.scales[at]!, query);
        return Math.max(query.square - 2 * (dot - list.halves[at]!), 0);
      });
    }
  }
  ranked.order();
  return isPartial;
}

/** Returns the groups to search: all where they are in memory, else the nearest few. */
function groupsOf(source: ClusterSource, ranker: Ranker, query: QuantisedQuery): Iterable<number> {
  const { count } = source.groups;
  const groups = Array.from({ length: count }, (_, group) => group);
  if (source.isResident) return groups;
  const distances = ranker.groupDistances(source, query);
  return groups.sort((a, b) => distances[a]! - distances[b]!).slice(0, GROUPS_BY_PAGE);
}

function lookAt({ source, page, dot }: Page, request: ProbeRequest, query: QuantisedQuery, kept: KeptCandidates): void {
  const { shape } = request.sources[source]!;
  const ranker = rankerOf(request.sources[source]!);
  const { kernel } = ranker;
  const { nibbleBlocks, planeBytes } = shape;
  const { count, scales, halves, positions, bytes } = page;
  if (request.share < FEW_ACCEPTED) return lookAtAccepted({ source, page, dot }, request, query, kept);
  bytes.copy(kernel.memory, ranker.page, page.upper, page.lower);
  kernel.nibbles(ranker.query, ranker.page, count, nibbleBlocks, ranker.pageDots);
  const { integers } = kernel;
  const dots = ranker.pageDots / 4;
  const step = 16 * query.scale;
  const origin = (CODE_ORIGIN - MEAN_OF_LOWER) * query.sum;
  const margin = CERTAINTY * DEVIATION_OF_LOWER * Math.sqrt(query.square);
  let { threshold } = kept;
  for (let i = 0; i < count; i++) {
    const scale = scales[i]!;
    const residual = step * integers[dots + i]! - origin;
    if (dot - halves[i]! + scale * (residual + margin) <= threshold) continue;
    bytes.copy(kernel.memory, ranker.lower, page.lower + i * planeBytes, page.lower + (i + 1) * planeBytes);
    kernel.nibbles(ranker.query, ranker.lower, 1, nibbleBlocks, ranker.lowerDot);
    const rest = query.scale * integers[ranker.lowerDot / 4]! - MEAN_OF_LOWER * query.sum;
    const key = dot - halves[i]! + scale * (residual + rest);
    if (key <= threshold || !request.accepts(source, positions[i]!)) continue;
    kept.add(key, source, positions[i]!);
    threshold = kept.threshold;
  }
}

/** Compares the accepted vectors of a page where these are few: the filter is asked before the distance is computed. */
function lookAtAccepted({ source, page, dot }: Page, request: ProbeRequest, query: QuantisedQuery, kept: KeptCandidates): void {
  const { nibbleBlocks, planeBytes } = request.sources[source]!.shape;
  const { kernel, query: queryAt, page: codes, pageDots } = rankerOf(request.sources[source]!);
  const { count, scales, halves, positions, bytes } = page;
  const { integers } = kernel;
  for (let i = 0; i < count; i++) {
    if (!request.accepts(source, positions[i]!)) continue;
    bytes.copy(kernel.memory, codes, page.upper + i * planeBytes, page.upper + (i + 1) * planeBytes);
    bytes.copy(kernel.memory, codes + planeBytes, page.lower + i * planeBytes, page.lower + (i + 1) * planeBytes);
    kernel.nibbles(queryAt, codes, 2, nibbleBlocks, pageDots);
    const steps = 16 * integers[pageDots / 4]! + integers[pageDots / 4 + 1]!;
    const key = dot - halves[i]! + scales[i]! * (query.scale * steps - CODE_ORIGIN * query.sum);
    if (key > kept.threshold) kept.add(key, source, positions[i]!);
  }
}
