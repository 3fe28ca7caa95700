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
  /** Rows of the files, live or not. */
  readonly rows: number;
  /** Live rows with a vector that can be found. */
  readonly entries: number;
  readonly dimensions: number;
  /** Every row of the files has a vector of so many components, in a column of vectors: where it stands follows from the row. */
  readonly isDense: boolean;
  readonly groups: number;
  readonly clusters: number;
  /** Pages that the list of groups takes; those of centroids, one for each group, come behind these, then the pages of entries. */
  readonly groupPages: number;
  /** See `tail-table.ts`. */
  readonly tail: TailTable;
}

/** CORRUPTION: it is not one. */
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

/** Gains are kept as whole numbers of this part. */
export const TAIL_UNIT = 1e4;

/** The subject of clusters. */
export interface ClustersSubject {
  readonly key: string;
  readonly similarity: Similarity;
  /** 0: those of the first vector. */
  readonly dimensions: number;
}

/** CORRUPTION: it names no property. */
export function parseClustersSubject({ artefact }: Pick<ArtefactReader, 'artefact'>): ClustersSubject {
  const place = new Place(null, artefact.files[0]?.key ?? artefact.id, artefact.subject);
  return subjectAt(place);
}

/** Parses the subject of clusters. CORRUPTION: it is none. */
export function subjectOf(record: ArtefactRecord): ClustersSubject {
  return subjectAt(new Place(null, CLUSTERS, record));
}

function subjectAt(place: Place): ClustersSubject {
  const similarity = place.member('similarity').name();
  if (similarity !== 'COSINE' && similarity !== 'EUCLIDEAN') return place.fail('a subject with a similarity');
  return { key: place.member('key').name(), similarity, dimensions: place.member('dimensions').count() };
}
