/**
 * Where the rows of a table lie once other files have taken the place of those it was opened with (compaction).
 *
 * The first rows of a table keep their numbers for as long as the table lives. What is not in memory of them must then
 * come from the new files, whose rows stand in another order, lack those that are dead, and include later ones.
 * Entities are found again by ordinal. It holds that, while anything of the first rows is not in memory, none of them
 * was changed or deleted since (that needs the whole table); so the new files say of each living one what the old ones
 * said.
 *
 * Where the order of the first rows is not known either (their ordinals were never read), it is chosen here.
 */
import { GraphDBError } from '../../base/index.ts';
import type { SstColumn } from '../../storage/index.ts';
import { bytesForBits, hasBit, setBit } from '../arrays/bitmap.ts';
import { EMPTY_U32, grown, sharedArray } from '../arrays/shared-array.ts';
import { U32Map } from '../arrays/u32-map.ts';
import type { RowTable } from './row-table.ts';
import type { FilePart, TableFiles } from './table-files.ts';

/** The rows of the files a table is read from: all of them, oldest file first. */
export interface TableSource {
  readonly parts: readonly FilePart[];
  readonly rowCount: number;
  /** For each row of the table the row of the files; -1: dead. */
  readonly origin: Int32Array | null;
}

/** The rows of the files, in order: the ordinal of each, and whether it is the one that holds. */
export interface FileRows {
  readonly ordinals: Uint32Array;
  readonly holds: Uint8Array;
}

/** @param deleted by part; null: no row is */
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

/**
 * Finds the first rows of the table among those of the files. Where their ordinals are not known, fills them in: the dead rows first.
 * CORRUPTION: the files do not hold the rows that they must.
 */
export function findMovedRows(table: RowTable, files: TableFiles, rows: FileRows): Int32Array {
  const isOrderKnown = files.rowsLoaded || files.denseBase >= 0;
  const origin = isOrderKnown ? findByOrdinal(table, files, rows) : chooseOrder(table, files, rows);
  const found = origin.reduce((sum, row) => sum + (row >= 0 ? 1 : 0), 0);
  if (found === files.liveRows) return origin;
  throw new GraphDBError('CORRUPTION', `of ${files.liveRows} rows of a table ${found} are in the files that were merged from it`);
}

function findByOrdinal(table: RowTable, files: TableFiles, { ordinals, holds }: FileRows): Int32Array {
  const rowOf = new U32Map();
  for (let row = 0; row < ordinals.length; row++) if (hasBit(holds, row)) rowOf.set(ordinals[row] as number, row);
  return Int32Array.from({ length: files.rowCount }, (_, row) => (table.chains.isBuried(row) ? -1 : rowOf.get(table.ordinalOf(row))));
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
 * The numbers of the first rows, taken from those of the files; dead rows have that of the first living one, so that
 * what is sorted stays so.
 */
export function pickNumbers(values: Uint32Array, origin: Int32Array): Uint32Array {
  const picked = sharedArray(EMPTY_U32, origin.length);
  const first = values[origin.find((row) => row >= 0) ?? 0] ?? 0;
  for (let row = 0; row < origin.length; row++)
    picked[row] = (origin[row] as number) < 0 ? first : (values[origin[row] as number] as number);
  return picked;
}
