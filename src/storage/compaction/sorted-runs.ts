/**
 * Files of a table, oldest first, as runs for cursors: files whose rows go on where those of the one before ended. A
 * merge holds two blocks per run in memory, so the fewer the better.
 *
 * The bounds in the manifest mostly tell. Where the sources of relationships meet, the two blocks in question are read.
 */
import type { SstColumn, SstReader } from '../api.ts';
import type { RunFile } from './run-cursor.ts';

const TARGETS: ReadonlySet<string> = new Set(['_target']);

/** Returns files as sorted runs. */
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
  // Equal ones may be one relationship in two versions, or two: the ordinals would tell, but it is rare.
  return firstTarget > lastTarget;
}

/** Null: nodes. */
function sourceBounds({ file }: SstReader): { min: number; max: number } | null {
  const column = file.columns.find(({ name }) => name === '_source');
  return column === undefined ? null : { min: Number(column.min), max: Number(column.max) };
}

function targets(block: readonly SstColumn[]): Uint32Array {
  return block.find(({ name }) => name === '_target')!.values as Uint32Array;
}
