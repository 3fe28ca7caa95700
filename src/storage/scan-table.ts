/**
 * All rows of a table as they are now, in bounded memory: in the order of their keys, of several versions the newest, without what is deleted. Columns have the same kind in
 * every batch. Costs what reading the files costs, once.
 */
import type { ManifestTable, SstFile, SstReader, SstTable } from './api.ts';
import { mergeRows } from './compaction/merge-table.ts';

export interface ScanOptions {
  readonly openSst: (file: SstFile) => Promise<SstReader>;
  /** The arrays are the caller's. The next batch is read when this resolves. */
  readonly take: (batch: SstTable) => Promise<void>;
  readonly signal?: AbortSignal | undefined;
}

/** @returns how many rows there were. CANCELLED; CORRUPTION names the object. */
export async function scanTable({ files, ...name }: ManifestTable, { openSst, take, signal }: ScanOptions): Promise<number> {
  if (files.length === 0) return 0;
  const readers = await Promise.all(files.map(openSst));
  const job = { table: name, files, dropTombstones: true, level: 0 };
  return mergeRows(readers, job, take, signal ?? new AbortController().signal);
}
