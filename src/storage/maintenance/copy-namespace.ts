/**
 * Copies a namespace into another one, in any two stores, for backup and restore. The copy is one consistent state: a
 * manifest and the commits behind it, or a retained version.
 *
 * 1. Files are copied one by one, and checked against their checksums when they are read and again when they are
 *    written. So are the artefacts over them; one that is damaged or missing is logged and left out, since nothing
 *    depends on it (B9).
 * 2. One manifest makes the files the content of the target. Where the target captures changes, capture begins anew
 *    behind the commits of step 3, which may not say what was there before them.
 * 3. The commits behind the source's manifest are appended to the target's WAL.
 *
 * When the copy ends between 2 and 3, the target holds an earlier state of the source; the error tells the caller that
 * the copy is not complete. When files vanish from the source meanwhile, because its writer has merged them, the copy
 * begins again with the newest manifest.
 *
 * The target is opened for writing, which fences its former writer. Commits get new sequences there. The source is only
 * read. Cost: for each file two gets and one put; and the cost of opening two namespaces.
 */
import { crc32 } from 'node:zlib';
import { GraphDBError, silentLogger } from '../../base/index.ts';
import type { ObjectStore } from '../../object-store/index.ts';
import type {
  ArtefactFile,
  Commit,
  Manifest,
  ManifestArtefact,
  ManifestTable,
  Namespace,
  SstFile,
  TableName,
  UploadedSst,
} from '../api.ts';
import { mapConcurrently } from '../concurrency.ts';
import { corruption, MissingFileError } from '../faults.ts';
import { type OpenNamespaceOptions, openNamespace, openWriterNamespace } from '../open-namespace.ts';
import { tableName } from '../sst/encode-sst.ts';
import type { WriterNamespace } from '../writer-namespace.ts';

/** The options of a copy. */
export interface CopyOptions extends Pick<OpenNamespaceOptions, 'clock' | 'logger'> {
  readonly source: { readonly store: ObjectStore; readonly name: string; readonly version?: number | undefined };
  readonly target: { readonly store: ObjectStore; readonly name: string };
  /** Allows to replace the content of the target; without it a target with content is ARGUMENT_ERROR. */
  readonly replace?: boolean;
  readonly onProgress?: (progress: CopyProgress) => void;
}

/** The progress of a copy. */
export interface CopyProgress {
  readonly files: number;
  readonly bytes: number;
  readonly totalFiles: number;
  readonly totalBytes: number;
}

/** The outcome of a copy. */
export interface CopyOutcome {
  /** The number of copied files of tables. */
  readonly files: number;
  readonly bytes: number;
  /** The number of copied artefacts, whose files are not counted in `files` and `bytes`. */
  readonly artefacts: number;
  /** The number of copied commits, those behind the source's manifest. */
  readonly commits: number;
  readonly sourceVersion: number;
  readonly targetVersion: number;
}

const CONCURRENT_COPIES = 2;
const COMMITS_AT_ONCE = 1_000;

interface CopiedContent {
  readonly uploaded: readonly UploadedSst[];
  readonly artefacts: readonly ManifestArtefact[];
}

/** Copies a namespace. */
export async function copyNamespace(options: CopyOptions): Promise<CopyOutcome> {
  const { clock, logger } = options;
  let source = await openSource(options);
  if (options.replace !== true) await assertNoContent(options);
  const target = await openWriterNamespace(options.target.store, { name: options.target.name, clock, logger });
  try {
    let copied: CopiedContent | null = null;
    while (copied === null) {
      try {
        const uploaded = await copyFiles(source, target, options);
        copied = { uploaded, artefacts: await copyArtefacts(source.manifest, target, { options, uploaded }) };
      } catch (error) {
        source = await newerSource(source, options, error);
      }
    }
    const { uploaded, artefacts } = copied;
    await replaceContent(source, target, copied);
    await appendCommits(source.recovered, target);
    return {
      files: uploaded.length,
      bytes: uploaded.reduce((sum, { file }) => sum + file.bytes, 0),
      artefacts: artefacts.length,
      commits: source.recovered.length,
      sourceVersion: source.manifest.version,
      targetVersion: target.manifest.version,
    };
  } finally {
    await Promise.all([source.close(), target.close()]);
  }
}

async function openSource({ source: { store, name, version }, clock, logger }: CopyOptions): Promise<Namespace> {
  return openNamespace(store, { name, readOnly: true, version, clock, logger });
}

/**
 * Opens the source again after a file was missing: its writer may have merged and removed files that were being copied,
 * and then there is a newer manifest. Throws `error` when there is none. @throws NOT_FOUND when the version is not
 * retained
 */
async function newerSource(former: Namespace, options: CopyOptions, error: unknown): Promise<Namespace> {
  if (!(error instanceof MissingFileError)) throw error;
  const source = await openSource(options);
  if (source.manifest.version === former.manifest.version) throw error;
  return source;
}

