/** Estimates from a sample of rows how unevenly the values of a property are distributed. */

import { hashOfSnapshotRow } from '../columns/value-hash.ts';
import type { NodeTableSnapshot } from './table-snapshots.ts';

const SAMPLE_ROWS = 4096;

/** Estimates the share of all rows that have the most frequent value of a property; null when no row of the sample has a value. */
export function largestShare(tables: readonly NodeTableSnapshot[], key: number): number | null {
  const rows = tables.reduce((sum, table) => sum + table.rowCount, 0);
  const step = Math.max(1, Math.floor(rows / SAMPLE_ROWS));
  const counts = new Map<number, number>();
  let sampled = 0;
  let largest = 0;
  for (const table of tables) {
    const column = table.columns[key];
    sampled += Math.ceil(table.rowCount / step);
    if (column === undefined) continue;
    for (let row = 0; row < table.rowCount; row += step) {
      const hash = hashOfSnapshotRow(column, row);
      if (hash < 0) continue;
      const count = (counts.get(hash) ?? 0) + 1;
      counts.set(hash, count);
      largest = Math.max(largest, count);
    }
  }
  return largest === 0 ? null : largest / sampled;
}
