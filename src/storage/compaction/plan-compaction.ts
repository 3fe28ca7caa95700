/**
 * Chooses which files of which tables to merge (pure). Files of a table form *runs*, oldest first: the output of one
 * merge is one run, in files that do not overlap; each flushed file is a run.
 *
 * Size-tiered: when a table has gathered enough flushed files, they are merged together with those older runs before
 * them that are not much bigger than the files to merge. So a row is rewritten O(log rows) times, and a table has O(log
 * rows) runs.
 */
import type { CompactionOptions, Manifest, ManifestTable, SstFile, TableName } from '../api.ts';
import { tableName } from '../sst/encode-sst.ts';

/** A merge to do: consecutive files of one table, by key, oldest first. */
export interface CompactionTask {
  readonly table: TableName;
  readonly keys: readonly string[];
}

const MAX_FLUSHED_FILES = 4;
/** An older run takes part when it has at most this many times the bytes of the newer files of the merge. */
const SIZE_RATIO = 3;

/** Chooses which files to merge; returns one task for each table that needs a merge. */
export function planCompaction({ tables }: Manifest, options: CompactionOptions = {}): CompactionTask[] {
  const { maxFlushedFiles = MAX_FLUSHED_FILES, everything = false } = options;
  return tables.flatMap((table) => {
    const runs = runsOf(table);
    const chosen = everything ? allUnlessMerged(runs) : chooseRuns(runs, maxFlushedFiles);
    return chosen.length === 0 ? [] : [{ table: tableName(table), keys: chosen.flat().map(({ key }) => key) }];
  });
}

function allUnlessMerged(runs: readonly SstFile[][]): readonly SstFile[][] {
  return runs.length === 1 && runs[0]!.every((file) => file.base) ? [] : runs;
}

function chooseRuns(runs: readonly SstFile[][], maxFlushedFiles: number): readonly SstFile[][] {
  const flushed = runs.filter(([file]) => file!.level === 0).length;
  if (flushed < maxFlushedFiles || runs.length < 2) return [];
  let from = runs.length - 1;
  let bytes = runBytes(runs[from]!);
  while (from > 0 && (runs[from - 1]![0]!.level === 0 || runBytes(runs[from - 1]!) <= SIZE_RATIO * bytes)) bytes += runBytes(runs[--from]!);
  return runs.slice(from);
}

/** Divides the files of a table into runs, oldest first. */
export function runsOf({ kind, files }: ManifestTable): SstFile[][] {
  const runs: SstFile[][] = [];
  for (const file of files) {
    const run = runs.at(-1);
    if (run !== undefined && continues(kind, run.at(-1)!, file)) run.push(file);
    else runs.push([file]);
  }
  return runs;
}

/**
 * Whether two files are of one merge, as far as the manifest tells: they have one level, and their keys ascend. Two
 * merges may look like one where the sources of relationships meet.
 */
function continues(kind: TableName['kind'], previous: SstFile, next: SstFile): boolean {
  if (previous.level === 0 || previous.level !== next.level) return false;
  if (kind === 'nodes') return next.minOrdinal > previous.maxOrdinal;
  const last = previous.columns.find(({ name }) => name === '_source')?.max;
  const first = next.columns.find(({ name }) => name === '_source')?.min;
  return typeof last === 'number' && typeof first === 'number' && first >= last;
}

function runBytes(run: readonly SstFile[]): number {
  return run.reduce((sum, file) => sum + file.bytes, 0);
}
