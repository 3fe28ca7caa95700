/** Which rows of a table, and which deletions, no file holds yet. */

import type { RelationshipTable } from '../adjacency/relationship-table.ts';
import { hasBit } from '../arrays/bitmap.ts';
import { type ListedRows, RowList, type RowName } from '../arrays/row-list.ts';
import type { NodeReader } from '../tables/node-reader.ts';
import type { NodeTable } from '../tables/node-table.ts';

/** Do files hold this row as it was when it was written? */
export function isFlushed(table: NodeTable | RelationshipTable, row: number): boolean {
  return row < table.flushedRows && (table.unflushed === null || !hasBit(table.unflushed, row));
}

/** Files may hold the rows below this: then their deletion must be told. */
export function rowsInFiles(table: NodeTable | RelationshipTable): number {
  return Math.max(table.flushedRows, table.collectedRows);
}

/** How much of a table counts. */
export interface TableExtent {
  readonly rows: number;
  /** Entries of `chains`. */
  readonly changes: number;
  readonly rowsInFiles: number;
}

/** Rows that are looked at in one step. */
const ROWS_PER_STEP = 1 << 16;

export function* unflushedNodeRows(table: NodeTable, reader: NodeReader, extent: TableExtent): Generator<number, ListedRows> {
  const { rows } = extent;
  const list = new RowList();
  for (let start = firstUnflushed(table); start < rows; start += ROWS_PER_STEP) {
    yield Math.min(ROWS_PER_STEP, rows - start);
    for (let row = start; row < Math.min(start + ROWS_PER_STEP, rows); row++) {
      if (!isFlushed(table, row) && table.isVisible(row, reader.sequence)) list.add(row, table.ordinalOf(row), 0, 0);
    }
  }
  yield extent.changes - table.flushedChanges;
  for (const deletion of deletedNodes(table, reader, extent)) list.addDeletion(deletion);
  return yield* list.sorted();
}

function firstUnflushed(table: NodeTable | RelationshipTable): number {
  return table.unflushed === null ? table.flushedRows : 0;
}

/** Nodes that files may hold in this table and that have left it. */
export function deletedNodes(table: NodeTable, reader: NodeReader, extent: Omit<TableExtent, 'rows'>): RowName[] {
  const deletions = table.unflushedDeletions.filter(({ ordinal }) => !isInTable(table, ordinal, reader));
  for (let entry = table.flushedChanges; entry < extent.changes; entry++) {
    const row = table.chains.keys[entry] as number;
    const ordinal = table.ordinalOf(row);
    if (row < extent.rowsInFiles && !isInTable(table, ordinal, reader)) deletions.push({ ordinal, source: 0, target: 0 });
  }
  return deletions;
}

function isInTable(table: NodeTable, ordinal: number, reader: NodeReader): boolean {
  return reader.directory.tableAt(ordinal, reader.sequence) === table.index;
}

export function* unflushedRelationshipRows(table: RelationshipTable, sequence: number, extent: TableExtent): Generator<number, ListedRows> {
  const { rows } = extent;
  const list = new RowList();
  for (let start = firstUnflushed(table); start < rows; start += ROWS_PER_STEP) {
    yield Math.min(ROWS_PER_STEP, rows - start);
    for (let row = start; row < Math.min(start + ROWS_PER_STEP, rows); row++) {
      if (isFlushed(table, row) || !table.isHomeRow(row)) continue;
      const version = table.rowAt(row, sequence);
      if (version >= 0) list.add(version, table.ordinalOf(row), table.sources[row] as number, table.targets[row] as number);
    }
  }
  yield extent.changes - table.flushedChanges;
  for (const homeRow of changedRelationships(table, sequence, extent.changes)) {
    const version = table.rowAt(homeRow, sequence);
    if (version >= 0) list.add(version, table.ordinalOf(homeRow), table.sources[homeRow] as number, table.targets[homeRow] as number);
  }
  yield extent.changes - table.flushedChanges;
  for (const deletion of deletedRelationships(table, sequence, extent)) list.addDeletion(deletion);
  return yield* list.sorted();
}

/** Relationships that files hold, and of which they do not hold the newest version, deletions among them. */
export function changedRelationships(table: RelationshipTable, sequence: number, changes: number): number[] {
  const homeRows: number[] = [];
  for (let entry = table.flushedChanges; entry < changes; entry++) {
    const homeRow = table.chains.keys[entry] as number;
    if (isFlushed(table, homeRow) && table.chains.find(homeRow, sequence) === entry) homeRows.push(homeRow);
  }
  return homeRows;
}

/** Relationships that files may hold and that were deleted since. */
export function deletedRelationships(table: RelationshipTable, sequence: number, extent: Omit<TableExtent, 'rows'>): RowName[] {
  const deletions = table.unflushedDeletions.slice();
  for (let entry = table.flushedChanges; entry < extent.changes; entry++) {
    const homeRow = table.chains.keys[entry] as number;
    const isNewest = table.chains.find(homeRow, sequence) === entry;
    if (homeRow < extent.rowsInFiles && isNewest && table.rowAt(homeRow, sequence) < 0) deletions.push(nameOf(table, homeRow));
  }
  return deletions;
}

function nameOf(table: RelationshipTable, homeRow: number): RowName {
  return { ordinal: table.ordinalOf(homeRow), source: table.sources[homeRow] as number, target: table.targets[homeRow] as number };
}
