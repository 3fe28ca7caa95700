/** Estimates from the manifest how much memory whole tables and columns take, and tells whether there is room for them. */
import { GraphDBError } from '../../base/index.ts';
import type { SstColumnInfo, SstFile } from '../../storage/index.ts';
import type { RelationshipTable } from '../adjacency/relationship-table.ts';
import { NodeTable } from '../tables/node-table.ts';
import { columnNameOf, ID_COLUMN } from '../tables/table-files.ts';
import type { TableRequirement } from './table-requirement.ts';

/** Bytes of a node without its properties: its entry in the directory, and its ordinal. */
const NODE_BYTES = 10;
/** Bytes of a relationship without its properties: its ends, its ordinal, and its entries in the adjacencies of both directions. */
const RELATIONSHIP_BYTES = 24;
/** The share of the available memory that a load may take; the rest is left to other work. */
const MOST_OF_MEMORY = 0.9;

/** Bytes per row of the typed array of a column; for kinds with a heap or a dictionary only the offset or the code. */
const WIDTHS: Readonly<Record<SstColumnInfo['kind'], number>> = {
  uint32: 4,
  int32: 4,
  date: 4,
  dictionary: 4,
  integer: 8,
  int64: 8,
  float: 8,
  boolean: 1,
  string: 4,
  vector: 4,
  any: 4,
};

/** Kinds whose values take more bytes than those of their rows, in a heap or a dictionary. */
const VARIABLE: ReadonlySet<SstColumnInfo['kind']> = new Set(['dictionary', 'string', 'vector', 'any']);

/** Returns the name of a property key, given by its symbol id. */
type NameOfKey = (key: number) => string;

/** Returns about how many bytes it takes to load the missing parts of a requirement. */
export function bytesToLoad({ table, keys, ids }: TableRequirement, nameOfKey: NameOfKey): number {
  const { files } = table;
  if (files === null) return 0;
  const missing = keys.filter((key) => files.unloadedKeys.has(key));
  return bytesOf(table, { rows: !files.rowsLoaded, keys: missing, ids: ids && !files.idsLoaded }, nameOfKey);
}

/** Returns about how many bytes a requirement takes in a graph that has nothing in memory. */
export function bytesRequired({ table, keys, ids }: TableRequirement, nameOfKey: NameOfKey): number {
  return bytesOf(table, { rows: true, keys, ids }, nameOfKey);
}

/**
 * Returns the bytes that a table takes in memory, with the rows written since it was opened: exact for its columns, an
 * estimate for its rows.
 */
export function loadedBytes(table: NodeTable | RelationshipTable): number {
  const { files, rowCount } = table;
  const rows = files === null || files.rowsLoaded ? rowCount : rowCount - files.rowCount;
  const ids = table instanceof NodeTable ? (table.idColumn?.bytes ?? 0) : 0;
  return table.columnKeys.reduce((sum, key) => sum + (table.columns[key]?.bytes ?? 0), rows * rowBytesOf(table) + ids);
}

/** Parts of a table in files. */
interface TableParts {
  /** Whether the ordinals, and the ends of relationships, are among the parts. */
  readonly rows: boolean;
  readonly keys: readonly number[];
  readonly ids: boolean;
}

function bytesOf(table: NodeTable | RelationshipTable, { rows, keys, ids }: TableParts, nameOfKey: NameOfKey): number {
  const { files } = table;
  if (files === null) return 0;
  const wanted = new Set(keys.map((key) => columnNameOf(nameOfKey(key))));
  if (ids) wanted.add(ID_COLUMN);
  const ofRows = rows ? files.rowCount * rowBytesOf(table) : 0;
  return files.parts.reduce((sum, { file }) => sum + columnBytes(file, wanted), ofRows);
}

function rowBytesOf(table: NodeTable | RelationshipTable): number {
  return table instanceof NodeTable ? NODE_BYTES : RELATIONSHIP_BYTES;
}

function columnBytes(file: SstFile, wanted: ReadonlySet<string>): number {
  const fixed = file.columns.reduce((sum, { kind }) => sum + WIDTHS[kind] * file.rows, 0);
  const variable = file.columns.filter(({ kind }) => VARIABLE.has(kind)).length;
  const heap = Math.max(0, file.bytes - fixed) / Math.max(1, variable);
  return file.columns
    .filter(({ name }) => wanted.has(name))
    .reduce((sum, { kind }) => sum + WIDTHS[kind] * file.rows + (VARIABLE.has(kind) ? heap : 0), 0);
}

/** Tells whether `bytes` bytes may be read into memory when `available` bytes are left. */
export function hasRoom(bytes: number, available: number): boolean {
  return bytes <= available * MOST_OF_MEMORY;
}

/** The need of a statement that has found no room; see `NoRoomError`. */
export type RoomNeed = Pick<NoRoomError, 'bytesInAll' | 'readsReplacedFiles'>;

/** The MEMORY_LIMIT error of a statement that reads more whole tables and columns than fit into memory. */
export class NoRoomError extends GraphDBError {
  /** The bytes that everything the statement reads takes in a graph that has nothing else in memory. */
  readonly bytesInAll: number;
  /** The bytes of memory that the process had left. */
  readonly available: number;
  /** Whether files of the tables have been replaced since the graph was opened: one that is opened anew can read the new files by page. */
  readonly readsReplacedFiles: boolean;

  constructor({ bytes, bytesInAll, available, readsReplacedFiles }: RoomNeed & { readonly bytes: number; readonly available: number }) {
    super(
      'MEMORY_LIMIT',
      `the statement reads tables and columns that take ${inMiB(bytes)} of memory, and ${inMiB(available)} are left to the ` +
        'process; ask for fewer rows by a declared key, or give it more memory',
    );
    this.bytesInAll = bytesInAll;
    this.available = available;
    this.readsReplacedFiles = readsReplacedFiles;
  }
}

function inMiB(bytes: number): string {
  return `${Math.ceil(bytes / 2 ** 20)} MiB`;
}
