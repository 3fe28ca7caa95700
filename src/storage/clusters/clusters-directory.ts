/** The directory and the subject of an artefact of clusters. */
import type { Similarity, TailTable } from '../../search/index.ts';
import type { ArtefactReader, ArtefactRecord } from '../api.ts';
import { Place } from '../json-place.ts';

/** The name of this kind of artefact. */
export const CLUSTERS = 'clusters';

/** The version of this kind of artefact. */
export const CLUSTERS_VERSION = 1;

/** The directory of clusters. */
export interface ClustersDirectory {
  /** The number of rows of the files, live or not. */
  readonly rows: number;
  /** The number of live rows with a vector that can be found. */
  readonly entries: number;
  readonly dimensions: number;
  /** Whether every row of the files has a vector of `dimensions` components, so that its place follows from the row. */
  readonly isDense: boolean;
  readonly groups: number;
  readonly clusters: number;
  /** The number of pages of the list of groups; behind them come those of centroids, one per group, then those of entries. */
  readonly groupPages: number;
  /** The distribution of gains by the rank of a cluster (`tail-table.ts`). */
  readonly tail: TailTable;
}

/** Parses the directory of an artefact. @throws CORRUPTION when it is not that of clusters */
export function parseClustersDirectory(reader: ArtefactReader): ClustersDirectory {
  const { files, id, directory: json } = reader.artefact;
  const place = new Place(null, files[0]?.key ?? id, json);
  const count = (name: string): number => place.member(name).count();
  const directory = {
    rows: count('rows'),
    entries: count('entries'),
    dimensions: count('dimensions'),
    isDense: place.member('isDense').flag(),
    groups: count('groups'),
    clusters: count('clusters'),
    groupPages: count('groupPages'),
    tail: place.member('tail').list((list) => list.list((gain) => gain.count() / TAIL_UNIT)),
  };
  const { rows, entries, groups, clusters, groupPages } = directory;
  const isSound = entries <= rows && groups <= clusters && groupPages + groups <= reader.pageCount;
  return isSound || (entries === 0 && reader.pageCount === 0) ? directory : place.fail('one whose clusters have entries and pages');
}

/** The unit of gains, which are stored as whole numbers of 1 / `TAIL_UNIT`. */
export const TAIL_UNIT = 1e4;

/** The subject of clusters. */
export interface ClustersSubject {
  readonly key: string;
  readonly similarity: Similarity;
  /** The number of components of vectors; 0 for that of the first vector. */
  readonly dimensions: number;
}

/** Parses the subject of an artefact. @throws CORRUPTION when it is not that of clusters */
export function parseClustersSubject({ artefact }: Pick<ArtefactReader, 'artefact'>): ClustersSubject {
  const place = new Place(null, artefact.files[0]?.key ?? artefact.id, artefact.subject);
  return subjectAt(place);
}

/** Parses a record as the subject of clusters. @throws CORRUPTION */
export function subjectOf(record: ArtefactRecord): ClustersSubject {
  return subjectAt(new Place(null, CLUSTERS, record));
}

function subjectAt(place: Place): ClustersSubject {
  const similarity = place.member('similarity').name();
  if (similarity !== 'COSINE' && similarity !== 'EUCLIDEAN') return place.fail('a subject with a similarity');
  return { key: place.member('key').name(), similarity, dimensions: place.member('dimensions').count() };
}
