/**
 * Writes tables anew without the rows that no new reader needs: ended versions, deleted nodes and relationships. Node rows come into the order of ordinals,
 * relationships into that of (source, target), and the directory names every node's row plainly again. Only between transactions, when all that is committed
 * is published; readers of older views keep the old tables. O(nodes + rows of the tables).
 */

import { buildCsr, type Csr } from '../adjacency/csr.ts';
import { RelationshipTable } from '../adjacency/relationship-table.ts';
import { bitmapFor, hasBit, setBit } from '../arrays/bitmap.ts';
import { copied } from '../arrays/shared-array.ts';
import { Column } from '../columns/column.ts';
import { gatherColumn } from '../columns/gather.ts';
import type { GraphData } from '../data/graph-data.ts';
import { changedRelationships, deletedNodes, deletedRelationships, isFlushed, rowsInFiles } from '../data/unflushed.ts';
import { Directory } from '../tables/directory.ts';
import type { NodeReader } from '../tables/node-reader.ts';
import { NO_TABLE, NodeTable } from '../tables/node-table.ts';
import type { RowTable } from '../tables/row-table.ts';

export interface Rewriting {
  readonly data: GraphData;
  /** The published sequence. */
  readonly sequence: number;
  /** Which tables are to be written anew. */
  readonly wants: (table: RowTable) => boolean;
}

/** @returns whether any table was */
export function rewriteTables(rewriting: Rewriting): boolean {
  const nodes = rewriteNodeTables(rewriting);
  const relationships = rewriteRelationshipTables(rewriting);
  return nodes || relationships;
}

function isInMemory(table: RowTable): boolean {
  return table.files === null || table.files.isLoaded;
}

// -------------------------------------------------------------- nodes

function rewriteNodeTables({ data, sequence, wants }: Rewriting): boolean {
  const wanted = data.nodeTables.filter((table) => isInMemory(table) && wants(table));
  const directoryIsComplete = data.nodeTables.every((table) => table.files === null || table.files.rowsLoaded);
  if (wanted.length === 0 || !directoryIsComplete) return false;
  const reader: NodeReader = { sequence, nodeLimit: data.directory.limit, directory: data.directory, tables: data.nodeTables.slice() };
  const rowsByTable = data.nodeTables.map((table) => (wanted.includes(table) ? new Int32Array(table.liveCount) : null));
  const directory = newDirectory(data, reader, rowsByTable);
  for (const table of wanted) {
    const rewritten = rewriteNodeTable(table, rowsByTable[table.index] as Int32Array, data);
    rewritten.unflushedDeletions = deletedNodes(table, reader, { changes: table.chains.length, rowsInFiles: rowsInFiles(table) });
    for (const index of [...data.indexes, ...data.automaticIndexes]) index.tableReplaced(table, rewritten);
    data.replaceNodeTable(rewritten);
  }
  data.directory = directory;
  return true;
}

/** Where every node stands now; fills in the old rows of tables written anew, in their new order. */
function newDirectory(data: GraphData, reader: NodeReader, rowsByTable: readonly (Int32Array | null)[]): Directory {
  const directory = new Directory();
  directory.extend(data.directory.limit);
  const counts = rowsByTable.map(() => 0);
  for (let ordinal = 0; ordinal < directory.limit; ordinal++) {
    const table = reader.directory.tableAt(ordinal, reader.sequence);
    if (table === NO_TABLE) continue;
    let row = reader.directory.row;
    const rows = rowsByTable[table] as Int32Array | null;
    if (rows !== null) {
      const at = counts[table] as number;
      rows[at] = row;
      counts[table] = at + 1;
      row = at;
    }
    directory.set(ordinal, table, row);
  }
  return directory;
}

function rewriteNodeTable(table: NodeTable, rows: Int32Array, data: GraphData): NodeTable {
  const rewritten = new NodeTable(table.index, table.labels, data.surroundings);
  takeRows(rewritten, table, { rows, homeRows: rows, data });
  rewritten.unflushed = bitmapOf(rows, (row) => !isFlushed(table, row));
  const ids = table.idColumn === null ? null : gatherColumn(table.idColumn, rows);
  if (ids !== null) {
    rewritten.idColumn = new Column('string', data.idDictionary());
    rewritten.idColumn.takeBase(ids, rows.length);
  }
  return rewritten;
}

// -------------------------------------------------------------- relationships

function rewriteRelationshipTables({ data, sequence, wants }: Rewriting): boolean {
  let any = false;
  for (const table of data.relationshipTables) {
    if (table === undefined || !isInMemory(table) || !wants(table)) continue;
    data.setRelationshipTable(table.type, rewriteRelationshipTable(table, data, sequence));
    any = true;
  }
  return any;
}

function rewriteRelationshipTable(table: RelationshipTable, data: GraphData, sequence: number): RelationshipTable {
  const csr = buildCsr({
    nodes: table.sources,
    neighbours: table.targets,
    firstRow: 0,
    rowCount: table.rowCount,
    isIncluded: (row) => table.isHomeRow(row) && table.rowAt(row, sequence) >= 0,
  });
  const homeRows = Int32Array.from(csr.rows ?? []);
  const rewritten = new RelationshipTable(table.type, data.surroundings);
  rewritten.sources = sourcesOf(csr);
  rewritten.targets = csr.neighbours;
  rewritten.sortedRows = homeRows.length;
  const rows = homeRows.map((homeRow) => table.rowAt(homeRow, sequence));
  takeRows(rewritten, table, { rows, homeRows, data });
  const changes = table.chains.length;
  const changed = bitmapFor(null, table.rowCount);
  for (const homeRow of changedRelationships(table, sequence, changes)) setBit(changed, homeRow);
  rewritten.unflushed = bitmapOf(homeRows, (homeRow) => !isFlushed(table, homeRow) || hasBit(changed, homeRow));
  rewritten.unflushedDeletions = deletedRelationships(table, sequence, { changes, rowsInFiles: rowsInFiles(table) });
  return rewritten;
}

function sourcesOf(csr: Csr): Uint32Array {
  const sources = copied(csr.neighbours, csr.neighbours.length);
  for (let node = csr.base; node < csr.limit; node++) {
    sources.fill(node, csr.offsets[node - csr.base] as number, csr.offsets[node - csr.base + 1] as number);
  }
  return sources;
}

// -------------------------------------------------------------- both

interface RowChoice {
  /** Rows of the old table whose values are taken. */
  readonly rows: Int32Array;
  /** Rows that stand for the same things. */
  readonly homeRows: Int32Array;
  readonly data: GraphData;
}

function takeRows(rewritten: RowTable, table: RowTable, { rows, homeRows, data }: RowChoice): void {
  for (const homeRow of homeRows) rewritten.appendRow(table.ordinalOf(homeRow));
  rewritten.liveCount = rows.length;
  rewritten.published = rewritten.counts();
  rewritten.flushedRows = rows.length;
  for (const key of table.columnKeys) {
    const arrays = gatherColumn(table.columns[key] as Column, rows);
    if (arrays === null) continue;
    rewritten.addColumn(key, new Column(arrays.kind, data.dictionaryOf(key))).takeBase(arrays, rows.length);
  }
}

function bitmapOf(rows: Int32Array, holds: (row: number) => boolean): Uint8Array | null {
  let bitmap: Uint8Array | null = null;
  for (let i = 0; i < rows.length; i++) {
    if (!holds(rows[i] as number)) continue;
    bitmap ??= bitmapFor(null, rows.length);
    setBit(bitmap, i);
  }
  return bitmap;
}
