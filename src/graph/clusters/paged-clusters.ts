/** Clusters read by page as a search needs them: a page that is not in memory is noted, and null is returned for it (decision 0025). */
import type { CentroidList, ClusterSource, CodeShape, EntryPage, TailTable } from '../../search/index.ts';
import type { VectorClusters } from '../../storage/index.ts';
import type { CachedPage, PageCache } from '../paged/page-cache.ts';
import { type Missing, noteMissing } from '../paged/page-faults.ts';
import type { ClusteredRows, RowsOfClusters } from './clustered-rows.ts';

/** Clusters that are read by page. */
export class PagedClusters implements ClusterSource {
  readonly shape: CodeShape;
  readonly tail: TailTable;
  readonly groups: CentroidList;
  readonly clusterCount: number;
  readonly isResident = false;
  readonly #clusters: VectorClusters;
  readonly #cache: PageCache;
  readonly #centroids = new Map<number, CentroidList>();
  readonly #entries = new Map<number, { readonly page: EntryPage } & CachedPage>();
  readonly #missing = new Map<string, Missing>();

  constructor(clusters: VectorClusters, cache: PageCache) {
    this.#clusters = clusters;
    this.#cache = cache;
    this.shape = clusters.shape;
    this.tail = clusters.directory.tail;
    this.groups = clusters.groups;
    this.clusterCount = clusters.directory.clusters;
  }

  centroids(group: number): CentroidList | null {
    const known = this.#centroids.get(group);
    if (known !== undefined) return known;
    const bytes = this.groups.entries[group]! * this.shape.centroidBytes;
    this.#note(`group ${group}`, bytes, async () => void this.#centroids.set(group, await this.#clusters.readCentroids(group)));
    return null;
  }

  entries(page: number): EntryPage | null {
    const known = this.#entries.get(page);
    if (known !== undefined) {
      known.used = this.#cache.now;
      return known.page;
    }
    this.#note(`page ${page}`, PAGE_BYTES, async () => this.#keep(page, await this.#clusters.readEntries(page)));
    return null;
  }

  #keep(index: number, page: EntryPage): void {
    const kept = { page, bytes: page.bytes.length, used: this.#cache.now, drop: () => void this.#entries.delete(index) };
    this.#entries.set(index, kept);
    this.#cache.add(kept);
  }

  #note(what: string, bytes: number, read: () => Promise<void>): void {
    let missing = this.#missing.get(what);
    if (missing === undefined) {
      let loading: Promise<void> | null = null;
      missing = { bytes, load: () => (loading ??= read().finally(() => this.#missing.delete(what))) };
      this.#missing.set(what, missing);
    }
    noteMissing(missing, `${what} of clusters`);
  }
}

/** The estimated bytes of a page of entries, by which missing pages are counted. */
const PAGE_BYTES = 2 ** 17;

/** The first rows of a table, those of the files that a cluster artefact covers. */
export class FirstRows implements ClusteredRows {
  readonly parts: readonly RowsOfClusters[];
  readonly dimensions: number;
  readonly count: number;
  readonly knownRows: number;
  readonly loose = new Uint32Array(0);

  constructor(source: PagedClusters, rows: number, entries: number) {
    this.parts = [{ source, rows: null, firstRow: 0 }];
    this.dimensions = source.shape.dimensions;
    this.knownRows = rows;
    this.count = entries;
  }

  has(row: number): boolean {
    return row < this.knownRows;
  }
}
