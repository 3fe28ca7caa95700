/** Which artefacts tell about a table as it lies in files, all of it at once. */
import { type Manifest, type ManifestArtefact, type TableName, tableId } from '../../storage/index.ts';
import type { PagedFile } from '../paged/paged-numbers.ts';

/** A table and the files that it lies in. */
export interface TableInFiles {
  readonly table: TableName;
  readonly files: readonly PagedFile[];
}

/** Those of a kind that cover just these files. */
export function coveringArtefacts(
  { artefacts }: Pick<Manifest, 'artefacts'>,
  kindName: string,
  { table, files }: TableInFiles,
): ManifestArtefact[] {
  return artefacts.filter(
    ({ kind, covers }) =>
      kind === kindName &&
      tableId(covers.table) === tableId(table) &&
      covers.files.length === files.length &&
      files.every(({ reader }, i) => reader.file.key === covers.files[i]),
  );
}
