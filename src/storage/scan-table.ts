/**
 * All rows of a table as they are now, in bounded memory: of several versions the newest, without what is deleted. Rows
 * of files that may hold versions of the same ones come in the order of their keys; so does what comes of one file. A
 * column may have different kinds in different batches. Costs what reading the files costs, once.
 */
import type { ManifestTable, SstFile, SstReader, SstTable } from './api.ts';
import { mergeRows } from './compaction/merge-table.ts';

/** The options of a scan. */
export interface ScanOptions {
  readonly openSst: (file: SstFile) => Promise<SstReader>;
  /** The arrays are the caller's. The next batch is read when this resolves. */
  readonly take: (batch: SstTable) => Promise<void>;
  readonly signal?: AbortSignal | undefined;
}

/** @returns how many rows there were. CANCELLED; CORRUPTION names the object. */
export async function scanTable({ files, ...name }: ManifestTable, { openSst, take, signal }: ScanOptions): Promise<number> {
  let rows = 0;
  for (const group of overlapping(files)) {
    const readers = await Promise.all(group.map(openSst));
    const job = { table: name, files: group, dropTombstones: true, level: 0 };
    rows += await mergeRows(readers, job, take, signal ?? new AbortController().signal);
  }
  return rows;
}

/**
 * Files that may hold versions of the same rows, oldest first: those whose ordinals meet, directly or through others.
 * Others need not be merged to be read.
 */
function overlapping(files: readonly SstFile[]): SstFile[][] {
  const groups: { members: Set<SstFile>; max: number }[] = [];
  for (const file of files.toSorted((a, b) => a.minOrdinal - b.minOrdinal)) {
    const last = groups.at(-1);
    if (last === undefined || file.minOrdinal > last.max) groups.push({ members: new Set([file]), max: file.maxOrdinal });
    else {
      last.members.add(file);
      last.max = Math.max(last.max, file.maxOrdinal);
    }
  }
  return groups.map(({ members }) => files.filter((file) => members.has(file)));
}
