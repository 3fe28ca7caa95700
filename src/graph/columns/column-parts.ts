/**
 * Joins the parts of a column in several files to one column in memory, with strings as codes of the key's dictionary.
 * The rows of a file without the column are null; when kinds differ, the joined column has the narrowest that holds all.
 */
import { assert } from '../../base/index.ts';
import type { SstColumn, SstColumnKind } from '../../storage/index.ts';
import { bitmapFor, copyBits, hasBit, setBits } from '../arrays/bitmap.ts';
import { EMPTY_U8, EMPTY_U32, grown } from '../arrays/shared-array.ts';
import type { ColumnKind } from '../view/view.ts';
import { Column } from './column.ts';
import { emptyValues, usesHeap, widerKind } from './column-kind.ts';
import { type ColumnArrays, readColumn } from './column-snapshot.ts';
import type { Dictionary } from './dictionary.ts';

/** The part of a column that comes from one file. */
export interface ColumnPart {
  /** Null when the file has no such column. */
  readonly column: SstColumn | null;
  readonly firstRow: number;
  readonly rows: number;
}

/**
 * Returns the kind of a column when all files that have it agree on one of fixed width, so that all can be read into one array; else null.
 */
export function commonFixedKind(kinds: readonly SstColumnKind[]): SstColumnKind | null {
  const [kind] = kinds;
  return kind !== undefined && !(kind !== 'uint32' && usesHeap(kind)) && kinds.every((other) => other === kind) ? kind : null;
}

/** Makes an array for at least `length` values of a fixed width; a large one reserves room to grow. */
export function fixedValues(kind: SstColumnKind, length: number): Int32Array {
  return grown((kind === 'uint32' ? EMPTY_U32 : emptyValues(kind)) as Int32Array, length);
}

/** Joins the parts. @param dictionary of the property key @param values the array that all parts were read into; null: each has its own */
export function joinColumnParts(
  parts: readonly ColumnPart[],
  rowCount: number,
  dictionary: Dictionary,
  values: Int32Array | null = null,
): ColumnArrays {
  const kinds = parts.flatMap((part) => (part.column === null ? [] : [kindOfFile(part.column.kind)]));
  const kind = kinds.reduce((all, one) => widerKind(all, one));
  const only = parts.length === 1 ? parts[0] : undefined;
  if (only?.column != null && values === null) return ofOneFile(only.column, kind, dictionary);
  if (kinds.some((one) => one !== kind)) return byValue(parts, rowCount, kind, dictionary);
  return {
    ...joinValues(parts, rowCount, kind, dictionary, values),
    kind,
    valid: joinValidity(parts, rowCount),
    dictionary: dictionaryOf(kind, dictionary),
  };
}

function kindOfFile(kind: SstColumnKind): ColumnKind {
  assert(kind !== 'uint32', 'a property column of a system kind');
  return kind;
}

function dictionaryOf(kind: ColumnKind, dictionary: Dictionary): Dictionary | null {
  return kind === 'dictionary' ? dictionary : null;
}

function ofOneFile(column: SstColumn, kind: ColumnKind, dictionary: Dictionary): ColumnArrays {
  if (kind === 'dictionary') translateCodes(column.values as Int32Array, column, dictionary);
  const values = column.values as ColumnArrays['values'];
  return {
    kind,
    values,
    valid: column.valid,
    heap: usesHeap(kind) ? (column.heap ?? EMPTY_U8) : null,
    dictionary: dictionaryOf(kind, dictionary),
  };
}

/** Replaces codes of the file's dictionary by codes of the key's dictionary, in place. */
function translateCodes(codes: Int32Array, column: SstColumn, dictionary: Dictionary): void {
  assert(column.dictionary !== undefined, 'a dictionary column without its dictionary');
  const { offsets, heap } = column.dictionary;
  const translation = dictionary.adopt(offsets, heap, offsets.length - 1);
  if (translation.every((code, i) => code === i)) return;
  for (let i = 0; i < codes.length; i++) codes[i] = translation[codes[i] as number] ?? 0;
}

function joinValidity(parts: readonly ColumnPart[], rowCount: number): Uint8Array | null {
  if (parts.every((part) => part.column !== null && part.column.valid === null)) return null;
  const valid = bitmapFor(null, rowCount);
  for (const { column, firstRow, rows } of parts) {
    if (column === null) continue;
    if (column.valid === null) setBits(valid, firstRow, firstRow + rows);
    else copyBits(column.valid, valid, firstRow, rows);
  }
  return valid;
}

function joinValues(
  parts: readonly ColumnPart[],
  rowCount: number,
  kind: ColumnKind,
  dictionary: Dictionary,
  shared: Int32Array | null,
): Pick<ColumnArrays, 'values' | 'heap'> {
  if (usesHeap(kind)) return joinHeaps(parts, rowCount, kind);
  const values = shared ?? fixedValues(kind, rowCount);
  for (const { column, firstRow } of parts) {
    if (column === null) continue;
    if (kind === 'dictionary') translateCodes(column.values as Int32Array, column, dictionary);
    if (shared === null) values.set(column.values as Int32Array, firstRow);
  }
  return { values, heap: null };
}

function joinHeaps(parts: readonly ColumnPart[], rowCount: number, kind: ColumnKind): Pick<ColumnArrays, 'values' | 'heap'> {
  const offsets = grown(emptyValues(kind) as Uint32Array, rowCount + 1);
  let heap = EMPTY_U8;
  let length = 0;
  for (const { column, firstRow, rows } of parts) {
    if (column === null) {
      offsets.fill(length, firstRow, firstRow + rows + 1);
      continue;
    }
    const values = column.values as Uint32Array;
    const first = values[0] as number;
    const end = values[rows] as number;
    heap = grown(heap, length + end - first);
    heap.set((column.heap ?? EMPTY_U8).subarray(first, end), length);
    for (let row = 0; row <= rows; row++) offsets[firstRow + row] = (values[row] as number) - first + length;
    length += end - first;
  }
  return { values: offsets, heap };
}

function byValue(parts: readonly ColumnPart[], rowCount: number, kind: ColumnKind, dictionary: Dictionary): ColumnArrays {
  const joined = new Column(kind, dictionary);
  for (const { column, firstRow, rows } of parts) {
    if (column === null) continue;
    if (column.kind === 'dictionary') translateCodes(column.values as Int32Array, column, dictionary);
    const arrays = { ...column, kind: kindOfFile(column.kind), heap: column.heap ?? null, dictionary } as ColumnArrays;
    for (let row = 0; row < rows; row++) {
      if (arrays.valid === null || hasBit(arrays.valid, row)) joined.set(firstRow + row, readColumn(arrays, row));
    }
  }
  joined.pad(rowCount);
  return joined;
}
