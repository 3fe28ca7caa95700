/**
 * Looks up one answer in artefacts and rows together (B9): artefacts answer for the files that they cover, the rows
 * themselves for all other files, and hits that later files replace are removed. So the answer does not depend on which
 * artefacts exist. A damaged artefact is reported (B7), and the rows that it covers are read instead.
 *
 * The log behind the files is left to the caller: later commits replace rows as later files do. Cost: that of asking
 * the artefacts; the files without one, read whole; the ordinals of files that may replace a hit.
 */
import { GraphDBError } from '../../base/index.ts';
import type {
  ArtefactReader,
  ArtefactRecord,
  Manifest,
  ManifestArtefact,
  ManifestTable,
  Namespace,
  SstFile,
  SstTable,
  TableName,
} from '../api.ts';
import { mergeRows } from '../compaction/merge-table.ts';
import { subjectId } from '../manifest/edit-artefacts.ts';
import { tableId } from '../manifest/table-id.ts';
import { tableName } from '../sst/encode-sst.ts';
import type { ArtefactKind } from './artefact-kind.ts';
import { FileOrdinals } from './file-ordinals.ts';

/** A hit: a finding about one row, which its ordinal identifies. */
export interface Hit {
  readonly ordinal: number;
}

/** A look-up in artefacts and rows together. */
export interface CoveredLook<H extends Hit> {
  readonly table: TableName;
  readonly kind: Pick<ArtefactKind, 'name' | 'version'>;
  readonly subject: ArtefactRecord;
  /** Finds hits in an artefact of the kind and subject. */
  readonly fromArtefact: (reader: ArtefactReader) => Promise<readonly H[]>;
  /** Finds hits in live rows; must find what an artefact over them would. */
  readonly fromRows: (batch: SstTable) => readonly H[];
  /** Called with CORRUPTION for each artefact that was not used because it is damaged or missing. */
  readonly onDamage: (error: GraphDBError, artefact: ManifestArtefact) => void;
}

/** Files that one artefact covers, or one file that none covers. */
interface Segment {
  readonly files: readonly SstFile[];
  readonly artefact: ManifestArtefact | null;
}

/** Returns all hits in the files of the table that the manifest names. @throws CORRUPTION when such a file is damaged */
export async function lookCovered<H extends Hit>(
  source: Pick<Namespace, 'openSst' | 'openArtefact'>,
  { tables, artefacts }: Pick<Manifest, 'tables' | 'artefacts'>,
  look: CoveredLook<H>,
): Promise<H[]> {
  const table = tables.find((each) => tableId(each) === tableId(look.table));
  if (table === undefined) return [];
  const ordinals = new FileOrdinals((file) => source.openSst(file));
  const found: H[] = [];
  let at = 0;
  for (const segment of segmentsOf(table, artefacts, look)) {
    at += segment.files.length;
    const hits = (await askArtefact(source, segment, look)) ?? (await scan(source, { table, files: segment.files }, look));
    if (hits.length === 0) continue;
    const isReplaced = await ordinals.ofAny(table.files.slice(at).filter((file) => hits.some((hit) => mayHave(file, hit))));
    found.push(...hits.filter(({ ordinal }) => !isReplaced(ordinal)));
  }
  return found;
}

/** Divides the files of the table into segments, oldest first. */
function segmentsOf(
  table: ManifestTable,
  artefacts: readonly ManifestArtefact[],
  { kind, subject }: Pick<CoveredLook<Hit>, 'kind' | 'subject'>,
): Segment[] {
  const id = subjectId({ kind: kind.name, subject, covers: { table, files: [], sequence: 0 } });
  const usable = artefacts.filter((artefact) => artefact.kindVersion === kind.version && subjectId(artefact) === id);
  const segments: Segment[] = [];
  for (let at = 0; at < table.files.length; at += segments.at(-1)!.files.length) {
    const artefact = usable.find(({ covers }) => covers.files[0] === table.files[at]!.key) ?? null;
    segments.push({ artefact, files: table.files.slice(at, at + (artefact?.covers.files.length ?? 1)) });
  }
  return segments;
}

function mayHave({ minOrdinal, maxOrdinal }: SstFile, { ordinal }: Hit): boolean {
  return ordinal >= minOrdinal && ordinal <= maxOrdinal;
}

/** Finds hits in the artefact of a segment; null when it has none that can be used. */
async function askArtefact<H extends Hit>(
  source: Pick<Namespace, 'openArtefact'>,
  { artefact }: Segment,
  { fromArtefact, onDamage }: CoveredLook<H>,
): Promise<readonly H[] | null> {
  if (artefact === null) return null;
  try {
    return await fromArtefact(source.openArtefact(artefact));
  } catch (error) {
    if (!(error instanceof GraphDBError) || error.code !== 'CORRUPTION') throw error;
    onDamage(error, artefact);
    return null;
  }
}

async function scan<H extends Hit>(
  source: Pick<Namespace, 'openSst'>,
  { table, files }: { readonly table: TableName; readonly files: readonly SstFile[] },
  { fromRows }: CoveredLook<H>,
): Promise<readonly H[]> {
  const found: H[] = [];
  const readers = await Promise.all(files.map((file) => source.openSst(file)));
  const take = async (batch: SstTable): Promise<void> => void found.push(...fromRows(batch));
  await mergeRows(readers, { table: tableName(table), files, dropTombstones: true, level: 0 }, take, new AbortController().signal);
  return found;
}
