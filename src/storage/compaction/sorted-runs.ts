/**
 * Groups files of a table, oldest first, into sorted runs for cursors: a file joins a run when its keys follow those of
 * the file before. A merge holds two blocks per run in memory, so the fewer runs the better.
 *
 * The bounds in the manifest mostly decide. Where the sources of relationships meet, the two blocks in question are
 * read.
 */
import type { SstColumn, SstReader } from '../api.ts';
import type { RunFile } from './run-cursor.ts';

const TARGETS: ReadonlySet<string> = new Set(['_target']);

/** Groups files into sorted runs, whose files are in the order of their keys. */
export async function sortedRuns(files: readonly RunFile[]): Promise<RunFile[][]> {
  const runs: RunFile[][] = [];
  for (const file of files) {
    const run = runs.at(-1);
    if (run !== undefined && (await follows(run.at(-1)!.reader, file.reader))) run.push(file);
    else runs.push([file]);
  }
  return runs;
}

async function follows(previous: SstReader, next: SstReader): Promise<boolean> {
  const last = sourceBounds(previous);
  const first = sourceBounds(next);
  if (last === null || first === null) return next.file.minOrdinal > previous.file.maxOrdinal;
  if (first.min !== last.max) return first.min > last.max;
  const [lastBlock, firstBlock] = await Promise.all([
    previous.readBlock(previous.file.blockCount - 1, TARGETS),
    next.readBlock(0, TARGETS),
  ]);
  const lastTarget = targets(lastBlock).at(-1)!;
  const firstTarget = targets(firstBlock)[0]!;
  // Equal targets may be two versions of one relationship: the ordinals would tell, but the case is rare.
  return firstTarget > lastTarget;
}

/** Returns the bounds of the column `_source`; null for a table of nodes. */
function sourceBounds({ file }: SstReader): { min: number; max: number } | null {
  const column = file.columns.find(({ name }) => name === '_source');
  return column === undefined ? null : { min: Number(column.min), max: Number(column.max) };
}

function targets(block: readonly SstColumn[]): Uint32Array {
  return block.find(({ name }) => name === '_target')!.values as Uint32Array;
}
