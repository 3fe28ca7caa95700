/**
 * Scans all live rows of a table in bounded memory: of several versions of a row the newest, without deleted rows.
 * Files that may hold versions of one row are merged, and their rows come in the order of their keys, as do those of a
 * single file. A column may have different kinds in different batches. Cost: each file is read once.
 */
import type { ManifestTable, SstFile, SstReader, SstTable } from './api.ts';
import { mergeRows } from './compaction/merge-table.ts';

/** The options of a scan. */
export interface ScanOptions {
  readonly openSst: (file: SstFile) => Promise<SstReader>;
  /** Takes a batch, whose arrays belong to the caller. The next batch is read when the promise resolves. */
  readonly take: (batch: SstTable) => Promise<void>;
  readonly signal?: AbortSignal | undefined;
}

/** Hands out all live rows in batches, and returns how many there were. @throws CANCELLED by `signal`, CORRUPTION */
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
 * Groups files, oldest first in each group, so that only files of one group can hold versions of one row: those whose
 * ranges of ordinals overlap, directly or through other files.
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
