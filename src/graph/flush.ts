/**
 * What the files of a namespace do not hold yet, as SSTs of level 0: per table the row versions published since the last flush, and
 * tombstones for what is in files and no longer there. Collecting is O(changed rows + ended rows since the last flush).
 */
import type { ManifestEdit, SstColumn, SstTable } from '../storage/index.ts';
import { bitmapFor, setBit } from './bitmap.ts';
import type { Column } from './column.ts';
import { usesHeap } from './column-kind.ts';
import type { GraphCounts, GraphData } from './graph-data.ts';
import type { NodeTable } from './node-table.ts';
import type { RelationshipTable } from './relationship-table.ts';
import type { RowTable } from './row-table.ts';
import { EMPTY_U8, EMPTY_U32, grown, sharedArray } from './shared-array.ts';
import { columnNameOf, DELETED_COLUMN, ID_COLUMN, ORDINAL_COLUMN, SOURCE_COLUMN, TARGET_COLUMN } from './table-files.ts';
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

/** Rows of a table for a file, in its order. `from` -1: the row says that the ordinal was deleted. */
interface PickedRow {
  readonly ordinal: number;
  readonly from: number;
  readonly source: number;
  readonly target: number;
}

export function collectFlush(source: FlushSource): Flush {
  const { data, counts, sequence } = source;
  const add: SstTable[] = [];
  const tables: FlushedTable[] = [];
  const liveRows: NonNullable<ManifestEdit['liveRows']>[number][] = [];
  for (const table of [...data.nodeTables, ...data.relationshipTables]) {
    if (table === undefined) continue;
    const changes = table.chains.countUpTo(sequence);
    const { rowCount, liveCount } = table.published;
    if (rowCount === table.flushedRows && changes === table.flushedChanges) continue;
    const isNodeTable = 'labels' in table;
    const rows = isNodeTable ? pickNodeRows(table, data, source, changes) : pickRelationshipRows(table, source, changes);
    const name = isNodeTable
      ? ({ kind: 'nodes', labels: namesOf(table, data) } as const)
      : ({ kind: 'relationships', type: data.types.name(table.type) } as const);
    tables.push({ table, rows: rowCount, changes });
    liveRows.push({ ...name, liveRows: liveCount });
    if (rows.length > 0)
      add.push({ ...name, ...sstTable(table, rows, data), level: 0, minSequence: source.flushedSequence + 1, maxSequence: sequence });
  }
  const edit: ManifestEdit = {
    add,
    remove: [],
    sequence,
    nextNodeOrdinal: counts.nodeLimit,
    nextRelationshipOrdinal: counts.relationshipLimit,
    catalog: {
      labels: data.labels.names(),
      types: data.types.names(),
      keys: data.keys.names(),
      indexes: counts.schema.indexes.map(asJson),
      constraints: counts.schema.constraints.map(asJson),
    },
    liveRows,
  };
  return { sequence, edit, tables };
}

function asJson(definition: IndexDefinition | ConstraintDefinition): Readonly<Record<string, unknown>> {
  return { ...definition };
}

function namesOf(table: NodeTable, data: GraphData): string[] {
  return table.labels.map((label) => data.labels.name(label)).sort();
}

function pickNodeRows(table: NodeTable, data: GraphData, { sequence }: FlushSource, changes: number): PickedRow[] {
  const rows: PickedRow[] = [];
  for (let row = table.flushedRows; row < table.published.rowCount; row++) {
    if (table.isVisible(row, sequence)) rows.push({ ordinal: table.ordinalOf(row), from: row, source: 0, target: 0 });
  }
  for (let entry = table.flushedChanges; entry < changes; entry++) {
    const row = table.chains.keys[entry] as number;
    if (row >= table.flushedRows) continue;
    const ordinal = table.ordinalOf(row);
    if (data.directory.tableAt(ordinal, sequence) !== table.index) rows.push({ ordinal, from: -1, source: 0, target: 0 });
  }
  return rows.sort((a, b) => a.ordinal - b.ordinal);
}

