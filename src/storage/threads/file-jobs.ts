/** The work on files that may take long, as data: it can be handed to another thread, and is carried out in the same way wherever it runs. */
import type { SstTable, UploadedSst } from '../api.ts';
import { type MergeJob, type MergeOutcome, mergeTable } from '../compaction/merge-table.ts';
import type { FileAccess } from '../files/file-access.ts';
import { uploadTable } from '../sst/upload-table.ts';

export type FileJob = ({ readonly kind: 'merge' } & MergeJob) | { readonly kind: 'upload'; readonly table: SstTable };

/** CANCELLED: a merge that was stopped. */
export async function carryOut(job: FileJob, access: FileAccess, signal: AbortSignal): Promise<MergeOutcome> {
  if (job.kind === 'merge') return mergeTable(job, access, signal);
  const uploaded: UploadedSst[] = await uploadTable(job.table, access);
  return { uploaded, rows: job.table.rows };
}
