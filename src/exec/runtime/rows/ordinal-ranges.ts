/**
 * The ordinals of a node table as a few ranges. A large import writes a table in several files, between which other
 * tables get their ordinals; where there are few of these ranges, the ordinal alone tells whether a node is in the
 * table, and in which row, without two reads of the directory all over memory.
 */
import type { NodeTableView } from '../../../graph/index.ts';

/** A range of ordinals whose rows follow each other. */
export interface OrdinalRange {
  /** Ordinals from here to below `limit` are nodes of the table, in its rows from `row` on. */
  readonly first: number;
  readonly limit: number;
  /** Taken off an ordinal gives the row. */
  readonly base: number;
}

/** More of them are not told apart faster than by the directory. */
export const MOST_RANGES = 4;

interface Run {
  readonly first: number;
  readonly row: number;
  readonly length: number;
}

interface FoundRuns {
  readonly rows: number;
  /** In the order of rows, one too many where there are more than a few. */
  readonly runs: readonly Run[];
}

const knownRuns = new WeakMap<Uint32Array, FoundRuns>();

/** Returns the ranges of a table that lists its ordinals, ascending. Empty: there are too many. Costs a look at each new row. */
export function ordinalRanges({ ordinals, rowCount }: Pick<NodeTableView, 'ordinals' | 'rowCount'>): readonly OrdinalRange[] {
  const known = knownRuns.get(ordinals);
  const isBegun = known !== undefined && known.rows <= rowCount && stillHolds(ordinals, known);
  const runs = findRuns(ordinals, rowCount, isBegun ? known : { rows: 0, runs: [] });
  knownRuns.set(ordinals, { rows: rowCount, runs });
  if (runs.length > MOST_RANGES) return [];
  return runs.map(({ first, row, length }) => ({ first, limit: first + length, base: first - row })).sort((a, b) => a.first - b.first);
}

/** Rows of a transaction that was taken back may have been written again; new rows get ascending ordinals, so the ends of a run tell. */
function stillHolds(ordinals: Uint32Array, { runs }: FoundRuns): boolean {
  return runs.every(({ first, row, length }) => ordinals[row] === first && ordinals[row + length - 1] === first + length - 1);
}

function findRuns(ordinals: Uint32Array, rowCount: number, known: FoundRuns): readonly Run[] {
  const runs = [...known.runs];
  let row = known.rows;
  while (row < rowCount && runs.length <= MOST_RANGES) {
    const last = runs.at(-1);
    const continues = last !== undefined && ordinals[row] === last.first + last.length;
    const begin = continues ? last.row : row;
    const first = continues ? last.first : ordinals[row]!;
    while (row < rowCount && ordinals[row] === first + row - begin) row++;
    const run = { first, row: begin, length: row - begin };
    if (continues) runs[runs.length - 1] = run;
    else runs.push(run);
  }
  return runs;
}
