/**
 * Collects a flush: the published changes that the files of a namespace do not hold yet, as SSTs of level 0. For each
 * table these are the row versions published since the last flush, and tombstones for deleted entities that are in files;
 * when a table has no live row left, its files are dropped instead. O(rows changed or ended since the last flush).
 *
 * The set of rows is fixed at the beginning; the rows are gathered in steps, between which transactions may begin, commit
 * and be published, columns may be loaded, and tables may be rewritten: the table objects of the beginning keep their
 * rows, as they do for readers of older views.
 */
import { type Manifest, type ManifestEdit, type SstColumn, type SstTable, type TableName, tableId } from '../../storage/index.ts';
import type { RelationshipTable } from '../adjacency/relationship-table.ts';
import type { ListedRows } from '../arrays/row-list.ts';
import type { Column } from '../columns/column.ts';
import { gatherColumn } from '../columns/gather.ts';
import type { GraphCounts, GraphData } from '../data/graph-data.ts';
import { rowsInFiles, type TableExtent, unflushedNodeRows, unflushedRelationshipRows } from '../data/unflushed.ts';
import type { NodeReader } from '../tables/node-reader.ts';
import { NodeTable } from '../tables/node-table.ts';
import type { RowTable } from '../tables/row-table.ts';
import { columnNameOf, DELETED_COLUMN, ID_COLUMN, ORDINAL_COLUMN, SOURCE_COLUMN, TARGET_COLUMN } from '../tables/table-files.ts';
import type { ConstraintDefinition, IndexDefinition } from '../view/view.ts';

/** The state that a flush is collected from. */
export interface FlushSource {
  readonly data: GraphData;
  /** The counts as of `sequence`. */
  readonly counts: GraphCounts;
  readonly sequence: number;
  readonly flushedSequence: number;
  /**
   * The manifest whose files hold exactly what was flushed from this graph; null when there is none: then a table without
   * live rows gets tombstones like any other.
   */
  readonly manifest: Pick<Manifest, 'tables'> | null;
}

/** How many rows, and entries of its chains, of a table are in files once a flush is published. */
export interface FlushedTable {
  readonly table: RowTable;
  readonly rows: number;
  readonly changes: number;
}

/** A flush that was collected. */
export interface Flush {
  readonly sequence: number;
  readonly edit: ManifestEdit;
  readonly tables: readonly FlushedTable[];
}

/** A table that is not completely in files, with its state when collecting begins. */
interface ChangedTable extends FlushedTable, TableExtent {
  readonly table: NodeTable | RelationshipTable;
  readonly name: TableName;
  readonly liveRows: number;
}

/**
 * Begins to collect a flush. Returns the steps, whose result is the flush; each yields how many rows the next one looks
 * at. Must be called between transactions; the steps may run at any time.
 */
export function collectFlush(source: FlushSource): Generator<number, Flush> {
  const { data, counts, sequence } = source;
  const changed: ChangedTable[] = [];
  for (const table of [...data.nodeTables, ...data.relationshipTables]) {
    if (table === undefined || table.isFlushed(sequence)) continue;
    const { rowCount: rows, liveCount: liveRows } = table.published;
    const changes = table.chains.countUpTo(sequence);
    changed.push({ table, rows, changes, rowsInFiles: rowsInFiles(table), name: nameOfTable(table, data), liveRows });
    table.collectedRows = rows;
  }
  const { nodeLimit: nextNodeOrdinal, relationshipLimit: nextRelationshipOrdinal } = counts;
  const reader: NodeReader = { sequence, nodeLimit: nextNodeOrdinal, directory: data.directory, tables: data.nodeTables.slice() };
  const catalog = catalogOf(data, counts);
  return gatherFlush({ changed, reader, source, rest: { sequence, nextNodeOrdinal, nextRelationshipOrdinal, catalog } });
}

interface Collecting {
  readonly changed: readonly ChangedTable[];
  readonly reader: NodeReader;
  readonly source: FlushSource;
  readonly rest: Omit<ManifestEdit, 'add' | 'remove' | 'liveRows'>;
}

function* gatherFlush({ changed, reader, source, rest }: Collecting): Generator<number, Flush> {
  const { data, sequence, flushedSequence, manifest } = source;
  const add: SstTable[] = [];
  const remove: string[] = [];
  const liveRows: (TableName & { readonly liveRows: number })[] = [];
  for (const entry of changed) {
    const { table } = entry;
    const emptied = entry.liveRows === 0 ? (manifest?.tables.find((each) => tableId(each) === tableId(entry.name))?.files ?? []) : [];
    if (emptied.length > 0) {
      // No row of these files is live: dropping them costs less than writing and merging a tombstone for each row.
      for (const { key } of emptied) remove.push(key);
      liveRows.push({ ...entry.name, liveRows: 0 });
      continue;
    }
    const listed =
      table instanceof NodeTable
        ? yield* unflushedNodeRows(table, reader, entry)
        : yield* unflushedRelationshipRows(table, sequence, entry);
    if (listed.rows.length === 0) continue;
    liveRows.push({ ...entry.name, liveRows: entry.liveRows });
    add.push({
      ...entry.name,
      ...(yield* sstRows(table, listed, data)),
      level: 0,
      minSequence: flushedSequence + 1,
      maxSequence: sequence,
    });
  }
  return { sequence, tables: changed, edit: { ...rest, add, remove, liveRows } };
}

function catalogOf(data: GraphData, { schema }: GraphCounts): NonNullable<ManifestEdit['catalog']> {
  const { labels, types, keys } = data;
  const [indexes, constraints] = [schema.indexes.map(asJson), schema.constraints.map(asJson)];
  return { labels: labels.names(), types: types.names(), keys: keys.names(), indexes, constraints };
}

function asJson(definition: IndexDefinition | ConstraintDefinition): Readonly<Record<string, unknown>> {
  return { ...definition };
}

/** Returns the name of a table in the manifest. */
export function nameOfTable(table: NodeTable | RelationshipTable, data: GraphData): TableName {
  if (!(table instanceof NodeTable)) return { kind: 'relationships', type: data.types.name(table.type) };
  return { kind: 'nodes', labels: table.labels.map((label) => data.labels.name(label)).sort() };
}

type SstRows = Pick<SstTable, 'rows' | 'columns' | 'minOrdinal' | 'denseOrdinals' | 'base'>;

function* sstRows(table: NodeTable | RelationshipTable, picked: ListedRows, data: GraphData): Generator<number, SstRows> {
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
  for (const key of table.columnKeys) {
    yield rows.length;
    // A column that a transaction added may have been rolled back since, together with its key.
    const column = table.columns[key];
    if (column !== undefined) pushColumn(columns, columnNameOf(data.keys.name(key)), column, rows);
  }
  return { rows: rows.length, columns, minOrdinal, denseOrdinals, base };
}

function numbers(name: string, values: Uint32Array): SstColumn {
  return { name, kind: 'uint32', values, valid: null };
}

/** Adds the values of a column in these rows, unless no row has a value. */
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
