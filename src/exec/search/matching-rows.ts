/**
 * Finds the clustered rows that satisfy the conditions of a vector search, by column scans over many rows at a time;
 * rows are tested again if the scan is not exact.
 */
import type { ClusteredRows } from '../../graph/index.ts';
import { RowFilters } from '../scan/row-filters.ts';
import type { Comparison, HitFilter, SearchedRows } from './searched-rows.ts';

/** Rows that are scanned before other statements may run. */
const ROWS_TOGETHER = 1 << 14;
/** Rows scanned per step of work. */
const ROWS_PER_STEP = 32;

/** Returns the matching rows, ascending; yields null where other statements should run. */
export function* matchingRows(
  { rows, compared, clustered }: { readonly rows: SearchedRows; readonly compared: Comparison; readonly clustered: ClusteredRows },
  filters: readonly HitFilter[],
  worked: (steps: number) => boolean,
): Generator<null, Uint32Array, void> {
  const most = Math.min(clustered.knownRows, rows.rowCount);
  const made = filters.map(({ key, tests }) =>
    new RowFilters(
      key,
      tests.map(({ test }) => test),
      tests.map(({ value }) => value),
      false,
    ).of({ index: 0, column: rows.column }),
  );
  const isExact = made.every((filter) => filter.isExact);
  const found = new Int32Array(ROWS_TOGETHER);
  const pieces: Uint32Array[] = [];
  for (let from = 0; from < most; from += ROWS_TOGETHER) {
    if (worked(ROWS_TOGETHER / ROWS_PER_STEP)) yield null;
    let count = made[0]!.select(from, Math.min(from + ROWS_TOGETHER, most), found);
    for (const filter of made.slice(1)) count = filter.narrow(found, count);
    if (!isExact && worked(count)) yield null;
    let kept = 0;
    for (let i = 0; i < count; i++) {
      const row = found[i]!;
      if (clustered.has(row) && rows.at(row) === row && (isExact || compared.accepts(row))) found[kept++] = row;
    }
    pieces.push(Uint32Array.from(found.subarray(0, kept)));
  }
  const all = new Uint32Array(pieces.reduce((sum, { length }) => sum + length, 0));
  let at = 0;
  for (const piece of pieces) {
    all.set(piece, at);
    at += piece.length;
  }
  return all;
}