function pickRelationshipRows(table: RelationshipTable, { sequence }: FlushSource, changes: number): PickedRow[] {
  const rows: PickedRow[] = [];
  const pick = (homeRow: number): void => {
    const from = table.rowAt(homeRow, sequence);
    if (from < 0 && homeRow >= table.flushedRows) return;
    const source = table.sources[homeRow] as number;
    rows.push({ ordinal: table.ordinalOf(homeRow), from, source, target: table.targets[homeRow] as number });
  };
  for (let row = table.flushedRows; row < table.published.rowCount; row++) if (table.isHomeRow(row)) pick(row);
  for (let entry = table.flushedChanges; entry < changes; entry++) {
    const homeRow = table.chains.keys[entry] as number;
    const isNewest = table.chains.find(homeRow, sequence) === entry;
    if (homeRow < table.flushedRows && isNewest) pick(homeRow);
  }
  return rows.sort((a, b) => a.source - b.source || a.target - b.target || a.ordinal - b.ordinal);
}

function sstTable(table: NodeTable | RelationshipTable, rows: readonly PickedRow[], data: GraphData) {
  const ordinals = rows.map((row) => row.ordinal);
  const minOrdinal = ordinals.reduce((least, ordinal) => Math.min(least, ordinal));
  const denseOrdinals = ordinals.every((ordinal, i) => ordinal === minOrdinal + i);
  const tombstones = rows.some((row) => row.from < 0);
  const columns: SstColumn[] = [];
  if (!denseOrdinals) columns.push(numbers(ORDINAL_COLUMN, ordinals));
  if (tombstones)
    columns.push({ name: DELETED_COLUMN, kind: 'boolean', values: Uint8Array.from(rows, (row) => (row.from < 0 ? 1 : 0)), valid: null });
  if ('labels' in table) {
    if (table.idColumn !== null) pushColumn(columns, ID_COLUMN, table.idColumn, rows);
  } else {
    columns.push(
      numbers(
        SOURCE_COLUMN,
        rows.map((row) => row.source),
      ),
      numbers(
        TARGET_COLUMN,
        rows.map((row) => row.target),
      ),
    );
  }
  for (const key of table.columnKeys) pushColumn(columns, columnNameOf(data.keys.name(key)), table.columns[key] as Column, rows);
  return { rows: rows.length, columns, minOrdinal, denseOrdinals, base: !tombstones };
}

function numbers(name: string, values: readonly number[]): SstColumn {
  return { name, kind: 'uint32', values: Uint32Array.from(values), valid: null };
}

/** The column's values in the picked rows; left out when none has one. */
function pushColumn(columns: SstColumn[], name: string, column: Column, rows: readonly PickedRow[]): void {
  let present = 0;
  for (const { from } of rows) if (from >= 0 && column.has(from)) present++;
  if (present === 0) return;
  const valid = present === rows.length ? null : bitmapFor(null, rows.length);
  if (valid !== null)
    rows.forEach(({ from }, i) => {
      if (from >= 0 && column.has(from)) setBit(valid, i);
    });
  const { kind, dictionary } = column;
  if (usesHeap(kind)) columns.push({ name, kind, valid, ...gatherHeap(column, rows) });
  else if (dictionary === null) columns.push({ name, kind, valid, values: gatherFixed(column, rows) });
  else {
    const offsets = dictionary.offsets.subarray(0, dictionary.size + 1);
    columns.push({
      name,
      kind,
      valid,
      values: gatherFixed(column, rows),
      dictionary: { offsets, heap: dictionary.heap.subarray(0, dictionary.heapLength) },
    });
  }
}

function gatherFixed(column: Column, rows: readonly PickedRow[]): SstColumn['values'] {
  const values = sharedArray(column.values as Int32Array, rows.length);
  const from = column.values as Int32Array;
  rows.forEach((row, i) => {
    if (row.from >= 0 && column.has(row.from)) values[i] = from[row.from] as number;
  });
  return values;
}

function gatherHeap(column: Column, rows: readonly PickedRow[]): { readonly values: Uint32Array; readonly heap: Uint8Array } {
  const offsets = column.values as Uint32Array;
  const from = column.heap as Uint8Array;
  const values = sharedArray(EMPTY_U32, rows.length + 1);
  let heap = EMPTY_U8;
  let length = 0;
  rows.forEach((row, i) => {
    if (row.from >= 0 && column.has(row.from)) {
      const start = offsets[row.from] as number;
      const end = offsets[row.from + 1] as number;
      heap = grown(heap, length + end - start);
      heap.set(from.subarray(start, end), length);
      length += end - start;
    }
    values[i + 1] = length;
  });
  return { values, heap: heap.subarray(0, length) };
}
