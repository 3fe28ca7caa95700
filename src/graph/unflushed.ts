/** Which rows of a table, and which deletions, no file holds yet. */
import { hasBit } from './bitmap.ts';
import type { NodeReader } from './node-reader.ts';
import type { NodeTable } from './node-table.ts';
import type { RelationshipTable } from './relationship-table.ts';

/** Deletions of a table that was written anew since: its ended rows are gone. */
export interface Deletion {
  readonly ordinal: number;
  readonly source: number;
  readonly target: number;
}

/** Rows to write. `row` -1: a deletion. All arrays are of one length. */
export interface UnflushedRows {
  readonly rows: Int32Array;
  readonly ordinals: Uint32Array;
  readonly sources: Uint32Array;
  readonly targets: Uint32Array;
}

class RowList {
  readonly #rows: number[] = [];
  readonly #ordinals: number[] = [];
  readonly #sources: number[] = [];
  readonly #targets: number[] = [];

  add(row: number, { ordinal, source, target }: Deletion): void {
    this.#rows.push(row);
    this.#ordinals.push(ordinal);
    this.#sources.push(source);
    this.#targets.push(target);
  }

  /** In the order of files: by (source, target, ordinal); nodes have no source and target. */
  sorted(): UnflushedRows {
    const [sources, targets, ordinals] = [this.#sources, this.#targets, this.#ordinals];
    const compare = (a: number, b: number): number =>
      (sources[a] as number) - (sources[b] as number) ||
      (targets[a] as number) - (targets[b] as number) ||
      (ordinals[a] as number) - (ordinals[b] as number);
    const order = Uint32Array.from(this.#rows.keys());
    if (!isSorted(order.length, compare)) order.sort(compare);
    const pick = (values: readonly number[]): Uint32Array => order.map((at) => values[at] as number);
    return {
      rows: Int32Array.from(order, (at) => this.#rows[at] as number),
      ordinals: pick(ordinals),
      sources: pick(sources),
      targets: pick(targets),
    };
  }
}

function isSorted(length: number, compare: (a: number, b: number) => number): boolean {
  for (let i = 1; i < length; i++) if (compare(i - 1, i) > 0) return false;
  return true;
}

/** Do files hold this row as it was when it was written? */
export function isFlushed(table: NodeTable | RelationshipTable, row: number): boolean {
  return row < table.flushedRows && (table.unflushed === null || !hasBit(table.unflushed, row));
}

/** @param changes the entries of `chains` that count: those up to the reader's sequence */
export function unflushedNodeRows(table: NodeTable, reader: NodeReader, changes: number): UnflushedRows {
  const list = new RowList();
  for (let row = table.unflushed === null ? table.flushedRows : 0; row < table.published.rowCount; row++) {
    if (!isFlushed(table, row) && table.isVisible(row, reader.sequence))
      list.add(row, { ordinal: table.ordinalOf(row), source: 0, target: 0 });
  }
  for (const deletion of deletedNodes(table, reader, changes)) list.add(-1, deletion);
  return list.sorted();
}

/** Nodes that files hold in this table and that have left it. */
export function deletedNodes(table: NodeTable, reader: NodeReader, changes: number): Deletion[] {
  const deletions = table.unflushedDeletions.filter(({ ordinal }) => !isInTable(table, ordinal, reader));
  for (let entry = table.flushedChanges; entry < changes; entry++) {
    const row = table.chains.keys[entry] as number;
    const ordinal = table.ordinalOf(row);
    if (row < table.flushedRows && !isInTable(table, ordinal, reader)) deletions.push({ ordinal, source: 0, target: 0 });
  }
  return deletions;
}

function isInTable(table: NodeTable, ordinal: number, reader: NodeReader): boolean {
  return reader.directory.tableAt(ordinal, reader.sequence) === table.index;
}

export function unflushedRelationshipRows(table: RelationshipTable, sequence: number, changes: number): UnflushedRows {
  const list = new RowList();
  for (let row = table.unflushed === null ? table.flushedRows : 0; row < table.published.rowCount; row++) {
    if (isFlushed(table, row) || !table.isHomeRow(row)) continue;
    const version = table.rowAt(row, sequence);
    if (version >= 0) list.add(version, nameOf(table, row));
  }
  for (const homeRow of changedRelationships(table, sequence, changes)) {
    const version = table.rowAt(homeRow, sequence);
    if (version >= 0) list.add(version, nameOf(table, homeRow));
  }
  for (const deletion of deletedRelationships(table, sequence, changes)) list.add(-1, deletion);
  return list.sorted();
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
export function deletedRelationships(table: RelationshipTable, sequence: number, changes: number): Deletion[] {
  const deletions = table.unflushedDeletions.slice();
  for (let entry = table.flushedChanges; entry < changes; entry++) {
    const homeRow = table.chains.keys[entry] as number;
    const isNewest = table.chains.find(homeRow, sequence) === entry;
    if (homeRow < table.flushedRows && isNewest && table.rowAt(homeRow, sequence) < 0) deletions.push(nameOf(table, homeRow));
  }
  return deletions;
}

function nameOf(table: RelationshipTable, homeRow: number): Deletion {
  return { ordinal: table.ordinalOf(homeRow), source: table.sources[homeRow] as number, target: table.targets[homeRow] as number };
}
