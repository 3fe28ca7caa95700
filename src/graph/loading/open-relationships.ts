/**
 * Opens the relationships of a table in files to be read by page: their ends from the files, and the adjacencies of both
 * directions from the artefacts that cover these files.
 */
import { GraphDBError } from '../../base/index.ts';
import {
  type AdjacencyDirection,
  type ArrayName,
  type Manifest,
  type ManifestArtefact,
  type Namespace,
  openPagedArrays,
  type PagedArrays,
  type SstColumn,
} from '../../storage/index.ts';
import { FileLayouts } from '../paged/file-layouts.ts';
import { lastAtMost } from '../paged/last-at-most.ts';
import { LaterFiles } from '../paged/later-files.ts';
import type { PageCache } from '../paged/page-cache.ts';
import { PagedArray } from '../paged/paged-array.ts';
import { type PagedFile, pagedNumbers } from '../paged/paged-numbers.ts';
import { PagedOrdinals } from '../paged/paged-ordinals.ts';
import { PagedAdjacency, type PagedCsr, type PagedRelationships } from '../paged/paged-relationships.ts';
import { type FileRows, resolveRows } from '../tables/moved-rows.ts';
import { DELETED_COLUMN, ORDINAL_COLUMN, partsOf, SOURCE_COLUMN, TARGET_COLUMN } from '../tables/table-files.ts';
import { artefactsOver, type CoveringArtefact, openArtefact, type TableInFiles } from './covering-artefacts.ts';

/** The columns of the later files, which are read whole when a table is opened: one number per row. */
export interface LaterRelationships {
  readonly ordinals: Uint32Array;
  readonly sources: Uint32Array;
  readonly targets: Uint32Array;
}

/** Relationships that were opened to be read by page. */
export interface OpenedRelationships {
  readonly paged: PagedRelationships;
  /** The rows of the later files, which are the rows of the table from `paged.rowCount` on. */
  readonly later: LaterRelationships;
}

/** Returns null when no sound artefacts cover the first files, or too many rows are left. `allLive`: all rows of all files are in force. */
export async function openRelationships(
  namespace: Pick<Namespace, 'openArtefact' | 'foundDamaged'>,
  manifest: Pick<Manifest, 'tables' | 'artefacts'>,
  { allLive, ...tableInFiles }: TableInFiles & { readonly allLive: boolean },
  cache: PageCache,
): Promise<OpenedRelationships | null> {
  const over = (direction: AdjacencyDirection): CoveringArtefact[] =>
    artefactsOver(manifest, tableInFiles, { kind: 'adjacency', subject: { direction } });
  const into = over('incoming');
  const outOf = over('outgoing').find(({ files }) => into.some((other) => other.files === files));
  const both = outOf && { outgoing: outOf.artefact, incoming: into.find(({ files }) => files === outOf.files)!.artefact };
  if (both === undefined) return null;
  const open = async (artefact: ManifestArtefact): Promise<PagedArrays | null> => {
    const arrays = await openArtefact(namespace, artefact, openPagedArrays);
    return arrays && namingDamage(arrays, () => namespace.foundDamaged(artefact));
  };
  const files = tableInFiles.files.slice(0, outOf!.files);
  const laterFiles = tableInFiles.files.slice(outOf!.files);
  const [outgoing, incoming, later] = await Promise.all([open(both.outgoing), open(both.incoming), readLater(laterFiles)]);
  if (outgoing === null || incoming === null) return null;
  const rowCount = rowsIn(files);
  const sources = pagedNumbers(SOURCE_COLUMN, files, rowCount, cache);
  const targets = pagedNumbers(TARGET_COLUMN, files, rowCount, cache);
  const layouts = new FileLayouts(files);
  const expectRow = (share: number): void => layouts.expect(lastAtMost(layouts.firstRows, share * rowCount));
  const paged = {
    rowCount,
    ordinals: new PagedOrdinals(ORDINAL_COLUMN, files, rowCount, cache),
    sources,
    targets,
    outgoing: new PagedAdjacency(csrOf(outgoing, targets, { cache, expectRow })),
    incoming: new PagedAdjacency(csrOf(incoming, sources, { cache, expectRow })),
    laterFiles: allLive || laterFiles.length === 0 ? null : new LaterFiles(rowCount, later),
  };
  return { paged, later };
}

function rowsIn(files: readonly PagedFile[]): number {
  return files.reduce((sum, { reader }) => sum + reader.file.rows, 0);
}

/** Reads ordinals, deletions and ends of all rows of the files. */
async function readLater(files: readonly PagedFile[]): Promise<LaterRelationships & FileRows> {
  const read = (name: string): Promise<(SstColumn | null)[]> => Promise.all(files.map(({ reader }) => reader.readColumn(name)));
  const [ordinals, deleted, sources, targets] = await Promise.all([ORDINAL_COLUMN, DELETED_COLUMN, SOURCE_COLUMN, TARGET_COLUMN].map(read));
  const rows = resolveRows(partsOf(files.map(({ reader }) => reader.file)), ordinals!, deleted!);
  return { ...rows, sources: together(files, sources!), targets: together(files, targets!) };
}

function together(files: readonly PagedFile[], columns: readonly (SstColumn | null)[]): Uint32Array {
  const all = new Uint32Array(rowsIn(files));
  let row = 0;
  for (const [i, { reader }] of files.entries()) {
    all.set(columns[i]!.values as Uint32Array, row); // as: relationships have ends, which are ordinals.
    row += reader.file.rows;
  }
  return all;
}

/** Returns the arrays with `onDamage` called before each CORRUPTION error that reading pages throws. */
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

interface CsrContext {
  readonly cache: PageCache;
  /** Called with a share of all rows, near which a row will probably be asked for. */
  readonly expectRow: (share: number) => void;
}

/** @param ends the node at the other end of each row */
function csrOf(arrays: PagedArrays, ends: PagedArray, { cache, expectRow }: CsrContext): PagedCsr {
  const { base, limit, isTableOrder } = arrays.directory;
  const array = (name: ArrayName): PagedArray => pagedArray(arrays, name, cache);
  const offsets = array('offsets');
  if (isTableOrder) return { base, limit, offsets, neighbours: ends, rows: null, expectList: expectRow };
  return { base, limit, offsets, neighbours: array('neighbours'), rows: array('rows'), expectList: null };
}

function pagedArray(arrays: PagedArrays, name: ArrayName, cache: PageCache): PagedArray {
  const form = { name: `array ${name} of an adjacency`, length: arrays.length(name), shift: Math.log2(arrays.directory.pageElements) };
  return new PagedArray(form, cache, async (page, length) => {
    const values = new Uint32Array(length);
    await arrays.readPages(name, page, 1, values);
    return values;
  });
}
