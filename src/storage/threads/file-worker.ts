/**
 * Encodes and merges files: small jobs at once in the calling thread, big jobs in a thread that all namespaces of the
 * process share (file-thread.ts). Small namespaces never start that thread.
 */
import { movableMemory } from '../../base/index.ts';
import type { SstColumn, SstFile, SstTable, UploadedSst } from '../api.ts';
import { type ArtefactPlan, type BuiltArtefact, buildArtefact } from '../artefacts/build-artefact.ts';
import { BUILT_IN_KINDS } from '../built-in-kinds.ts';
import type { MergeJob, MergeOutcome } from '../compaction/merge-table.ts';
import { mapConcurrently } from '../concurrency.ts';
import type { FileAccess } from '../files/file-access.ts';
import { tableBytes } from '../sst/upload-table.ts';
import { carryOut, type FileJob, type FileOutcomes } from './file-jobs.ts';
import { FileThread } from './file-thread.ts';

const CONCURRENT_TABLES = 2;

const thread = new FileThread();

/** Runs file jobs in this thread or in the file thread. */
export class FileWorker {
  readonly #access: FileAccess;
  readonly #threadFromBytes: number;

  /** Jobs on at least `threadFromBytes` bytes run in the file thread. */
  constructor(access: FileAccess, threadFromBytes: number) {
    this.#access = access;
    this.#threadFromBytes = threadFromBytes;
  }

  merge(job: MergeJob, signal: AbortSignal): Promise<MergeOutcome> {
    return this.#run({ kind: 'merge', ...job }, bytesOf(job.files), signal);
  }

  /** Builds an artefact; one of a kind that is not built in is always built in this thread. */
  buildArtefact(plan: ArtefactPlan, signal: AbortSignal): Promise<BuiltArtefact> {
    const { kind, subject, covered } = plan;
    if (!BUILT_IN_KINDS.includes(kind)) return buildArtefact(plan, this.#access, signal);
    return this.#run({ kind: 'artefact', name: kind.name, subject, covered }, bytesOf(covered.files), signal);
  }

  /** Uploads tables; returns the files in the order of the tables and of their rows. */
  async upload(tables: readonly SstTable[]): Promise<UploadedSst[]> {
    const uploaded = await mapConcurrently(tables, CONCURRENT_TABLES, (table) =>
      this.#run({ kind: 'upload', table }, tableBytes(table), new AbortController().signal),
    );
    return uploaded.flat();
  }

  /** Uploads a table. `isOwned`: nobody else uses its arrays any more, so they may be transferred to the thread. */
  async uploadTable(table: SstTable, isOwned: boolean): Promise<UploadedSst[]> {
    const moved = isOwned ? movableMemory(table.columns.flatMap(arraysOf)) : [];
    const uploaded = await this.#run({ kind: 'upload', table }, tableBytes(table), new AbortController().signal, moved);
    return [...uploaded];
  }

  #run<K extends FileJob['kind']>(
    job: Extract<FileJob, { kind: K }>,
    bytes: number,
    signal: AbortSignal,
    moved: readonly ArrayBuffer[] = [],
  ): Promise<FileOutcomes[K]> {
    const outcome = bytes >= this.#threadFromBytes ? thread.run(job, this.#access, signal, moved) : carryOut(job, this.#access, signal);
    return outcome as Promise<FileOutcomes[K]>; // as: the outcome is of the kind of the job
  }
}

function bytesOf(files: readonly SstFile[]): number {
  return files.reduce((sum, { bytes }) => sum + bytes, 0);
}

function arraysOf({ values, valid, heap, dictionary }: SstColumn) {
  return [values, valid, heap, dictionary?.offsets, dictionary?.heap];
}
