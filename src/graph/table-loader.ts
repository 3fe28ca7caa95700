/**
 * Reads tables from the files of a namespace into memory, as far as they are asked for: rows (ordinals, ends of relationships, which rows
 * later files have superseded), columns, identifiers. Loads run one after another; the reads within one run side by side. Requests: per file
 * one column is one ranged read per block and buffer; a table whose ordinals are dense and of which all rows live needs none for its rows.
 */
import { assert } from '../base/index.ts';
import type { Namespace, SstColumn, SstReader } from '../storage/index.ts';
import { bytesForBits, hasBit, setBit } from './bitmap.ts';
import { Column } from './column.ts';
import { joinColumnParts } from './column-parts.ts';
import type { GraphData } from './graph-data.ts';
import { NodeTable } from './node-table.ts';
import type { RelationshipTable } from './relationship-table.ts';
import type { RowTable } from './row-table.ts';
import { grown } from './shared-array.ts';
import {
  columnNameOf,
  DELETED_COLUMN,
  type FilePart,
  ID_COLUMN,
  ORDINAL_COLUMN,
  SOURCE_COLUMN,
  TARGET_COLUMN,
  type TableFiles,
} from './table-files.ts';

/** What of one table is wanted. */
export interface TableRequirement {
  readonly table: NodeTable | RelationshipTable;
  /** Property keys, by symbol id. */
  readonly keys: readonly number[];
  readonly ids: boolean;
}

export function isMissing({ table, keys, ids }: TableRequirement): boolean {
  return !table.hasLoaded(keys) || (ids && table.files !== null && !table.files.idsLoaded);
}

export class TableLoader {
  readonly #namespace: Namespace;
  readonly #data: GraphData;
  readonly #readers = new WeakMap<FilePart, Promise<SstReader>>();
  #last: Promise<void> = Promise.resolve();

  constructor(namespace: Namespace, data: GraphData) {
    this.#namespace = namespace;
    this.#data = data;
  }

  /** Resolves when everything asked for is in memory. */
  load(requirements: readonly TableRequirement[]): Promise<void> {
    const loading = this.#last.then(async () => {
      await Promise.all(requirements.filter(isMissing).map((requirement) => this.#loadTable(requirement)));
    });
    this.#last = loading.catch(() => undefined);
    return loading;
  }

  async #loadTable({ table, keys, ids }: TableRequirement): Promise<void> {
    const { files } = table;
    assert(files !== null, 'a table without files to load');
    const missingKeys = keys.filter((key) => files.unloadedKeys.has(key));
    const rows = files.rowsLoaded
      ? null
      : table instanceof NodeTable
        ? this.#loadNodeRows(table, files)
        : this.#loadRelationshipRows(table, files);
    const columns = missingKeys.map((key) => this.#loadColumn(table, files, key));
    const withIds = ids && !files.idsLoaded && table instanceof NodeTable;
    const identifiers = withIds ? this.#readColumns(files, ID_COLUMN) : null;
    await Promise.all([rows, ...columns, identifiers]);
    if (withIds && identifiers !== null) this.#takeIds(table, files, await identifiers);
  }

