/** Computes the artefacts of the next manifest (pure). */
import { GraphDBError } from '../../base/index.ts';
import type { ArtefactCoverage, ManifestArtefact, ManifestEdit, ManifestTable } from '../api.ts';
import { tableId } from './table-id.ts';

/**
 * Applies an edit to artefacts; `tables` are those of the next manifest. An artefact is removed when one of its covered
 * files is gone (B9), when the edit drops it, or when an added one of its kind and subject covers one of its files.
 * @throws STORE_UNAVAILABLE (retriable) when a file that an added artefact covers does not exist any more
 */
export function editArtefacts(
  artefacts: readonly ManifestArtefact[],
  tables: readonly ManifestTable[],
  { addArtefacts = [], dropArtefacts = [] }: Pick<ManifestEdit, 'addArtefacts' | 'dropArtefacts'>,
): ManifestArtefact[] {
  const keysOf = new Map(tables.map((table) => [tableId(table), new Set(table.files.map(({ key }) => key))]));
  const isThere = ({ covers: { table, files } }: ManifestArtefact): boolean => {
    const keys = keysOf.get(tableId(table));
    return keys !== undefined && files.every((key) => keys.has(key));
  };
  const dropped = new Set(dropArtefacts);
  const gone = addArtefacts.find((artefact) => !isThere(artefact));
  if (gone !== undefined) throw new GraphDBError('STORE_UNAVAILABLE', `files that artefact ${gone.id} covers are gone; try again`);
  const isReplaced = (artefact: ManifestArtefact): boolean =>
    addArtefacts.some((added) => isSameSubject(added, artefact) && coversTheSame(added.covers, artefact.covers));
  const kept = artefacts.filter((artefact) => !dropped.has(artefact.id) && isThere(artefact) && !isReplaced(artefact));
  return [...kept, ...addArtefacts];
}

/** Whether two artefacts, regardless of their versions, have one kind, table and subject. */
export function isSameSubject(a: ManifestArtefact, b: ManifestArtefact): boolean {
  return subjectId(a) === subjectId(b);
}

/** Returns a text that is unique to the kind, table and subject of an artefact. */
export function subjectId({ kind, subject, covers: { table } }: Pick<ManifestArtefact, 'kind' | 'subject' | 'covers'>): string {
  return JSON.stringify([kind, tableId(table), subject]);
}

function coversTheSame({ files }: ArtefactCoverage, other: ArtefactCoverage): boolean {
  return files.some((key) => other.files.includes(key));
}
