/** File jobs: long work on files as data, which can be sent to another thread and runs the same way in any thread. */
import { assert } from '../../base/index.ts';
import type { ArtefactRecord, SstTable, UploadedSst } from '../api.ts';
import { type BuiltArtefact, buildArtefact } from '../artefacts/build-artefact.ts';
import type { CoveredFiles } from '../artefacts/covered-rows.ts';
import { BUILT_IN_KINDS } from '../built-in-kinds.ts';
import { type MergeJob, type MergeOutcome, mergeTable } from '../compaction/merge-table.ts';
import type { FileAccess } from '../files/file-access.ts';
import { uploadTable } from '../sst/upload-table.ts';

/** A job on files: a merge, an upload of a table, or an artefact to build. */
export type FileJob =
  | ({ readonly kind: 'merge' } & MergeJob)
  | { readonly kind: 'upload'; readonly table: SstTable }
  /** `name` is the name of a built-in kind. */
  | { readonly kind: 'artefact'; readonly name: string; readonly subject: ArtefactRecord; readonly covered: CoveredFiles };

/** The outcome of each kind of job. */
export interface FileOutcomes {
  readonly merge: MergeOutcome;
  readonly upload: readonly UploadedSst[];
  readonly artefact: BuiltArtefact;
}

/** The outcome of a job. */
export type FileOutcome = FileOutcomes[FileJob['kind']];

/** Carries out a job; the outcome is of the job's kind. @throws CANCELLED by `signal` */
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