  #changed(table: RowTable, files: TableFiles): void {
    files.loads++;
    table.version++;
    this.#data.shape.version++;
  }

  async #readColumns(files: TableFiles, name: string): Promise<(SstColumn | null)[]> {
    return Promise.all(files.parts.map(async (part) => (await this.#reader(part)).readColumn(name)));
  }

  #reader(part: FilePart): Promise<SstReader> {
    let reader = this.#readers.get(part);
    if (reader === undefined) {
      reader = this.#namespace.openSst(part.file);
      this.#readers.set(part, reader);
    }
    return reader;
  }

  // ------------------------------------------------------------ rows

  async #loadNodeRows(table: NodeTable, files: TableFiles): Promise<void> {
    const rows = await this.#readRows(files);
    takeRows(table, files, rows);
    const { directory } = this.#data;
    for (let row = 0; row < files.rowCount; row++) {
      if (!table.chains.isBuried(row)) directory.set(table.ordinalOf(row), table.index, row);
    }
    this.#changed(table, files);
  }

  async #loadRelationshipRows(table: RelationshipTable, files: TableFiles): Promise<void> {
    const [rows, sources, targets] = await Promise.all([
      this.#readRows(files),
      this.#readColumns(files, SOURCE_COLUMN),
      this.#readColumns(files, TARGET_COLUMN),
    ]);
    table.sources = grown(table.sources, Math.max(files.rowCount, table.rowCount));
    table.targets = grown(table.targets, Math.max(files.rowCount, table.rowCount));
    files.parts.forEach(({ firstRow }, i) => {
      table.sources.set(sources[i]?.values as Uint32Array, firstRow);
      table.targets.set(targets[i]?.values as Uint32Array, firstRow);
    });
    takeRows(table, files, rows);
    table.sortedRows = sortedPrefix(table.sources, table.targets, files.rowCount);
    table.resetAdjacency();
    this.#changed(table, files);
  }

  async #readRows(files: TableFiles): Promise<FileRows> {
    const withOrdinals = files.parts.some(({ file }) => !file.denseOrdinals);
    const [ordinals, deleted] = await Promise.all([
      withOrdinals ? this.#readColumns(files, ORDINAL_COLUMN) : files.parts.map(() => null),
      files.allLive ? files.parts.map(() => null) : this.#readColumns(files, DELETED_COLUMN),
    ]);
    return { ordinals, deleted };
  }

  // ------------------------------------------------------------ columns

  async #loadColumn(table: RowTable, files: TableFiles, key: number): Promise<void> {
    const parts = await this.#readColumns(files, columnNameOf(this.#data.keys.name(key)));
    const dictionary = this.#data.dictionaryOf(key);
    const base = joinColumnParts(withRows(files, parts), files.rowCount, dictionary);
    const column = table.columns[key] ?? table.addColumn(key, new Column(base.kind, dictionary));
    column.takeBase(base, files.rowCount);
    files.unloadedKeys.delete(key);
    this.#changed(table, files);
  }

  #takeIds(table: NodeTable, files: TableFiles, parts: readonly (SstColumn | null)[]): void {
    const base = joinColumnParts(withRows(files, parts), files.rowCount, this.#data.idDictionary());
    table.idColumn ??= new Column('string', this.#data.idDictionary());
    table.idColumn.takeBase(base, files.rowCount);
    if (table.idColumn.kind !== 'string') table.idColumn.convert('string');
    for (let row = 0; row < files.rowCount; row++) {
      if (table.chains.isBuried(row)) continue;
      const id = table.idAt(row);
      if (id !== null) this.#data.nodeIds.add(id, table.ordinalOf(row));
    }
    files.idsLoaded = true;
    this.#changed(table, files);
  }
}

interface FileRows {
  /** By file; null: dense. */
  readonly ordinals: readonly (SstColumn | null)[];
  /** By file; null: none is. */
  readonly deleted: readonly (SstColumn | null)[];
}

function withRows(files: TableFiles, columns: readonly (SstColumn | null)[]) {
  return files.parts.map(({ file, firstRow }, i) => ({ column: columns[i] ?? null, firstRow, rows: file.rows }));
}

/** Fills in the ordinals of the first rows, and buries those that a later row supersedes or that only say "deleted". */
function takeRows(table: RowTable, files: TableFiles, rows: FileRows): void {
  if (table.ordinalBase < 0) {
    table.ordinals = grown(table.ordinals, Math.max(files.rowCount, table.rowCount));
    files.parts.forEach(({ file, firstRow }, i) => {
      const column = rows.ordinals[i];
      if (column != null) table.ordinals.set(column.values as Uint32Array, firstRow);
      else for (let row = 0; row < file.rows; row++) table.ordinals[firstRow + row] = file.minOrdinal + row;
    });
  }
  if (!files.allLive) buryDeadRows(table, files, rows);
  files.rowsLoaded = true;
}

/** Newest row first: the first row of an ordinal is the one that holds. */
function buryDeadRows(table: RowTable, files: TableFiles, rows: FileRows): void {
  const highest = files.parts.reduce((most, { file }) => Math.max(most, file.maxOrdinal), 0);
  const seen = new Uint8Array(bytesForBits(highest + 1));
  for (let i = files.parts.length - 1; i >= 0; i--) {
    const { file, firstRow } = files.parts[i] as FilePart;
    const deleted = rows.deleted[i] ?? null;
    for (let row = file.rows - 1; row >= 0; row--) {
      const ordinal = table.ordinalOf(firstRow + row);
      const isSeen = hasBit(seen, ordinal);
      setBit(seen, ordinal);
      if (isSeen || (deleted !== null && isTrue(deleted, row))) table.chains.bury(firstRow + row);
    }
  }
}

function isTrue(column: SstColumn, row: number): boolean {
  return column.values[row] === 1 && (column.valid === null || hasBit(column.valid, row));
}

/** How many of the first rows are in order of (source, target). */
function sortedPrefix(sources: Uint32Array, targets: Uint32Array, rowCount: number): number {
  for (let row = 1; row < rowCount; row++) {
    const before = sources[row - 1] as number;
    const source = sources[row] as number;
    if (source < before || (source === before && (targets[row] as number) < (targets[row - 1] as number))) return row;
  }
  return rowCount;
}
