/** The forms of column kinds in memory and in a file. */
import { assert } from '../../base/index.ts';
import type { SstColumn, SstColumnKind, SstTable } from '../api.ts';
import { allocateBytes } from '../files/background-thread.ts';

/** The array of a column's values. */
export type ColumnValues = SstColumn['values'];

/** Returns the bytes per row in an Arrow file; 0 for bits (boolean) and for a variable width. */
export function fileWidth(kind: SstColumnKind): number {
  switch (kind) {
    case 'uint32':
    case 'int32':
    case 'date':
    case 'dictionary':
      return 4;
    case 'integer':
    case 'int64':
    case 'float':
      return 8;
    default:
      return 0;
  }
}

/** Whether a kind has no fixed width, so that a column has offsets and a heap. */
export function isVariableWidth(kind: SstColumnKind): kind is 'string' | 'vector' | 'any' {
  return kind === 'string' || kind === 'vector' || kind === 'any';
}

/** Returns the number of buffers of a column in a block, validity included. */
export function bufferCount(kind: SstColumnKind): number {
  return isVariableWidth(kind) ? 3 : 2;
}

/** Allocates zeroed values for `rows` rows, for a variable width `rows` + 1 offsets. */
export function allocateValues(kind: SstColumnKind, rows: number): ColumnValues {
  switch (kind) {
    case 'uint32':
      return new Uint32Array(allocateBytes(4 * rows));
    case 'int32':
    case 'date':
    case 'dictionary':
      return new Int32Array(allocateBytes(4 * rows));
    case 'integer':
    case 'float':
      return new Float64Array(allocateBytes(8 * rows));
    case 'int64':
      return new BigInt64Array(allocateBytes(8 * rows));
    case 'boolean':
      return new Uint8Array(allocateBytes(rows));
    case 'string':
    case 'vector':
    case 'any':
      return new Uint32Array(allocateBytes(4 * (rows + 1)));
  }
}

/** Allocates a zeroed bitmap for `rows` rows. */
export function allocateBitmap(rows: number): Uint8Array {
  return new Uint8Array(allocateBytes((rows + 7) >> 3));
}

/** Returns a view of the bytes of an array. */
export function bytesOf(values: ArrayBufferView): Uint8Array {
  return new Uint8Array(values.buffer, values.byteOffset, values.byteLength);
}

const ARRAYS: Readonly<Record<SstColumnKind, { readonly prototype: ColumnValues }>> = {
  uint32: Uint32Array,
  int32: Int32Array,
  date: Int32Array,
  dictionary: Int32Array,
  integer: Float64Array,
  float: Float64Array,
  int64: BigInt64Array,
  boolean: Uint8Array,
  string: Uint32Array,
  vector: Uint32Array,
  any: Uint32Array,
};

/** Asserts that a table of a caller is well formed, before it is written. */
export function assertTable(table: SstTable): void {
  for (const { name, kind, values, valid, heap, dictionary } of table.columns) {
    const needed = isVariableWidth(kind) ? table.rows + 1 : table.rows;
    assert(Object.getPrototypeOf(values) === ARRAYS[kind].prototype, `column ${name}: values of another array type than ${kind} has`);
    assert(values.length >= needed, `column ${name}: ${values.length} values, ${needed} needed`);
    assert(valid === null || 8 * valid.length >= table.rows, `column ${name}: the bitmap is too short`);
    assert(isVariableWidth(kind) === (heap !== undefined), `column ${name}: a heap and ${kind} do not go together`);
    assert((kind === 'dictionary') === (dictionary !== undefined), `column ${name}: a dictionary and ${kind} do not go together`);
  }
}
