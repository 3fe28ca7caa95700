/**
 * Loads the required parts of tables from the files of a namespace into memory: rows (ordinals, ends of relationships,
 * which rows later files have superseded), columns, identifiers. Loads run one after another; the reads of one load run
 * concurrently. Requests: one ranged read per file, column, block and buffer; none for the rows of a node table with dense
 * ordinals whose rows are all live.
 *
 * When compaction has replaced the files that a table was opened with, the rest is read from the new ones (moved-rows.ts).
 */
import { assert } from '../../base/index.ts';
import { type Manifest, type Namespace, type SstColumn, type SstFile, type SstReader, tableId } from '../../storage/index.ts';
import type { RelationshipTable } from '../adjacency/relationship-table.ts';
import { bitmapFor, hasBit } from '../arrays/bitmap.ts';
import { grown } from '../arrays/shared-array.ts';
import { Column } from '../columns/column.ts';
import { commonFixedKind, fixedValues, joinColumnParts } from '../columns/column-parts.ts';
import type { ColumnArrays } from '../columns/column-snapshot.ts';
import type { Dictionary } from '../columns/dictionary.ts';
import { gatherColumn } from '../columns/gather.ts';
import type { GraphData } from '../data/graph-data.ts';
import { type FileRows, findMovedRows, isOrderKnown, pickNumbers, resolveRows, type TableSource } from '../tables/moved-rows.ts';
import { NodeTable } from '../tables/node-table.ts';
import type { RowTable } from '../tables/row-table.ts';
import {
  columnNameOf,
  DELETED_COLUMN,
  ID_COLUMN,
  ORDINAL_COLUMN,
  partsOf,
  rowsIn,
  SOURCE_COLUMN,
  TARGET_COLUMN,
  type TableFiles,
} from '../tables/table-files.ts';
import { nameOfTable } from './flush.ts';
import { bytesRequired, bytesToLoad, hasRoom, loadedBytes, NoRoomError } from './memory-need.ts';
import { isMissing, type TableRequirement } from './table-requirement.ts';

/** The part of a namespace that gives access to the files of tables. */
export type NamespaceFiles = Pick<Namespace, 'manifest' | 'openSst' | 'openArtefact' | 'foundDamaged'>;

/** Loads tables into memory. */
export class TableLoader {
  readonly #namespace: NamespaceFiles;
  readonly #data: GraphData;
  readonly #readers = new WeakMap<SstFile, Promise<SstReader>>();
  /** The current files of tables that were opened with files which have since been replaced. */
  readonly #moved = new WeakMap<TableFiles, MovedTable>();
  #manifest: Manifest;
  #orders = 0;
  #last: Promise<void> = Promise.resolve();

  readonly #availableMemory: () => number;

  /** @param availableMemory returns the bytes that the process may still take */
  constructor(namespace: NamespaceFiles, data: GraphData, availableMemory: () => number) {
    this.#availableMemory = availableMemory;
    this.#namespace = namespace;
    this.#data = data;
    this.#manifest = namespace.manifest;
  }

  get manifest(): Manifest {
    return this.#manifest;
  }

  /** Makes later loads read from the files of this manifest. */
  takeFiles(manifest: Manifest): void {
    this.#manifest = manifest;
  }

