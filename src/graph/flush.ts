/**
 * What the files of a namespace do not hold yet, as SSTs of level 0: per table the row versions published since the last flush, and
 * tombstones for what is in files and no longer there. Collecting is O(changed rows + ended rows since the last flush).
 */
import type { ManifestEdit, SstColumn, SstTable, TableName } from '../storage/index.ts';
import type { Column } from './column.ts';
import { gatherColumn } from './gather.ts';
import type { GraphCounts, GraphData } from './graph-data.ts';
import { NodeTable } from './node-table.ts';
import type { RelationshipTable } from './relationship-table.ts';
import type { ListedRows } from './row-list.ts';
import type { RowTable } from './row-table.ts';
import { columnNameOf, DELETED_COLUMN, ID_COLUMN, ORDINAL_COLUMN, SOURCE_COLUMN, TARGET_COLUMN } from './table-files.ts';
import { unflushedNodeRows, unflushedRelationshipRows } from './unflushed.ts';
import type { ConstraintDefinition, IndexDefinition } from './view.ts';

export interface FlushSource {
  readonly data: GraphData;
  /** As of the sequence. */
  readonly counts: GraphCounts;
  readonly sequence: number;
  readonly flushedSequence: number;
}

/** How far a table is in files once a flush is published. */
export interface FlushedTable {
  readonly table: RowTable;
  readonly rows: number;
  readonly changes: number;
}

export interface Flush {
  readonly sequence: number;
  readonly edit: ManifestEdit;
  readonly tables: readonly FlushedTable[];
}

export function collectFlush(source: FlushSource): Flush {
  const { data, counts, sequence } = source;
  const add: SstTable[] = [];
  const tables: FlushedTable[] = [];
  const liveRows: (TableName & { readonly liveRows: number })[] = [];
  for (const table of [...data.nodeTables, ...data.relationshipTables]) {
    if (table === undefined || table.isFlushed(sequence)) continue;
    const changes = table.chains.countUpTo(sequence);
    const rows = unflushedRows(table, source, changes);
    const name = nameOfTable(table, data);
    tables.push({ table, rows: table.published.rowCount, changes });
    table.collectedRows = table.published.rowCount;
    if (rows.rows.length === 0) continue;
    liveRows.push({ ...name, liveRows: table.published.liveCount });
    add.push({ ...name, ...sstRows(table, rows, data), level: 0, minSequence: source.flushedSequence + 1, maxSequence: sequence });
  }
  const { nodeLimit: nextNodeOrdinal, relationshipLimit: nextRelationshipOrdinal } = counts;
  return {
    sequence,
    tables,
    edit: { add, remove: [], sequence, nextNodeOrdinal, nextRelationshipOrdinal, catalog: catalogOf(data, counts), liveRows },
  };
}

function catalogOf(data: GraphData, { schema }: GraphCounts): NonNullable<ManifestEdit['catalog']> {
  const { labels, types, keys } = data;
  const [indexes, constraints] = [schema.indexes.map(asJson), schema.constraints.map(asJson)];
  return { labels: labels.names(), types: types.names(), keys: keys.names(), indexes, constraints };
}

function asJson(definition: IndexDefinition | ConstraintDefinition): Readonly<Record<string, unknown>> {
  return { ...definition };
}

export function nameOfTable(table: NodeTable | RelationshipTable, data: GraphData): TableName {
  if (!(table instanceof NodeTable)) return { kind: 'relationships', type: data.types.name(table.type) };
  return { kind: 'nodes', labels: table.labels.map((label) => data.labels.name(label)).sort() };
}

function unflushedRows(table: NodeTable | RelationshipTable, source: FlushSource, changes: number): ListedRows {
  if (!(table instanceof NodeTable)) return unflushedRelationshipRows(table, source.sequence, changes);
  const { data, counts, sequence } = source;
  const reader = { sequence, nodeLimit: counts.nodeLimit, directory: data.directory, tables: data.nodeTables };
  return unflushedNodeRows(table, reader, changes);
}

function sstRows(table: NodeTable | RelationshipTable, picked: ListedRows, data: GraphData) {
  const { rows, ordinals } = picked;
  const minOrdinal = ordinals.reduce((least, ordinal) => Math.min(least, ordinal));
  const denseOrdinals = ordinals.every((ordinal, i) => ordinal === minOrdinal + i);
  const base = rows.every((row) => row >= 0);
  const columns: SstColumn[] = [];
  if (!denseOrdinals) columns.push(numbers(ORDINAL_COLUMN, ordinals));
  if (!base)
    columns.push({ name: DELETED_COLUMN, kind: 'boolean', values: Uint8Array.from(rows, (row) => (row < 0 ? 1 : 0)), valid: null });
  if (table instanceof NodeTable) pushColumn(columns, ID_COLUMN, table.idColumn, rows);
  else columns.push(numbers(SOURCE_COLUMN, picked.sources), numbers(TARGET_COLUMN, picked.targets));
  for (const key of table.columnKeys) pushColumn(columns, columnNameOf(data.keys.name(key)), table.columns[key] ?? null, rows);
  return { rows: rows.length, columns, minOrdinal, denseOrdinals, base };
}

function numbers(name: string, values: Uint32Array): SstColumn {
  return { name, kind: 'uint32', values, valid: null };
}

/** The column's values in the rows; left out when none has one. */
function pushColumn(columns: SstColumn[], name: string, column: Column | null, rows: Int32Array): void {
  const gathered = column === null ? null : gatherColumn(column, rows);
  if (column === null || gathered === null) return;
  const { kind, valid, heap } = gathered;
  const values = gathered.values.subarray(0, heap === null ? rows.length : rows.length + 1) as SstColumn['values'];
  const { dictionary } = column;
  columns.push({
    name,
    kind,
    values,
    valid,
    ...(heap === null ? {} : { heap: heap.subarray(0, (values as Uint32Array)[rows.length] as number) }),
    ...(dictionary === null ? {} : { dictionary: dictionary.entries() }),
  });
}
