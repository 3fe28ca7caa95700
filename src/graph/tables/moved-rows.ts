/**
 * Finds the rows of an open table in the files that compaction has put in place of those it was opened with.
 *
 * The first rows of a table, those of its files, keep their numbers as long as the table is open. Parts of them that are
 * not in memory must then come from the new files, whose rows are in another order, lack dead rows, and include later
 * ones. Rows are matched by ordinal. Invariant: while any part of the first rows is not in memory, none of them is changed
 * or deleted, since that requires the whole table; so the new files hold the same values for each live row.
 *
 * When the ordinals of the first rows were never read, their order is not known either: it is that of the former files,
 * where these can still be read, as a table that is read by page must have it; otherwise it is chosen here.
 */
import { GraphDBError } from '../../base/index.ts';
import type { SstColumn } from '../../storage/index.ts';
import { bytesForBits, hasBit, setBit } from '../arrays/bitmap.ts';
import { EMPTY_U32, grown, sharedArray } from '../arrays/shared-array.ts';
import { U32Map } from '../arrays/u32-map.ts';
import type { RowTable } from './row-table.ts';
import type { FilePart, TableFiles } from './table-files.ts';

/** The files that the first rows of a table are read from, oldest first. */
export interface TableSource {
  readonly parts: readonly FilePart[];
  readonly rowCount: number;
  /** For each row of the table the row in the files, -1 for a dead row; null when the row numbers are the same. */
  readonly origin: Int32Array | null;
}

/** The ordinal of each row of the files, and a bitmap of the rows that are in force: neither superseded nor deleted. */
export interface FileRows {
  readonly ordinals: Uint32Array;
  readonly holds: Uint8Array;
}

/** Finds the rows in force. @param ordinals by part; null: dense @param deleted the flags by part; null: no row is deleted */
export function resolveRows(
  parts: readonly FilePart[],
  ordinals: readonly (SstColumn | null)[],
  deleted: readonly (SstColumn | null)[],
): FileRows {
  const rowCount = parts.reduce((sum, { file }) => sum + file.rows, 0);
  const all = new Uint32Array(rowCount);
  parts.forEach((part, i) => void all.set(ordinalsOf(part, ordinals[i] ?? null), part.firstRow));
  const lowest = parts.reduce((least, { file }) => Math.min(least, file.minOrdinal), Number.POSITIVE_INFINITY);
  const highest = parts.reduce((most, { file }) => Math.max(most, file.maxOrdinal), lowest);
  const seen = new Uint8Array(parts.length === 0 ? 0 : bytesForBits(highest - lowest + 1));
  const holds = new Uint8Array(bytesForBits(rowCount));
  // Newest first: the first row of an ordinal is the one that holds.
  for (let i = parts.length - 1; i >= 0; i--) {
    const { file, firstRow } = parts[i] as FilePart;
    const deletions = deleted[i] ?? null;
    for (let row = file.rows - 1; row >= 0; row--) {
      const ordinal = all[firstRow + row] as number;
      if (hasBit(seen, ordinal - lowest)) continue;
      setBit(seen, ordinal - lowest);
      if (deletions === null || !isTrue(deletions, row)) setBit(holds, firstRow + row);
    }
  }
  return { ordinals: all, holds };
}

function ordinalsOf({ file }: FilePart, column: SstColumn | null): Uint32Array {
  return column === null ? Uint32Array.from({ length: file.rows }, (_, row) => file.minOrdinal + row) : (column.values as Uint32Array);
}

function isTrue(column: SstColumn, row: number): boolean {
  return column.values[row] === 1 && (column.valid === null || hasBit(column.valid, row));
}

/** Tells whether the order of the first rows of a table is known: from their ordinals in memory, or since these are dense. */
export function isOrderKnown(files: TableFiles): boolean {
  return files.rowsLoaded || files.denseBase >= 0;
}

/**
 * Returns, for each of the first rows of the table, its row in the files, or -1 when it is dead. When the ordinals of the table are not
 * known, fills them in: from the `former` files, or else dead rows first.
 * @throws CORRUPTION when the files do not hold exactly the live rows of the table
 */
export function findMovedRows(table: RowTable, files: TableFiles, rows: FileRows, former: FileRows | null): Int32Array {
  if (former !== null) takeOrdinals(table, former.ordinals);
  const isDead = (row: number): boolean => (former === null ? table.chains.isBuried(row) : !hasBit(former.holds, row));
  const isKnown = former !== null || isOrderKnown(files);
  const origin = isKnown ? findByOrdinal(table, files, rows, isDead) : chooseOrder(table, files, rows);
  const found = origin.reduce((sum, row) => sum + (row >= 0 ? 1 : 0), 0);
  if (found === files.liveRows) return origin;
  throw new GraphDBError('CORRUPTION', `of ${files.liveRows} rows of a table ${found} are in the files that were merged from it`);
}

function takeOrdinals(table: RowTable, ordinals: Uint32Array): void {
  table.ordinals = grown(table.ordinals, Math.max(ordinals.length, table.rowCount));
  table.ordinals.set(ordinals);
}

function findByOrdinal(table: RowTable, files: TableFiles, { ordinals, holds }: FileRows, isDead: (row: number) => boolean): Int32Array {
  const rowOf = new U32Map();
  for (let row = 0; row < ordinals.length; row++) if (hasBit(holds, row)) rowOf.set(ordinals[row] as number, row);
  return Int32Array.from({ length: files.rowCount }, (_, row) => (isDead(row) ? -1 : rowOf.get(table.ordinalOf(row))));
}

function chooseOrder(table: RowTable, files: TableFiles, { ordinals, holds }: FileRows): Int32Array {
  const written = new U32Map();
  for (let row = files.rowCount; row < table.rowCount; row++) written.set(table.ordinalOf(row), row);
  const living: number[] = [];
  for (let row = 0; row < ordinals.length; row++) {
    if (hasBit(holds, row) && written.get(ordinals[row] as number) < 0) living.push(row);
  }
  const dead = Math.max(files.rowCount - living.length, 0);
  const origin = Int32Array.from({ length: files.rowCount }, (_, row) => (row < dead ? -1 : (living[row - dead] as number)));
  table.ordinals = grown(table.ordinals, Math.max(files.rowCount, table.rowCount));
  // A dead row has the ordinal of the first living one: looking that up finds the row that comes last.
  const first = ordinals[living[0] ?? 0] ?? 0;
  for (let row = 0; row < files.rowCount; row++) table.ordinals[row] = row < dead ? first : (ordinals[origin[row] as number] as number);
  return origin;
}

/**
 * Returns the numbers of the first rows, taken from the rows of the files at `origin`. A dead row gets the number of the
 * first live row, so that sorted numbers stay sorted.
 */
export function pickNumbers(values: Uint32Array, origin: Int32Array): Uint32Array {
  const picked = sharedArray(EMPTY_U32, origin.length);
  const first = values[origin.find((row) => row >= 0) ?? 0] ?? 0;
  for (let row = 0; row < origin.length; row++)
    picked[row] = (origin[row] as number) < 0 ? first : (values[origin[row] as number] as number);
  return picked;
}