  /** Resolves when everything required is in memory. @throws NoRoomError before reading anything, when it does not fit */
  load(requirements: readonly TableRequirement[]): Promise<void> {
    const loading = this.#last.then(() => {
      const missing = requirements.filter(isMissing);
      const bytes = this.bytesToLoad(missing);
      const available = this.#availableMemory();
      if (!hasRoom(bytes, available)) {
        const readsReplacedFiles = missing.some(({ table }) => table.files?.areAmong(this.currentFiles(table)) === false);
        throw new NoRoomError({ bytes, bytesInAll: this.#bytesRequired(requirements), available, readsReplacedFiles });
      }
      return allOf(missing.map((requirement) => this.#loadTable(requirement)));
    });
    this.#last = loading.catch(() => undefined);
    return loading;
  }

  /** Returns about how many bytes of memory a load would take, as far as the manifest tells. */
  bytesToLoad(requirements: readonly TableRequirement[]): number {
    return requirements.reduce((sum, requirement) => sum + bytesToLoad(requirement, this.#nameOfKey), 0);
  }

  #bytesRequired(requirements: readonly TableRequirement[]): number {
    return requirements.reduce((sum, requirement) => sum + bytesRequired(requirement, this.#nameOfKey), 0);
  }

  /** The bytes of memory that the tables and the dictionaries of their properties take. */
  get loadedBytes(): number {
    const tables = [...this.#data.nodeTables, ...this.#data.relationshipTables].filter((table) => table !== undefined);
    return tables.reduce((sum, table) => sum + loadedBytes(table), this.#data.dictionaryBytes);
  }

  readonly #nameOfKey = (key: number): string => this.#data.keys.name(key);

  /** Loads a table; begins again when the read fails and the files of the table have been replaced in the meantime. */
  async #loadTable(requirement: TableRequirement): Promise<void> {
    for (;;) {
      const current = this.currentFiles(requirement.table);
      try {
        return await this.#loadFrom(current, requirement);
      } catch (error) {
        if (keysOf(this.currentFiles(requirement.table)) === keysOf(current)) throw error;
      }
    }
  }

  /** Returns the files of a table in the current manifest; none when the manifest has no such table. */
  currentFiles(table: NodeTable | RelationshipTable): readonly SstFile[] {
    const id = tableId(nameOfTable(table, this.#data));
    return this.#manifest.tables.find((outline) => tableId(outline) === id)?.files ?? [];
  }

  async #loadFrom(current: readonly SstFile[], { table, keys, ids }: TableRequirement): Promise<void> {
    const { files } = table;
    assert(files !== null, 'a table without files to load');
    const source = files.areAmong(current)
      ? { parts: files.parts, rowCount: files.rowCount, origin: null }
      : await this.#find(table, files, current);
    const missingKeys = keys.filter((key) => files.unloadedKeys.has(key));
    const rows = files.rowsLoaded
      ? null
      : table instanceof NodeTable
        ? this.#loadNodeRows(table, files, source)
        : this.#loadRelationshipRows(table, files, source);
    const columns = missingKeys.map((key) => this.#loadColumn(table, files, source, { key, rows }));
    const withIds = ids && !files.idsLoaded && table instanceof NodeTable;
    const identifiers = withIds ? this.#readWhole(source, ID_COLUMN) : null;
    await allOf([rows, ...columns, identifiers]);
    if (withIds && identifiers !== null) this.#takeIds(table, files, source, await identifiers);
    if (files.rowsLoaded) table.paged?.dropRelationships();
    if (files.isLoaded) {
      table.paged = null;
      this.#moved.delete(files);
    }
  }

  async #readColumns({ parts }: Pick<TableSource, 'parts'>, name: string): Promise<(SstColumn | null)[]> {
    return Promise.all(parts.map(async ({ file }) => (await this.reader(file)).readColumn(name)));
  }

  /** Reads the parts of a column, into one array when all have the same kind of fixed width. */
  async #readWhole(source: TableSource, name: string): Promise<WholeColumn> {
    const kinds = source.parts.flatMap(({ file }) => columnOf(file, name)?.kind ?? []);
    const kind = commonFixedKind(kinds);
    if (kind === null) return { columns: await this.#readColumns(source, name), values: null };
    const values = fixedValues(kind, source.rowCount);
    const columns = await Promise.all(
      source.parts.map(async ({ file, firstRow }) => {
        const info = columnOf(file, name);
        if (info === undefined) return null;
        const valid = info.nullCount > 0 ? bitmapFor(null, file.rows) : null;
        return (await this.reader(file)).readColumn(name, { values: values.subarray(firstRow, firstRow + file.rows), valid });
      }),
    );
    return { columns, values };
  }

  /** Returns the reader of a file; all callers share one. */
  reader(file: SstFile): Promise<SstReader> {
    let reader = this.#readers.get(file);
    if (reader === undefined) {
      reader = this.#namespace.openSst(file);
      this.#readers.set(file, reader);
      reader.catch(() => this.#readers.delete(file));
    }
    return reader;
  }

  /** Finds the rows of a table in the files that replaced its own. Reads ordinals and deletions, once per set of files. */
  async #find(table: RowTable, files: TableFiles, current: readonly SstFile[]): Promise<TableSource> {
    const known = this.#moved.get(files);
    if (known !== undefined && known.keys === keysOf(current)) return known.source;
    const parts = partsOf(current);
    const [ordinals, deleted, former] = await Promise.all([
      this.#readColumns({ parts }, ORDINAL_COLUMN),
      this.#readColumns({ parts }, DELETED_COLUMN),
      this.#readFormer(table, files),
    ]);
    if (former === null && table.paged !== null && !isOrderKnown(files)) this.#endPages(table);
    const origin = findMovedRows(table, files, resolveRows(parts, ordinals, deleted), former);
    const source = { parts, rowCount: rowsIn(parts), origin };
    this.#moved.set(files, { keys: keysOf(current), source });
    return source;
  }

  /**
   * Reads the order of the first rows of a table from its former files, since statements may be reading these by page.
   * Returns null when it is known, when nothing was read by page, or when these files are gone.
   */
  async #readFormer(table: RowTable, files: TableFiles): Promise<FileRows | null> {
    if (table.paged === null || isOrderKnown(files)) return null;
    const { parts } = files;
    try {
      const { ordinals, deleted } = await this.#readRows(files);
      return resolveRows(parts, ordinals, deleted);
    } catch {
      return null;
    }
  }

  /** Ends reading a table by page, whose rows will get another order; statements that do so must fail. */
  #endPages(table: RowTable): void {
    table.paged = null;
    this.#orders++;
  }

  /** Grows whenever rows of a table that was read by page have got another order. */
  get orders(): number {
    return this.#orders;
  }

  // ------------------------------------------------------------ rows

  async #loadNodeRows(table: NodeTable, files: TableFiles, source: TableSource): Promise<void> {
    if (source.origin !== null) takeMovedRows(table, files, source.origin);
    else takeRows(table, files, await this.#readRows(files));
    const { directory } = this.#data;
    if (table.ordinalBase >= 0 && table.chains.bitmap === null) directory.setFirstRows(table.ordinalBase, table.index, files.rowCount);
    else {
      for (let row = 0; row < files.rowCount; row++) {
        if (!table.chains.isBuried(row)) directory.set(table.ordinalOf(row), table.index, row);
      }
    }
    noteLoaded(table, files, this.#data);
  }

  async #loadRelationshipRows(table: RelationshipTable, files: TableFiles, source: TableSource): Promise<void> {
    const [rows, sources, targets] = await Promise.all([
      source.origin === null ? this.#readRows(files) : null,
      this.#readWhole(source, SOURCE_COLUMN),
      this.#readWhole(source, TARGET_COLUMN),
    ]);
    table.sources = withFirstRows(table.sources, table, numbersOf(sources, source));
    table.targets = withFirstRows(table.targets, table, numbersOf(targets, source));
    table.chains.dropDoubts();
    if (rows !== null) takeRows(table, files, rows);
    else takeMovedRows(table, files, source.origin as Int32Array);
    table.sortedRows =
      source.origin === null
        ? sortedFiles(table.sources, table.targets, files)
        : sortedPrefix(table.sources, table.targets, files.rowCount);
    table.resetAdjacency();
    noteLoaded(table, files, this.#data);
  }

  async #readRows(files: TableFiles): Promise<RowColumns> {
    const withOrdinals = files.parts.some(({ file }) => !file.denseOrdinals);
    const [ordinals, deleted] = await Promise.all([
      withOrdinals ? this.#readColumns(files, ORDINAL_COLUMN) : files.parts.map(() => null),
      files.allLive ? files.parts.map(() => null) : this.#readColumns(files, DELETED_COLUMN),
    ]);
    return { ordinals, deleted };
  }

  // ------------------------------------------------------------ columns

  async #loadColumn(
    table: RowTable,
    files: TableFiles,
    source: TableSource,
    { key, rows }: { readonly key: number; readonly rows: Promise<void> | null },
  ): Promise<void> {
    const read = await this.#readWhole(source, columnNameOf(this.#data.keys.name(key)));
    // When reading the rows fails, they may be read from other files next, in another order: a column in this order must
    // not be taken then.
    await rows;
    const dictionary = this.#data.dictionaryOf(key);
    const base = joinedColumn(source, read, dictionary);
    if (base !== null) {
      const column = table.columns[key] ?? table.addColumn(key, new Column(base.kind, dictionary));
      column.takeBase(base, files.rowCount);
    }
    files.unloadedKeys.delete(key);
    table.paged?.dropColumn(key);
    noteLoaded(table, files, this.#data);
  }

  #takeIds(table: NodeTable, files: TableFiles, source: TableSource, read: WholeColumn): void {
    const base = joinedColumn(source, read, this.#data.idDictionary());
    if (base !== null) {
      table.idColumn ??= new Column('string', this.#data.idDictionary());
      table.idColumn.takeBase(base, files.rowCount);
      if (table.idColumn.kind !== 'string') table.idColumn.convert('string');
    }
    files.idsLoaded = true;
    for (let row = 0; row < files.rowCount; row++) {
      if (table.chains.isBuried(row)) continue;
      const id = table.idAt(row);
      if (id !== null) this.#data.nodeIds.add(id, table.ordinalOf(row));
    }
    noteLoaded(table, files, this.#data);
  }
}

/** Notes that a part of a table was loaded: views have to be refreshed. */
export function noteLoaded(table: RowTable, files: TableFiles, { shape }: GraphData): void {
  files.loads++;
  table.version++;
  shape.version++;
}

/** Like `Promise.all`, but waits for all parts to settle before it throws the first error. */
async function allOf(parts: readonly (Promise<unknown> | null)[]): Promise<void> {
  for (const result of await Promise.allSettled(parts)) if (result.status === 'rejected') throw result.reason;
}

interface MovedTable {
  readonly keys: string;
  readonly source: TableSource;
}

function keysOf(files: readonly SstFile[]): string {
  return files.map(({ key }) => key).join();
}

interface RowColumns {
  /** The ordinals of each file; null when these are dense. */
  readonly ordinals: readonly (SstColumn | null)[];
  /** The deletion flags of each file; null when it has none. */
  readonly deleted: readonly (SstColumn | null)[];
}

interface WholeColumn {
  /** The column of each file; null when the file has no such column. */
  readonly columns: readonly (SstColumn | null)[];
  /** The array that all parts were read into; null when each part has its own. */
  readonly values: Int32Array | null;
}

/** Returns the column of a file by name; undefined when the file has none of that name. */
export function columnOf(file: SstFile, name: string): SstFile['columns'][number] | undefined {
  return file.columns.find((column) => column.name === name);
}

/** Returns the column over the first rows of the table; null when no row has a value. */
function joinedColumn({ parts, rowCount, origin }: TableSource, read: WholeColumn, dictionary: Dictionary): ColumnArrays | null {
  if (read.columns.every((column) => column === null)) return null;
  const withRows = parts.map(({ file, firstRow }, i) => ({ column: read.columns[i] ?? null, firstRow, rows: file.rows }));
  const joined = joinColumnParts(withRows, rowCount, dictionary, read.values);
  if (origin === null) return joined;
  const column = new Column(joined.kind, dictionary);
  column.takeBase(joined, rowCount);
  return gatherColumn(column, origin);
}

/** Returns a system column of unsigned numbers over the first rows of the table. */
function numbersOf({ values }: WholeColumn, { origin }: TableSource): Uint32Array {
  const numbers = (values ?? fixedValues('uint32', 0)) as unknown as Uint32Array; // as: what a column of this kind is read into
  return origin === null ? numbers : pickNumbers(numbers, origin);
}

/** Returns the numbers of the first rows, followed by those of the rows written after them. */
function withFirstRows(written: Uint32Array, { rowCount, files }: RowTable, first: Uint32Array): Uint32Array {
  const firstRows = files?.rowCount ?? 0;
  if (rowCount <= firstRows) return first;
  const all = grown(first, rowCount);
  all.set(written.subarray(firstRows, rowCount), firstRows);
  return all;
}

function takeMovedRows(table: RowTable, files: TableFiles, origin: Int32Array): void {
  for (let row = 0; row < files.rowCount; row++) if ((origin[row] as number) < 0) table.chains.bury(row);
  files.rowsLoaded = true;
}

/** Fills in the ordinals of the first rows, and buries tombstones and rows that a later row supersedes. */
function takeRows(table: RowTable, files: TableFiles, rows: RowColumns): void {
  if (table.ordinalBase < 0) {
    table.ordinals = grown(table.ordinals, Math.max(files.rowCount, table.rowCount));
    files.parts.forEach(({ file, firstRow }, i) => {
      const column = rows.ordinals[i];
      if (column != null) table.ordinals.set(column.values as Uint32Array, firstRow);
      else for (let row = 0; row < file.rows; row++) table.ordinals[firstRow + row] = file.minOrdinal + row;
    });
  }
  if (!files.allLive) {
    const { holds } = resolveRows(files.parts, rows.ordinals, rows.deleted);
    for (let row = 0; row < files.rowCount; row++) if (!hasBit(holds, row)) table.chains.bury(row);
  }
  files.rowsLoaded = true;
}

/** Returns how many of the first rows are in the order of (source, target), given that the rows of each file are. */
function sortedFiles(sources: Uint32Array, targets: Uint32Array, { parts, rowCount }: TableFiles): number {
  const next = parts.find(({ firstRow }) => firstRow > 0 && !isInOrder(sources, targets, firstRow));
  return next?.firstRow ?? rowCount;
}

/** Returns how many of the first rows are in the order of (source, target). */
function sortedPrefix(sources: Uint32Array, targets: Uint32Array, rowCount: number): number {
  for (let row = 1; row < rowCount; row++) if (!isInOrder(sources, targets, row)) return row;
  return rowCount;
}

/** Tells whether a row and the one before it are in the order of (source, target). */
function isInOrder(sources: Uint32Array, targets: Uint32Array, row: number): boolean {
  const before = sources[row - 1] as number;
  const source = sources[row] as number;
  return source > before || (source === before && (targets[row] as number) >= (targets[row - 1] as number));
}
