/** Builds artefacts from rows, and merges them. What they say comes from exactly the files that they cover (B9). */
import type { ArtefactFile, ManifestArtefact, SstFile, SstReader, TableName } from '../api.ts';
import { mergeRows } from '../compaction/merge-table.ts';
import type { FileSource } from '../files/file-access.ts';
import { tableName } from '../sst/encode-sst.ts';
import { openSstReader } from '../sst/sst-reader.ts';
import type { ArtefactContent } from './artefact-kind.ts';
import type { WantedArtefact } from './artefact-kinds.ts';
import { FileOrdinals } from './file-ordinals.ts';
import { PagedReader } from './paged-reader.ts';
import { uploadPages } from './upload-pages.ts';

/** Consecutive files of one table, oldest first. */
export interface CoveredFiles {
  readonly table: TableName;
  readonly files: readonly SstFile[];
}

/** Where artefacts are read from and put. */
export interface ArtefactStore extends FileSource {
  createArtefactFile(bytes: Uint8Array): Promise<string>;
  freshId(): string;
}

/** Reads the rows once for all that are wanted. CANCELLED. */
export async function buildArtefacts(
  wanted: readonly WantedArtefact[],
  covered: CoveredFiles,
  { store, signal }: { readonly store: ArtefactStore; readonly signal: AbortSignal },
): Promise<ManifestArtefact[]> {
  const { table, files } = covered;
  const builders = wanted.map(({ kind, subject }) => kind.build(subject));
  const take = async (batch: Parameters<(typeof builders)[number]['add']>[0]): Promise<void> => {
    for (const builder of builders) builder.add(batch);
  };
  const readers = files.map((file) => openSstReader(store, file));
  await mergeRows(readers, { table, files, dropTombstones: true, level: 0 }, take, signal);
  const built: ManifestArtefact[] = [];
  for (const [index, each] of wanted.entries()) built.push(await upload(each, builders[index]!.finish(), { covered, store }));
  return built;
}

/** `former`: artefacts of the subject over the files that were merged, which `replaced` names oldest first. CORRUPTION names what is damaged. */
export async function mergeArtefacts(
  wanted: WantedArtefact,
  former: readonly ManifestArtefact[],
  { replaced, covered, store }: { readonly replaced: readonly SstFile[]; readonly covered: CoveredFiles; readonly store: ArtefactStore },
): Promise<ManifestArtefact> {
  const ordinals = new FileOrdinals(async (file): Promise<SstReader> => openSstReader(store, file));
  const place = ({ covers }: ManifestArtefact): number => replaced.findIndex(({ key }) => key === covers.files[0]);
  const inputs = former
    .toSorted((a, b) => place(a) - place(b))
    .map(async (artefact) => ({
      reader: new PagedReader(store, artefact),
      isReplaced: await ordinals.ofAny(replaced.slice(place(artefact) + artefact.covers.files.length)),
    }));
  const content = await wanted.kind.merge(wanted.subject, await Promise.all(inputs));
  return upload(wanted, content, { covered, store });
}

async function upload(
  { kind, subject }: WantedArtefact,
  { pages, directory }: ArtefactContent,
  { covered: { table, files }, store }: { readonly covered: CoveredFiles; readonly store: ArtefactStore },
): Promise<ManifestArtefact> {
  const uploaded: ArtefactFile[] = await uploadPages(pages, (bytes) => store.createArtefactFile(bytes));
  return {
    id: store.freshId(),
    kind: kind.name,
    kindVersion: kind.version,
    subject,
    covers: {
      table: tableName(table),
      files: files.map(({ key }) => key),
      sequence: Math.max(...files.map(({ maxSequence }) => maxSequence)),
    },
    files: uploaded,
    directory,
  };
}
