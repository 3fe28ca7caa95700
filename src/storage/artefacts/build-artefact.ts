/**
 * Builds one artefact from the rows of the files that it covers (B9), in any thread that has access to the files: the
 * thread of statements or the file thread.
 */
import type { ArtefactFile, ArtefactRecord } from '../api.ts';
import type { FileAccess } from '../files/file-access.ts';
import { openSstReader } from '../sst/sst-reader.ts';
import type { ArtefactKind } from './artefact-kind.ts';
import { type CoveredFiles, FileRows } from './covered-rows.ts';
import { UploadingSink } from './page-sink.ts';

/** The content of an artefact, before it has a name. */
export interface BuiltArtefact {
  readonly files: readonly ArtefactFile[];
  readonly directory: ArtefactRecord;
}

/** An artefact to be built. */
export interface ArtefactPlan {
  readonly kind: ArtefactKind;
  readonly subject: ArtefactRecord;
  readonly covered: CoveredFiles;
}

/**
 * Builds an artefact, and uploads its files, which no manifest names yet. After a failure the uploads are given up.
 * @throws CANCELLED by `signal`, CORRUPTION when a file is damaged
 */
export async function buildArtefact(
  { kind, subject, covered }: ArtefactPlan,
  access: Pick<FileAccess, 'get' | 'readInto' | 'createArtefactFile' | 'release'>,
  signal: AbortSignal,
): Promise<BuiltArtefact> {
  const keys: string[] = [];
  const create = async (bytes: Uint8Array): Promise<string> => {
    const key = await access.createArtefactFile(bytes);
    keys.push(key);
    return key;
  };
  try {
    const rows = new FileRows(covered, (file) => openSstReader(access, file), signal);
    const sink = new UploadingSink(create);
    const directory = await kind.build(subject, rows, sink);
    return { files: await sink.finish(), directory };
  } catch (error) {
    access.release(keys);
    throw error;
  }
}
