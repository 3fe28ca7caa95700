/**
 * The work on files that may take long, as data: it can be handed to another thread, and is carried out in the same way
 * wherever it runs.
 */
import { assert } from '../../base/index.ts';
import type { ArtefactRecord, SstTable, UploadedSst } from '../api.ts';
import { type BuiltArtefact, buildArtefact } from '../artefacts/build-artefact.ts';
import type { CoveredFiles } from '../artefacts/covered-rows.ts';
import { BUILT_IN_KINDS } from '../built-in-kinds.ts';
import { type MergeJob, type MergeOutcome, mergeTable } from '../compaction/merge-table.ts';
import type { FileAccess } from '../files/file-access.ts';
import { uploadTable } from '../sst/upload-table.ts';

/** A job of a file thread. */
export type FileJob =
  | ({ readonly kind: 'merge' } & MergeJob)
  | { readonly kind: 'upload'; readonly table: SstTable }
  /** `name`: that of a built-in kind. */
  | { readonly kind: 'artefact'; readonly name: string; readonly subject: ArtefactRecord; readonly covered: CoveredFiles };

/** The outcome of each kind of job. */
export interface FileOutcomes {
  readonly merge: MergeOutcome;
  readonly upload: readonly UploadedSst[];
  readonly artefact: BuiltArtefact;
}

/** The outcome of a job. */
export type FileOutcome = FileOutcomes[FileJob['kind']];

/** The outcome is of the kind of the job. CANCELLED: it was stopped. */
export async function carryOut(job: FileJob, access: FileAccess, signal: AbortSignal): Promise<FileOutcome> {
  switch (job.kind) {
    case 'merge':
      return mergeTable(job, access, signal);
    case 'upload':
      return uploadTable(job.table, access);
    case 'artefact': {
      const kind = BUILT_IN_KINDS.find(({ name }) => name === job.name);
      assert(kind !== undefined, `${job.name} is a built-in kind of artefacts`);
      return buildArtefact({ kind, subject: job.subject, covered: job.covered }, access, signal);
    }
  }
}