/** Checks that the target has no content, before its writer is fenced. @throws ARGUMENT_ERROR */
async function assertNoContent({ target, clock, logger }: CopyOptions): Promise<void> {
  const existing = await openNamespace(target.store, { name: target.name, readOnly: true, clock, logger }).catch((error: unknown) => {
    if (error instanceof GraphDBError && error.code === 'NOT_FOUND') return null;
    throw error;
  });
  if (existing === null || isEmpty(existing)) return;
  throw new GraphDBError(
    'ARGUMENT_ERROR',
    `the target "${target.name}" in ${target.store.location} has content already; copy to an empty namespace, or say that it is ` +
      'to be replaced',
  );
}

/** Whether a namespace holds no rows, no commits and no schema: it is new, or was dropped. */
function isEmpty({ manifest: { tables, catalog }, recovered }: Namespace): boolean {
  return tables.length + recovered.length + catalog.indexes.length + catalog.constraints.length === 0;
}

async function copyFiles(
  source: Namespace,
  target: WriterNamespace,
  { source: { store: from }, target: { store: to }, onProgress }: CopyOptions,
): Promise<UploadedSst[]> {
  const files = source.manifest.tables.flatMap((table) => table.files.map((file) => ({ table: tableName(table), file })));
  const totalBytes = files.reduce((sum, { file }) => sum + file.bytes, 0);
  const done = { files: 0, bytes: 0 };
  return mapConcurrently(files, CONCURRENT_COPIES, async ({ table, file }) => {
    // Sequences are numbered anew in the target.
    const { key: _, ...content } = { ...file, minSequence: 0, maxSequence: 0 };
    const uploaded = await target.uploadFile(table, { bytes: await readChecked(from, file), content });
    await readChecked(to, uploaded.file);
    done.files++;
    done.bytes += file.bytes;
    onProgress?.({ ...done, totalFiles: files.length, totalBytes });
    return uploaded;
  });
}

/** Copies the artefacts of a manifest. `uploaded` are the copied files of tables, in the order of the manifest. */
async function copyArtefacts(
  manifest: Manifest,
  target: WriterNamespace,
  {
    options: { source, target: to, logger = silentLogger },
    uploaded,
  }: { readonly options: CopyOptions; readonly uploaded: readonly UploadedSst[] },
): Promise<ManifestArtefact[]> {
  const keys = manifest.tables.flatMap(({ files }) => files.map(({ key }) => key));
  const keyOf = new Map(keys.map((key, index) => [key, uploaded[index]!.file.key]));
  const copies = await mapConcurrently(manifest.artefacts, CONCURRENT_COPIES, async (artefact) => {
    try {
      const copy = await target.copyArtefact(artefact, (file) => readChecked(source.store, file));
      for (const file of copy.files) await readChecked(to.store, file);
      // Sequences are numbered anew in the target.
      return { ...copy, covers: { ...copy.covers, files: copy.covers.files.map((key) => keyOf.get(key)!), sequence: 0 } };
    } catch (error) {
      if (!(error instanceof GraphDBError) || error.code !== 'CORRUPTION') throw error;
      logger.warn({ error, artefact: artefact.id, kind: artefact.kind }, `an artefact is left out of the copy: ${error.message}`);
      return null;
    }
  });
  return copies.filter((copy) => copy !== null);
}

async function readChecked(store: ObjectStore, file: SstFile | ArtefactFile): Promise<Uint8Array> {
  const bytes = await store.get(file.key);
  if (bytes === null) throw new MissingFileError(file.key);
  if (bytes.length !== file.bytes || crc32(bytes) !== file.crc32) throw corruption(file.key, 'the checksum of the file does not match');
  return bytes;
}

async function replaceContent(source: Namespace, target: WriterNamespace, { uploaded, artefacts }: CopiedContent): Promise<void> {
  const { manifest: content, recovered } = source;
  const { tables: former, capture } = target.manifest;
  const rowsOf = (table: ManifestTable, liveRows: number): TableName & { liveRows: number } => ({ ...tableName(table), liveRows });
  await target.publish({
    add: [],
    addUploaded: uploaded,
    addArtefacts: artefacts,
    remove: former.flatMap((table) => table.files.map(({ key }) => key)),
    sequence: target.durableSequence,
    nextNodeOrdinal: content.nextNodeOrdinal,
    nextRelationshipOrdinal: content.nextRelationshipOrdinal,
    catalog: content.catalog,
    newContent: true,
    capture: capture && { ...capture, since: target.durableSequence + recovered.length },
    liveRows: [...former.map((table) => rowsOf(table, 0)), ...content.tables.map((table) => rowsOf(table, table.liveRows))],
  });
}

async function appendCommits(commits: readonly Commit[], target: WriterNamespace): Promise<void> {
  const first = target.durableSequence + 1;
  for (let at = 0; at < commits.length; at += COMMITS_AT_ONCE) {
    const group = commits.slice(at, at + COMMITS_AT_ONCE);
    await Promise.all(group.map(({ changes }, index) => target.append({ sequence: first + at + index, changes })));
  }
}
