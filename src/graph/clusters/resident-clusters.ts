/** Clusters whose pages are all in memory, shared by all threads. */
import {
  type CentroidList,
  type ClusterSource,
  CodeShape,
  type EntryPage,
  openCentroidList,
  openEntryPage,
  type TailTable,
} from '../../search/index.ts';

/** The pages of which one is made, in any thread: checked bytes in shared memory. */
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
  /** Opened when they are first looked at. */
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
