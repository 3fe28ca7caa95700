/** Clusters whose pages are all in memory, in buffers that all threads share. */
import {
  type CentroidList,
  type ClusterSource,
  CodeShape,
  type EntryPage,
  openCentroidList,
  openEntryPage,
  type TailTable,
} from '../../search/index.ts';

/** The pages of clusters, as verified bytes in shared memory, from which any thread can open them. */
export interface ClusterPages {
  readonly dimensions: number;
  readonly tail: TailTable;
  readonly groups: Uint8Array;
  /** The centroids of each group. */
  readonly centroids: readonly Uint8Array[];
  readonly entries: readonly Uint8Array[];
}

/** Clusters that are in memory. */
export class ResidentClusters implements ClusterSource {
  readonly shape: CodeShape;
  readonly tail: TailTable;
  readonly groups: CentroidList;
  readonly clusterCount: number;
  readonly isResident = true;
  readonly #centroids: readonly CentroidList[];
  readonly #pages: readonly Uint8Array[];
  /** The pages of entries that have been opened; each is opened when it is first asked for. */
  readonly #entries: (EntryPage | undefined)[] = [];

  constructor({ dimensions, tail, groups, centroids, entries }: ClusterPages) {
    this.shape = new CodeShape(dimensions);
    this.tail = tail;
    this.groups = openCentroidList(this.shape, groups)!; // It was checked when it was read.
    this.clusterCount = this.groups.entries.reduce((sum, count) => sum + count, 0);
    this.#centroids = centroids.map((page) => openCentroidList(this.shape, page)!);
    this.#pages = entries;
  }

  centroids(group: number): CentroidList {
    return this.#centroids[group]!;
  }

  entries(page: number): EntryPage {
    return (this.#entries[page] ??= openEntryPage(this.shape, this.#pages[page]!)!);
  }
}
