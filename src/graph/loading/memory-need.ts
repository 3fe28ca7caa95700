/** How much memory a part of a table takes that is to be read whole, as far as the manifest tells. */
import { GraphDBError } from '../../base/index.ts';
import type { SstColumnInfo, SstFile } from '../../storage/index.ts';
import { NodeTable } from '../tables/node-table.ts';
import { columnNameOf, ID_COLUMN } from '../tables/table-files.ts';
import type { TableRequirement } from './table-requirement.ts';

/** Bytes of a node beside its properties: its place in the directory, and its ordinal. */
const NODE_BYTES = 10;
/** Bytes of a relationship: its ends, its ordinal, and its entries in the adjacencies of both directions. */
const RELATIONSHIP_BYTES = 24;
/** Of the memory that is left, a load may take so much: others have to work beside it. */
const MOST_OF_MEMORY = 0.9;

/** Bytes in memory for a row: of text and the like, the offset or the code alone. */
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

/** What has bytes beside those of its rows. */
const VARIABLE: ReadonlySet<SstColumnInfo['kind']> = new Set(['dictionary', 'string', 'vector', 'any']);

/** `nameOfKey`: of a property key, by its symbol id. */
export function bytesToLoad({ table, keys, ids }: TableRequirement, nameOfKey: (key: number) => string): number {
  const { files } = table;
  if (files === null) return 0;
  const wanted = new Set(keys.filter((key) => files.unloadedKeys.has(key)).map((key) => columnNameOf(nameOfKey(key))));
  if (ids && !files.idsLoaded) wanted.add(ID_COLUMN);
  const perRow = table instanceof NodeTable ? NODE_BYTES : RELATIONSHIP_BYTES;
  const rows = files.rowsLoaded ? 0 : files.rowCount * perRow;
  return files.parts.reduce((sum, { file }) => sum + columnBytes(file, wanted), rows);
}

function columnBytes(file: SstFile, wanted: ReadonlySet<string>): number {
  const fixed = file.columns.reduce((sum, { kind }) => sum + WIDTHS[kind] * file.rows, 0);
  const variable = file.columns.filter(({ kind }) => VARIABLE.has(kind)).length;
  const heap = Math.max(0, file.bytes - fixed) / Math.max(1, variable);
  return file.columns
    .filter(({ name }) => wanted.has(name))
    .reduce((sum, { kind }) => sum + WIDTHS[kind] * file.rows + (VARIABLE.has(kind) ? heap : 0), 0);
}

/** MEMORY_LIMIT: more bytes than there is room for in memory. */
export function assertRoom(bytes: number, available: number): void {
  if (bytes <= available * MOST_OF_MEMORY) return;
  const inMiB = (count: number): string => `${Math.ceil(count / 2 ** 20)} MiB`;
  throw new GraphDBError(
    'MEMORY_LIMIT',
    `the statement reads tables and columns that take ${inMiB(bytes)} of memory, and ${inMiB(available)} are left to the process; ask for fewer rows by a declared key, or give it more memory`,
  );
}
