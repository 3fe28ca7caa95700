/** How values are spread, from a sample of rows. */

import { hashOfSnapshotRow } from '../columns/value-hash.ts';
import type { NodeTableSnapshot } from './table-snapshots.ts';

const SAMPLE_ROWS = 4096;

/** The share of all rows that have the most frequent value of a property; null: no row of the sample has one. */
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
