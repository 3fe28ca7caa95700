/**
 * Concatenates tables into one. A column that a table leaves out is null in the rows of that table. Dictionaries are
 * united: codes stay as they are when one dictionary is the beginning of the other (as with the shared, growing
 * dictionaries in memory), otherwise they are translated.
 */
import { assert, nextTurn } from '../../base/index.ts';
import type { SstColumn, SstColumnKind, SstTable } from '../api.ts';
import { allocateBytes, pauseIfDue } from '../files/background-thread.ts';
import { copyBits, setBits } from './bits.ts';
import { allocateBitmap, allocateValues, type ColumnValues, isVariableWidth } from './column-kinds.ts';
import { DictionaryUnion } from './dictionary-union.ts';

const YIELD_ROWS = 65_536;

/** Whether `next` can follow `previous` in one table: ordinals continue, or are in a column in both; level and base agree. */
export function canFollow(previous: SstTable, next: SstTable): boolean {
  const ordinalsGoOn = !previous.denseOrdinals || next.minOrdinal === previous.minOrdinal + previous.rows;
  return previous.denseOrdinals === next.denseOrdinals && ordinalsGoOn && previous.level === next.level && previous.base === next.base;
}

/**
 * Concatenates at least one table; each must be able to follow the one before, and no column may have two kinds. Yields
 * to other work between large columns.
 */
export async function concatTables(tables: readonly SstTable[]): Promise<SstTable> {
  const [first] = tables;
  assert(first !== undefined, 'tables to concatenate');
  if (tables.length === 1) return first;
  const rows = tables.reduce((sum, table) => sum + table.rows, 0);
  const kinds = new Map<string, SstColumnKind>();
  for (const table of tables) for (const { name, kind } of table.columns) kinds.set(name, kind);
  const columns: SstColumn[] = [];
  for (const [name, kind] of kinds) {
    columns.push(concatColumn({ name, kind, rows }, tables));
    if (rows > YIELD_ROWS) await nextTurn();
  }
  return {
    ...first,
    rows,
    columns,
    minOrdinal: first.denseOrdinals ? first.minOrdinal : Math.min(...tables.map((table) => table.minOrdinal)),
    minSequence: Math.min(...tables.map((table) => table.minSequence)),
    maxSequence: Math.max(...tables.map((table) => table.maxSequence)),
  };
}

interface ColumnShape {
  readonly name: string;
  readonly kind: SstColumnKind;
  readonly rows: number;
}

function concatColumn({ name, kind, rows }: ColumnShape, tables: readonly SstTable[]): SstColumn {
  const parts = tables.map((table) => table.columns.find((column) => column.name === name) ?? null);
  const values = allocateValues(kind, rows);
  const valid = parts.some((part) => part === null || part.valid !== null) ? allocateBitmap(rows) : null;
  const union = kind === 'dictionary' ? new DictionaryUnion() : null;
  const heap = isVariableWidth(kind)
    ? new Uint8Array(allocateBytes(parts.reduce((sum, part, index) => sum + textBytes(part, tables[index]!.rows), 0)))
    : null;
  let firstRow = 0;
  let heapOffset = 0;
  parts.forEach((part, index) => {
    const count = tables[index]!.rows;
    if (heap !== null) heapOffset = appendText(part, { values: values as Uint32Array, heap, heapOffset, firstRow, count });
    else if (part !== null && union !== null) appendCodes(part, union, (values as Int32Array).subarray(firstRow, firstRow + count));
    else if (part !== null) setValues(values.subarray(firstRow, firstRow + count), part.values.subarray(0, count));
    if (valid !== null && part !== null) appendValidity(part, valid, firstRow, count);
    firstRow += count;
    pauseIfDue();
  });
  return { name, kind, values, valid, ...(heap === null ? {} : { heap }), ...(union === null ? {} : { dictionary: union.finish() }) };
}

function setValues(target: ColumnValues, source: ColumnValues): void {
  // Both are of the array type of one column kind.
  (target as Float64Array).set(source as Float64Array);
}

function appendValidity({ valid }: SstColumn, target: Uint8Array, firstRow: number, count: number): void {
  if (valid === null) setBits(target, firstRow, count);
  else copyBits(valid, 0, target, firstRow, count);
}

function appendCodes({ values, dictionary }: SstColumn, union: DictionaryUnion, target: Int32Array): void {
  const codes = union.add(dictionary!);
  if (codes === null) target.set((values as Int32Array).subarray(0, target.length));
  // A code at a null row may be anything.
  else for (let row = 0; row < target.length; row++) target[row] = codes[values[row] as number] ?? 0;
}

function textBytes(column: SstColumn | null, rows: number): number {
  if (column === null) return 0;
  const offsets = column.values as Uint32Array;
  return offsets[rows]! - offsets[0]!;
}

interface TextTarget {
  readonly values: Uint32Array;
  readonly heap: Uint8Array;
  readonly heapOffset: number;
  readonly firstRow: number;
  readonly count: number;
}

/** Appends the text of a part; returns the offset in the heap of the next text. */
function appendText(part: SstColumn | null, { values, heap, heapOffset, firstRow, count }: TextTarget): number {
  if (part === null) {
    values.fill(heapOffset, firstRow, firstRow + count + 1);
    return heapOffset;
  }
  const offsets = part.values as Uint32Array;
  const from = offsets[0]!;
  const to = offsets[count]!;
  heap.set(part.heap!.subarray(from, to), heapOffset);
  for (let row = 0; row <= count; row++) values[firstRow + row] = heapOffset + offsets[row]! - from;
  return heapOffset + to - from;
}

/** Removes the column `_ordinal` when its values are consecutive. */
export function withDenseOrdinals(table: SstTable): SstTable {
  const column = table.columns.find(({ name }) => name === '_ordinal');
  if (column === undefined) return table;
  const ordinals = column.values as Uint32Array;
  const first = ordinals[0]!;
  for (let row = 1; row < table.rows; row++) if (ordinals[row] !== first + row) return table;
  return { ...table, columns: table.columns.filter((it) => it !== column), minOrdinal: first, denseOrdinals: true };
}
