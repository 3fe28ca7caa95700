/** The kinds of artefacts that this release builds and reads, and the look-up of usable artefacts in a manifest. */
import { adjacencyKind } from './adjacency/adjacency-kind.ts';
import type { ArtefactRecord, Manifest, ManifestArtefact, TableName } from './api.ts';
import type { ArtefactKind } from './artefacts/artefact-kind.ts';
import { clustersKind } from './clusters/clusters-kind.ts';
import { subjectId } from './manifest/edit-artefacts.ts';
import { tableId } from './manifest/table-id.ts';
import { rangeKind } from './range/range-kind.ts';

/** The kinds of artefacts of this release. */
export const BUILT_IN_KINDS: readonly ArtefactKind[] = [adjacencyKind, rangeKind, clustersKind];

/** The table, kind and subject of the artefacts to find. */
export interface ArtefactQuestion {
  readonly table: TableName;
  readonly kind: 'adjacency' | 'range' | 'clusters';
  /**
   * The subject, by kind: `{direction: 'outgoing' | 'incoming'}`, `{keys: [property keys]}`, or `{key: property key,
   * similarity: 'COSINE' | 'EUCLIDEAN', dimensions: number}`.
   */
  readonly subject: ArtefactRecord;
}

/**
 * Returns the artefacts over files of the table that this release can read, in the order of these files. The caller
 * reads the rows of files that none covers.
 */
export function findArtefacts(
  { tables, artefacts }: Pick<Manifest, 'tables' | 'artefacts'>,
  { table, kind, subject }: ArtefactQuestion,
): ManifestArtefact[] {
  const files = tables.find((each) => tableId(each) === tableId(table))?.files ?? [];
  const places = new Map(files.map(({ key }, place) => [key, place]));
  const id = subjectId({ kind, subject, covers: { table, files: [], sequence: 0 } });
  const version = BUILT_IN_KINDS.find(({ name }) => name === kind)?.version;
  const placeOf = ({ covers }: ManifestArtefact): number => places.get(covers.files[0]!) ?? -1;
  return artefacts
    .filter((artefact) => artefact.kindVersion === version && subjectId(artefact) === id && placeOf(artefact) >= 0)
    .sort((a, b) => placeOf(a) - placeOf(b));
}
