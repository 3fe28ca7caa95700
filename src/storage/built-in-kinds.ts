/** The kinds of artefacts that this release builds and reads, and finding those of them that can be asked. */
import { adjacencyKind } from './adjacency/adjacency-kind.ts';
import type { ArtefactRecord, Manifest, ManifestArtefact, TableName } from './api.ts';
import type { ArtefactKind } from './artefacts/artefact-kind.ts';
import { clustersKind } from './clusters/clusters-kind.ts';
import { subjectId } from './manifest/edit-artefacts.ts';
import { tableId } from './manifest/table-id.ts';
import { rangeKind } from './range/range-kind.ts';

/** The kinds of artefacts of this release. */
export const BUILT_IN_KINDS: readonly ArtefactKind[] = [adjacencyKind, rangeKind, clustersKind];

/** The artefact that is looked for. */
export interface ArtefactQuestion {
  readonly table: TableName;
  readonly kind: 'adjacency' | 'range' | 'clusters';
  /**
   * `{direction: 'outgoing' | 'incoming'}`, `{keys: [property keys]}`, or
   * `{key: property key, similarity: 'COSINE' | 'EUCLIDEAN', dimensions: number}`.
   */
  readonly subject: ArtefactRecord;
}

/**
 * Returns the artefacts over files of the table that this release can read, in the order of these files. Files that
 * none covers are to be looked at themselves.
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
