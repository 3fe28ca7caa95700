/** Opens the relationships of a table in files to be read by page: their ends from the files, and whom they join to whom from the artefacts that cover these. */
import { GraphDBError } from '../../base/index.ts';
import {
  type AdjacencyDirection,
  type ArrayName,
  type Manifest,
  type Namespace,
  openPagedArrays,
  type PagedArrays,
} from '../../storage/index.ts';
import { EMPTY_U32, sharedArray } from '../arrays/shared-array.ts';
import { PagedNumbers } from '../paged/paged-numbers.ts';
import { PagedAdjacency, type PagedCsr, type PagedRelationships } from '../paged/paged-relationships.ts';
import { Pages } from '../paged/pages.ts';
import { ORDINAL_COLUMN, SOURCE_COLUMN, TARGET_COLUMN } from '../tables/table-files.ts';
import { artefactOver, openArtefact, type TableInFiles } from './covering-artefacts.ts';

/** Files whose layouts are read when the table is opened. */
const LAYOUTS_AT_ONCE = 4;

/** A table of which every row lives, and the files that it lies in. */
export interface RelationshipFiles extends TableInFiles {
  readonly rowCount: number;
  /** Row r has the least ordinal of the files plus r. */
  readonly hasDenseOrdinals: boolean;
}

/** Null: no sound artefacts cover just these files. */
export async function openRelationships(
  namespace: Pick<Namespace, 'openArtefact' | 'foundDamaged'>,
  manifest: Pick<Manifest, 'tables' | 'artefacts'>,
  tableInFiles: RelationshipFiles,
): Promise<PagedRelationships | null> {
  const open = async (direction: AdjacencyDirection): Promise<PagedArrays | null> => {
    const artefact = artefactOver(manifest, tableInFiles, { kind: 'adjacency', subject: { direction } });
    if (artefact === null) return null;
    const arrays = await openArtefact(namespace, artefact, openPagedArrays);
    return arrays && namingDamage(arrays, () => namespace.foundDamaged(artefact));
  };
  const { files, rowCount, hasDenseOrdinals } = tableInFiles;
  const layouts = files.slice(0, LAYOUTS_AT_ONCE).map(({ reader }) => reader.readLayout());
  const [outgoing, incoming] = await Promise.all([open('outgoing'), open('incoming'), ...layouts]);
  if (outgoing === null || incoming === null) return null;
  const sources = new PagedNumbers(SOURCE_COLUMN, files, rowCount);
  const targets = new PagedNumbers(TARGET_COLUMN, files, rowCount);
  return {
    ordinals: hasDenseOrdinals ? null : new PagedNumbers(ORDINAL_COLUMN, files, rowCount),
    sources,
    targets,
    outgoing: new PagedAdjacency(csrOf(outgoing, targets)),
    incoming: new PagedAdjacency(csrOf(incoming, sources)),
  };
}

/** Calls back before a page that is damaged or missing is told of. */
function namingDamage(arrays: PagedArrays, onDamage: () => void): PagedArrays {
  return {
    directory: arrays.directory,
    length: (name) => arrays.length(name),
    pageLength: (name, page) => arrays.pageLength(name, page),
    async readPages(name, first, count, into) {
      try {
        await arrays.readPages(name, first, count, into);
      } catch (error) {
        if (error instanceof GraphDBError && error.code === 'CORRUPTION') onDamage();
        throw error;
      }
    },
  };
}

/** `ends`: of each row, the node at the other end. */
function csrOf(arrays: PagedArrays, ends: PagedNumbers): PagedCsr {
  const { base, limit, isTableOrder } = arrays.directory;
  const offsets = pagedArray(arrays, 'offsets');
  const bounds = { base, limit, offsets: offsets.values, offsetPages: offsets.pages };
  if (isTableOrder) return { ...bounds, neighbours: ends.values, neighbourPages: ends.pages, rows: null, rowPages: null };
  const neighbours = pagedArray(arrays, 'neighbours');
  const rows = pagedArray(arrays, 'rows');
  return { ...bounds, neighbours: neighbours.values, neighbourPages: neighbours.pages, rows: rows.values, rowPages: rows.pages };
}

function pagedArray(arrays: PagedArrays, name: ArrayName): { readonly values: Uint32Array; readonly pages: Pages } {
  const { pageElements } = arrays.directory;
  const values = sharedArray(EMPTY_U32, arrays.length(name));
  const read = (page: number): Promise<void> => {
    const first = page * pageElements;
    return arrays.readPages(name, page, 1, values.subarray(first, first + arrays.pageLength(name, page)));
  };
  return { values, pages: new Pages(`array ${name} of an adjacency`, values.length, Math.log2(pageElements), read) };
}
