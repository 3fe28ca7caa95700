/**
 * Where files are encoded and merged: what is small here and now, what is big in a thread of its own (file-thread.ts). A small namespace never
 * starts that thread.
 */
import { movableMemory } from '../../base/index.ts';
import type { SstColumn, SstTable, UploadedSst } from '../api.ts';
import type { MergeJob, MergeOutcome } from '../compaction/merge-table.ts';
import { mapConcurrently } from '../concurrency.ts';
import type { FileAccess } from '../files/file-access.ts';
import { tableBytes } from '../sst/upload-table.ts';
import { carryOut, type FileJob } from './file-jobs.ts';
import { FileThread } from './file-thread.ts';

const CONCURRENT_TABLES = 2;

export class FileWorker {
  readonly #access: FileAccess;
  readonly #thread: FileThread;
  readonly #threadFromBytes: number;

  /** Jobs over so many bytes are given to the thread. */
  constructor(access: FileAccess, threadFromBytes: number) {
    this.#access = access;
    this.#thread = new FileThread(access);
    this.#threadFromBytes = threadFromBytes;
  }

  merge(job: MergeJob, signal: AbortSignal): Promise<MergeOutcome> {
    const bytes = job.files.reduce((sum, file) => sum + file.bytes, 0);
    return this.#run({ kind: 'merge', ...job }, bytes, signal);
  }

  /** In the order of the tables and of their rows. */
  async upload(tables: readonly SstTable[]): Promise<UploadedSst[]> {
    const outcomes = await mapConcurrently(tables, CONCURRENT_TABLES, (table) =>
      this.#run({ kind: 'upload', table }, tableBytes(table), new AbortController().signal),
    );
    return outcomes.flatMap(({ uploaded }) => uploaded);
  }

  /** `isOwned`: nobody else looks at the arrays any more. */
  async uploadTable(table: SstTable, isOwned: boolean): Promise<UploadedSst[]> {
    const moved = isOwned ? movableMemory(table.columns.flatMap(arraysOf)) : [];
    const { uploaded } = await this.#run({ kind: 'upload', table }, tableBytes(table), new AbortController().signal, moved);
    return [...uploaded];
  }

  #run(job: FileJob, bytes: number, signal: AbortSignal, moved: readonly ArrayBuffer[] = []): Promise<MergeOutcome> {
    return bytes >= this.#threadFromBytes ? this.#thread.run(job, signal, moved) : carryOut(job, this.#access, signal);
  }
}

function arraysOf({ values, valid, heap, dictionary }: SstColumn) {
  return [values, valid, heap, dictionary?.offsets, dictionary?.heap];
}
