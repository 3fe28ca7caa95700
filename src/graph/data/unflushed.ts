/** Finds the rows of a table, and the deletions, that are in no file yet. */

import type { RelationshipTable } from '../adjacency/relationship-table.ts';
import { hasBit } from '../arrays/bitmap.ts';
import { type ListedRows, RowList, type RowName } from '../arrays/row-list.ts';
import type { NodeReader } from '../tables/node-reader.ts';
import type { NodeTable } from '../tables/node-table.ts';

/** Tells whether a row is in files, in its state when it was written. */
export function isFlushed(table: NodeTable | RelationshipTable, row: number): boolean {
  return row < table.flushedRows && (table.unflushed === null || !hasBit(table.unflushed, row));
}

/** Returns the number of first rows that files may hold: the deletion of such a row needs a tombstone. */
export function rowsInFiles(table: NodeTable | RelationshipTable): number {
  return Math.max(table.flushedRows, table.collectedRows);
}

/** The extent of a table that a flush collects. */
export interface TableExtent {
  readonly rows: number;
  /** The number of entries of `chains`. */
  readonly changes: number;
  readonly rowsInFiles: number;
}

/** How many rows are looked at in one step. */
const ROWS_PER_STEP = 1 << 16;

/** Lists the live rows of a node table that are in no file, and the deletions. Yields the rows of the next step. */
export function* unflushedNodeRows(table: NodeTable, reader: NodeReader, extent: TableExtent): Generator<number, ListedRows> {
  const { rows } = extent;
  const list = new RowList();
  for (let start = firstUnflushed(table); start < rows; start += ROWS_PER_STEP) {
    yield Math.min(ROWS_PER_STEP, rows - start);
    for (let row = start; row < Math.min(start + ROWS_PER_STEP, rows); row++) {
      if (!isFlushed(table, row) && table.isVisible(row, reader.sequence)) list.add(row, table.ordinalOf(row), 0, 0);
    }
  }
  for (const deletion of table.unflushedDeletions) if (!isInTable(table, deletion.ordinal, reader)) list.addDeletion(deletion);
  for (const { from, to } of piecesOfChanges(table, extent.changes)) {
    yield to - from;
    for (const deletion of nodesDeletedBetween(table, reader, { from, to, rowsInFiles: extent.rowsInFiles })) list.addDeletion(deletion);
  }
  return yield* list.sorted();
}

/** The entries of `chains` from `from` to below `to`. */
interface Changes {
  readonly from: number;
  readonly to: number;
}

/** Splits the entries of `chains` below `changes` that are in no file into pieces of one step each. */
function piecesOfChanges({ flushedChanges }: NodeTable | RelationshipTable, changes: number): Changes[] {
  const pieces: Changes[] = [];
  for (let from = flushedChanges; from < changes; from += ROWS_PER_STEP) pieces.push({ from, to: Math.min(from + ROWS_PER_STEP, changes) });
  return pieces;
}

function firstUnflushed(table: NodeTable | RelationshipTable): number {
  return table.unflushed === null ? table.flushedRows : 0;
}

/** Returns the nodes that files may hold in this table but that are deleted or have moved to another table. */
export function deletedNodes(table: NodeTable, reader: NodeReader, { changes, rowsInFiles }: Omit<TableExtent, 'rows'>): RowName[] {
  const deletions = table.unflushedDeletions.filter(({ ordinal }) => !isInTable(table, ordinal, reader));
  for (const deletion of nodesDeletedBetween(table, reader, { from: table.flushedChanges, to: changes, rowsInFiles }))
    deletions.push(deletion);
  return deletions;
}

function* nodesDeletedBetween(
  table: NodeTable,
  reader: NodeReader,
  { from, to, rowsInFiles }: Changes & Pick<TableExtent, 'rowsInFiles'>,
): Iterable<RowName> {
  for (let entry = from; entry < to; entry++) {
    const row = table.chains.keys[entry] as number;
    const ordinal = table.ordinalOf(row);
    if (row < rowsInFiles && !isInTable(table, ordinal, reader)) yield { ordinal, source: 0, target: 0 };
  }
}

function isInTable(table: NodeTable, ordinal: number, reader: NodeReader): boolean {
  return reader.directory.tableAt(ordinal, reader.sequence) === table.index;
}

/** Lists the live rows of a relationship table that are in no file, and the deletions. Yields the rows of the next step. */
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
  for (const piece of piecesOfChanges(table, extent.changes)) {
    yield piece.to - piece.from;
    for (const homeRow of relationshipsChangedBetween(table, sequence, piece)) {
      const version = table.rowAt(homeRow, sequence);
      if (version >= 0) list.add(version, table.ordinalOf(homeRow), table.sources[homeRow] as number, table.targets[homeRow] as number);
    }
  }
  for (const deletion of table.unflushedDeletions) list.addDeletion(deletion);
  for (const piece of piecesOfChanges(table, extent.changes)) {
    yield piece.to - piece.from;
    const { rowsInFiles } = extent;
    for (const deletion of relationshipsDeletedBetween(table, sequence, { ...piece, rowsInFiles })) list.addDeletion(deletion);
  }
  return yield* list.sorted();
}

/** Returns the home rows of relationships that are in files, but not in their newest state, which may be a deletion. */
export function changedRelationships(table: RelationshipTable, sequence: number, changes: number): Iterable<number> {
  return relationshipsChangedBetween(table, sequence, { from: table.flushedChanges, to: changes });
}

function* relationshipsChangedBetween(table: RelationshipTable, sequence: number, { from, to }: Changes): Iterable<number> {
  for (let entry = from; entry < to; entry++) {
    const homeRow = table.chains.keys[entry] as number;
    if (isFlushed(table, homeRow) && table.chains.find(homeRow, sequence) === entry) yield homeRow;
  }
}

/** Returns the relationships that files may hold but that are deleted. */
export function deletedRelationships(
  table: RelationshipTable,
  sequence: number,
  { changes, rowsInFiles }: Omit<TableExtent, 'rows'>,
): RowName[] {
  const deleted = relationshipsDeletedBetween(table, sequence, { from: table.flushedChanges, to: changes, rowsInFiles });
  return [...table.unflushedDeletions, ...deleted];
}

function* relationshipsDeletedBetween(
  table: RelationshipTable,
  sequence: number,
  { from, to, rowsInFiles }: Changes & Pick<TableExtent, 'rowsInFiles'>,
): Iterable<RowName> {
  for (let entry = from; entry < to; entry++) {
    const homeRow = table.chains.keys[entry] as number;
    const isNewest = table.chains.find(homeRow, sequence) === entry;
    if (homeRow < rowsInFiles && isNewest && table.rowAt(homeRow, sequence) < 0) yield nameOf(table, homeRow);
  }
}

function nameOf(table: RelationshipTable, homeRow: number): RowName {
  return { ordinal: table.ordinalOf(homeRow), source: table.sources[homeRow] as number, target: table.targets[homeRow] as number };
}
