/**
 * Rewrites tables without the rows that no new reader needs: ended versions, deleted nodes and relationships. Rows of nodes
 * are put in the order of ordinals, relationships in that of (source, target), and the new directory has no versions.
 * Runs only between transactions, when every commit is published; readers of older views keep the old tables. O(nodes +
 * rows of the tables), in steps between which readers may run: the last step puts all new tables in place at once.
 */

import { buildCsrInSteps, type Csr } from '../adjacency/csr.ts';
import { RelationshipTable } from '../adjacency/relationship-table.ts';
import { bitmapFor, hasBit, setBit } from '../arrays/bitmap.ts';
import { copied } from '../arrays/shared-array.ts';
import { inRanges } from '../arrays/steps.ts';
import { Column } from '../columns/column.ts';
import { gatherColumnInSteps } from '../columns/gather.ts';
import type { GraphData } from '../data/graph-data.ts';
import { changedRelationships, deletedNodes, deletedRelationships, isFlushed, rowsInFiles } from '../data/unflushed.ts';
import { Directory } from '../tables/directory.ts';
import type { NodeReader } from '../tables/node-reader.ts';
import { NO_TABLE, NodeTable } from '../tables/node-table.ts';
import type { RowTable } from '../tables/row-table.ts';

/** The state that tables are rewritten from, and the choice of tables. */
export interface Rewriting {
  readonly data: GraphData;
  /** The published sequence. */
  readonly sequence: number;
  /** Tells which tables to rewrite. */
  readonly wants: (table: RowTable) => boolean;
}

type Steps<T> = Generator<number, T, void>;

/**
 * Rewrites tables in steps, each of which yields how many rows the next one handles. When a transaction begins before the
 * last step, the caller must abandon the steps.
 *
 * @returns whether any table was rewritten
 */
export function* rewriteTables(rewriting: Rewriting): Steps<boolean> {
  const { data } = rewriting;
  const nodes = yield* rewrittenNodeTables(rewriting);
  const relationships = yield* rewrittenRelationshipTables(rewriting);
  if (nodes !== null) {
    for (const [table, rewritten] of nodes.tables) {
      for (const index of [...data.indexes, ...data.automaticIndexes]) index.tableReplaced(table, rewritten);
      data.replaceNodeTable(rewritten);
    }
    data.directory = nodes.directory;
  }
  for (const table of relationships) data.setRelationshipTable(table.type, table);
  return nodes !== null || relationships.length > 0;
}

/** Returns how many rows, and ordinals of the directory, a rewrite of the wanted tables would look at. */
export function rowsToRewrite({ data, wants }: Omit<Rewriting, 'sequence'>): number {
  let rows = 0;
  for (const table of data.relationshipTables) if (table !== undefined && isInMemory(table) && wants(table)) rows += table.rowCount;
  const nodeTables = data.nodeTables.filter((table) => isInMemory(table) && wants(table));
  if (nodeTables.length > 0) rows += data.directory.limit;
  return nodeTables.reduce((sum, table) => sum + table.rowCount, rows);
}

function isInMemory(table: RowTable): boolean {
  return table.files === null || table.files.isLoaded;
}

// -------------------------------------------------------------- nodes

interface RewrittenNodes {
  readonly tables: readonly (readonly [table: NodeTable, rewritten: NodeTable])[];
  readonly directory: Directory;
}

function* rewrittenNodeTables({ data, sequence, wants }: Rewriting): Steps<RewrittenNodes | null> {
  const wanted = data.nodeTables.filter((table) => isInMemory(table) && wants(table));
  const directoryIsComplete = data.nodeTables.every((table) => table.files === null || table.files.rowsLoaded);
  if (wanted.length === 0 || !directoryIsComplete) return null;
  const reader: NodeReader = { sequence, nodeLimit: data.directory.limit, directory: data.directory, tables: data.nodeTables.slice() };
  const rowsByTable = data.nodeTables.map((table) => (wanted.includes(table) ? new Int32Array(table.liveCount) : null));
  const directory = yield* newDirectory(reader, rowsByTable);
  const tables: [NodeTable, NodeTable][] = [];
  for (const table of wanted) {
    const rewritten = yield* rewriteNodeTable(table, rowsByTable[table.index] as Int32Array, data);
    yield table.chains.length;
    rewritten.unflushedDeletions = deletedNodes(table, reader, { changes: table.chains.length, rowsInFiles: rowsInFiles(table) });
    tables.push([table, rewritten]);
  }
  return { tables, directory };
}

