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

/** Opens one to be read by page. Where the list of its pages is one, it is read now, beside whatever else is opened. Null: it is damaged, which is noted. */
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

/** The artefact that tells about all of these files, and no other; null: there is none. */
export function artefactOver(
  manifest: Pick<Manifest, 'tables' | 'artefacts'>,
  { table, files }: TableInFiles,
  question: Pick<ArtefactQuestion, 'kind' | 'subject'>,
): ManifestArtefact | null {
  const isOverAll = ({ covers }: ManifestArtefact): boolean =>
    covers.files.length === files.length && files.every(({ reader }, i) => reader.file.key === covers.files[i]);
  return findArtefacts(manifest, { ...question, table }).find(isOverAll) ?? null;
}
