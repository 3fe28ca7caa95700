/** Finds and opens the artefacts that cover the first files of a table. */
import { GraphDBError } from '../../base/index.ts';
import {
  type ArtefactQuestion,
  type ArtefactReader,
  findArtefacts,
  type Manifest,
  type ManifestArtefact,
  type Namespace,
  type TableName,
} from '../../storage/index.ts';
import type { PagedFile } from '../paged/paged-numbers.ts';

/** A table and its files, oldest first. */
export interface TableInFiles {
  readonly table: TableName;
  readonly files: readonly PagedFile[];
}

/**
 * Opens an artefact to be read by page; when it is a single file, its list of pages is read at the same time. Returns
 * null when the artefact is damaged, which is reported to the namespace.
 */
export async function openArtefact<T>(
  namespace: Pick<Namespace, 'openArtefact' | 'foundDamaged'>,
  artefact: ManifestArtefact,
  open: (reader: ArtefactReader) => Promise<T>,
): Promise<T | null> {
  const reader = namespace.openArtefact(artefact);
  try {
    const [opened] = await Promise.all([open(reader), artefact.files.length === 1 ? reader.readPageList(0) : null]);
    return opened;
  } catch (error) {
    if (!(error instanceof GraphDBError) || error.code !== 'CORRUPTION') throw error;
    namespace.foundDamaged(artefact);
    return null;
  }
}

/** The most rows that the files after those covered may have together: all of them are read when the table is opened. */
const MOST_LATER_ROWS = 2 ** 20;

/** An artefact, and how many of the first files of the table it covers. */
export interface CoveringArtefact {
  readonly artefact: ManifestArtefact;
  readonly files: number;
}

/**
 * Returns the artefacts that cover exactly some first files of the table, those with the most files first. The files that
 * an artefact does not cover have at most `MOST_LATER_ROWS` rows.
 */
export function artefactsOver(
  manifest: Pick<Manifest, 'tables' | 'artefacts'>,
  { table, files }: TableInFiles,
  question: Pick<ArtefactQuestion, 'kind' | 'subject'>,
): CoveringArtefact[] {
  const found = findArtefacts(manifest, { ...question, table }).filter(({ covers }) => {
    if (covers.files.length > files.length) return false;
    const rest = files.slice(covers.files.length).reduce((sum, { reader }) => sum + reader.file.rows, 0);
    return rest <= MOST_LATER_ROWS && covers.files.every((key, i) => files[i]!.reader.file.key === key);
  });
  const covering = found.map((artefact) => ({ artefact, files: artefact.covers.files.length }));
  return covering.sort((a, b) => b.files - a.files);
}