/** Builds the new directory; fills `rowsByTable` with the old rows of each table to rewrite, in their new order. */
function* newDirectory(reader: NodeReader, rowsByTable: readonly (Int32Array | null)[]): Steps<Directory> {
  const directory = new Directory();
  directory.extend(reader.nodeLimit);
  const counts = rowsByTable.map(() => 0);
  yield* inRanges(0, directory.limit, (from, to) => {
    for (let ordinal = from; ordinal < to; ordinal++) {
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
  });
  return directory;
}

function* rewriteNodeTable(table: NodeTable, rows: Int32Array, data: GraphData): Steps<NodeTable> {
  const rewritten = new NodeTable(table.index, table.labels, data.context);
  yield* takeRows(rewritten, table, { rows, homeRows: rows, data });
  rewritten.unflushed = yield* bitmapOf(rows, (row) => !isFlushed(table, row));
  const ids = table.idColumn === null ? null : yield* gatherColumnInSteps(table.idColumn, rows);
  if (ids !== null) {
    rewritten.idColumn = new Column('string', data.idDictionary());
    rewritten.idColumn.takeBase(ids, rows.length);
  }
  return rewritten;
}

// -------------------------------------------------------------- relationships

function* rewrittenRelationshipTables({ data, sequence, wants }: Rewriting): Steps<RelationshipTable[]> {
  const rewritten: RelationshipTable[] = [];
  for (const table of data.relationshipTables) {
    if (table === undefined || !isInMemory(table) || !wants(table)) continue;
    rewritten.push(yield* rewriteRelationshipTable(table, data, sequence));
  }
  return rewritten;
}

function* rewriteRelationshipTable(table: RelationshipTable, data: GraphData, sequence: number): Steps<RelationshipTable> {
  const csr = yield* buildCsrInSteps({
    nodes: table.sources,
    neighbours: table.targets,
    firstRow: 0,
    rowCount: table.rowCount,
    isIncluded: (row) => table.isHomeRow(row) && table.rowAt(row, sequence) >= 0,
  });
  yield csr.neighbours.length;
  const homeRows = Int32Array.from(csr.rows ?? []);
  const rewritten = new RelationshipTable(table.type, data.context);
  rewritten.sources = yield* sourcesOf(csr);
  rewritten.targets = csr.neighbours;
  rewritten.sortedRows = homeRows.length;
  const rows = homeRows.map((homeRow) => table.rowAt(homeRow, sequence));
  yield* takeRows(rewritten, table, { rows, homeRows, data });
  const changes = table.chains.length;
  yield changes;
  const changed = bitmapFor(null, table.rowCount);
  for (const homeRow of changedRelationships(table, sequence, changes)) setBit(changed, homeRow);
  rewritten.unflushed = yield* bitmapOf(homeRows, (homeRow) => !isFlushed(table, homeRow) || hasBit(changed, homeRow));
  yield changes;
  rewritten.unflushedDeletions = deletedRelationships(table, sequence, { changes, rowsInFiles: rowsInFiles(table) });
  return rewritten;
}

function* sourcesOf(csr: Csr): Steps<Uint32Array> {
  const sources = copied(csr.neighbours, csr.neighbours.length);
  yield* inRanges(csr.base, csr.limit, (from, to) => {
    for (let node = from; node < to; node++)
      sources.fill(node, csr.offsets[node - csr.base] as number, csr.offsets[node - csr.base + 1] as number);
  });
  return sources;
}

// -------------------------------------------------------------- both

interface RowChoice {
  /** The rows of the old table whose values are copied. */
  readonly rows: Int32Array;
  /** For each of `rows` the home row of its relationship; for nodes the rows themselves. */
  readonly homeRows: Int32Array;
  readonly data: GraphData;
}

function* takeRows(rewritten: RowTable, table: RowTable, { rows, homeRows, data }: RowChoice): Steps<void> {
  yield* inRanges(0, homeRows.length, (from, to) => {
    for (let i = from; i < to; i++) rewritten.appendRow(table.ordinalOf(homeRows[i] as number));
  });
  rewritten.liveCount = rows.length;
  rewritten.published = rewritten.counts();
  rewritten.flushedRows = rows.length;
  for (const key of table.columnKeys) {
    const arrays = yield* gatherColumnInSteps(table.columns[key] as Column, rows);
    if (arrays === null) continue;
    rewritten.addColumn(key, new Column(arrays.kind, data.dictionaryOf(key))).takeBase(arrays, rows.length);
  }
}

function* bitmapOf(rows: Int32Array, holds: (row: number) => boolean): Steps<Uint8Array | null> {
  let bitmap: Uint8Array | null = null;
  yield* inRanges(0, rows.length, (from, to) => {
    for (let i = from; i < to; i++) {
      if (!holds(rows[i] as number)) continue;
      bitmap ??= bitmapFor(null, rows.length);
      setBit(bitmap, i);
    }
  });
  return bitmap;
}
