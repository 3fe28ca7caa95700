/**
 * The ordinals of a node table as a few ranges. A large import writes a table in several files, between which other
 * tables get their ordinals. If there are few ranges, the ordinal alone tells whether a node is in the table, and in
 * which row, without two random reads of the directory.
 */
import type { NodeTableView } from '../../../graph/index.ts';

/** A range of consecutive ordinals in consecutive rows. */
export interface OrdinalRange {
  /** The first ordinal of the range; `limit` is one above the last. */
  readonly first: number;
  readonly limit: number;
  /** The row of an ordinal is the ordinal minus `base`. */
  readonly base: number;
}

/** The most ranges that are faster than the directory. */
export const MOST_RANGES = 4;

interface Run {
  readonly first: number;
  readonly row: number;
  readonly length: number;
}

interface FoundRuns {
  readonly rows: number;
  /** The runs in the order of their rows; if there are more than `MOST_RANGES`, one more than that. */
  readonly runs: readonly Run[];
}

const knownRuns = new WeakMap<Uint32Array, FoundRuns>();

/**
 * Returns the ranges of a node table, ascending; empty if there are more than `MOST_RANGES`. Examines only rows added
 * since the last call.
 */
export function ordinalRanges({ ordinals, rowCount }: Pick<NodeTableView, 'ordinals' | 'rowCount'>): readonly OrdinalRange[] {
  const known = knownRuns.get(ordinals);
  const isBegun = known !== undefined && known.rows <= rowCount && stillHolds(ordinals, known);
  const runs = findRuns(ordinals, rowCount, isBegun ? known : { rows: 0, runs: [] });
  knownRuns.set(ordinals, { rows: rowCount, runs });
  if (runs.length > MOST_RANGES) return [];
  return runs.map(({ first, row, length }) => ({ first, limit: first + length, base: first - row })).sort((a, b) => a.first - b.first);
}

/**
 * Tells whether known runs are still valid: a transaction rolled back may have had its rows overwritten. New rows get
 * ascending ordinals, so checking the ends of a run suffices.
 */
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
