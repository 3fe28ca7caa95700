/** Which artefacts tell about a table as it lies in files, all of it at once. */
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

/** A table and the files that it lies in. */
export interface TableInFiles {
  readonly table: TableName;
  readonly files: readonly PagedFile[];
}

/**
 * Opens one to be read by page. Where the list of its pages is one, it is read now, beside whatever else is opened.
 * Null: it is damaged, which is noted.
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

/** Later files may have so many rows together: all of these are read when the table is opened. */
const MOST_LATER_ROWS = 2 ** 20;

/** An artefact, and how many of the first files of the table it tells about. */
export interface CoveringArtefact {
  readonly artefact: ManifestArtefact;
  readonly files: number;
}

/**
 * The artefacts that tell about the first files of the table, and no other; those about the most files first. Files
 * that are left are few rows.
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
