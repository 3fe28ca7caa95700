/** Opens clusters of vectors for a search, which reads the groups at once, centroids and entries by page. */
import { type CentroidList, CodeShape, type EntryPage, openCentroidList, openEntryPage } from '../../search/index.ts';
import type { ArtefactReader } from '../api.ts';
import { type ClustersDirectory, parseClustersDirectory } from './clusters-directory.ts';

/** Clusters as a search reads them. */
export interface VectorClusters {
  readonly directory: ClustersDirectory;
  readonly shape: CodeShape;
  readonly groups: CentroidList;
  /** The number of pages of entries. */
  readonly entryPages: number;
  /** Reads the centroids of a group. As every method that reads pages: @throws CORRUPTION */
  readCentroids(group: number): Promise<CentroidList>;
  readEntries(page: number): Promise<EntryPage>;
  /** Reads all pages of groups, centroids and entries into shared memory. */
  readAll(): Promise<AllClusters>;
}

/** Checked pages in shared memory, each at an address that suits numbers of 32 bits. */
export interface AllClusters {
  readonly groups: Uint8Array;
  /** The page of centroids of each group. */
  readonly centroids: readonly Uint8Array[];
  readonly entries: readonly Uint8Array[];
}

/** The number of pages of entries that are read together. */
const PAGES_AT_ONCE = 64;

/** Opens an artefact and reads its groups, by one request; null when it has no vectors. @throws CORRUPTION */
export async function openClusters(reader: ArtefactReader): Promise<VectorClusters | null> {
  const directory = parseClustersDirectory(reader);
  if (directory.entries === 0) return null;
  const shape = new CodeShape(directory.dimensions);
  const firstEntries = directory.groupPages + directory.groups;
  const entryPages = reader.pageCount - firstEntries;
  const groupBytes = joined(await reader.readPages(0, directory.groupPages));
  const groups = openCentroidList(shape, groupBytes);
  if (groups?.count !== directory.groups) throw reader.corruption('it has another number of groups than its directory says');
  const clusters = groups.entries.reduce((sum, count) => sum + count, 0);
  if (clusters !== directory.clusters) throw reader.corruption('its groups have another number of clusters than its directory says');

  const toCentroids = (page: Uint8Array, group: number): CentroidList => {
    const list = openCentroidList(shape, page);
    const isSound =
      list !== null &&
      list.count === groups.entries[group] &&
      list.firstPages.every((first, at) => list.entries[at] === 0 || first + list.pageCounts[at]! <= entryPages);
    if (!isSound) throw reader.corruption(`the centroids of group ${group} cannot be`);
    return list;
  };
  const toEntries = (page: Uint8Array, index: number): EntryPage => {
    const entries = openEntryPage(shape, page);
    if (entries === null || entries.count === 0 || entries.positions.some((position) => position >= directory.rows))
      throw reader.corruption(`page ${index} of its entries cannot be`);
    return entries;
  };
  return {
    directory,
    shape,
    groups,
    entryPages,
    readCentroids: async (group) => toCentroids((await reader.readPages(directory.groupPages + group, 1))[0]!, group),
    readEntries: async (page) => toEntries((await reader.readPages(firstEntries + page, 1))[0]!, page),
    async readAll() {
      const centroids = shared(await reader.readPages(directory.groupPages, directory.groups));
      for (const [group, page] of centroids.entries()) toCentroids(page, group);
      const entries: Uint8Array[] = [];
      for (let first = 0; first < entryPages; first += PAGES_AT_ONCE) {
        for (const page of shared(await reader.readPages(firstEntries + first, Math.min(PAGES_AT_ONCE, entryPages - first)))) {
          toEntries(page, entries.length);
          entries.push(page);
        }
      }
      return { groups: groupBytes, centroids, entries };
    },
  };
}

function joined(pages: readonly Uint8Array[]): Uint8Array {
  const whole = new Uint8Array(new SharedArrayBuffer(pages.reduce((sum, { length }) => sum + length, 0)));
  let at = 0;
  for (const page of pages) {
    whole.set(page, at);
    at += page.length;
  }
  return whole;
}

/** Copies pages into one piece of shared memory. */
function shared(pages: readonly Uint8Array[]): Uint8Array[] {
  const whole = joined(pages);
  let at = 0;
  return pages.map(({ length }) => {
    at += length;
    return whole.subarray(at - length, at);
  });
}
