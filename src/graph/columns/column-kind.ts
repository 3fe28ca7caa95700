/** Column kinds: the narrowest kind for a value, and the narrowest that holds the values of two. The kinds are listed in view.ts. */
import { CypherDate, CypherFloat, type Value } from '../../value/index.ts';
import { EMPTY_F64, EMPTY_I32, EMPTY_I64, EMPTY_U8, EMPTY_U32 } from '../arrays/shared-array.ts';
import type { ColumnKind, ColumnView } from '../view/view.ts';

/** The typed array of a column. */
export type ColumnValues = ColumnView['values'];

/** Texts with more characters than this do not go into a dictionary: they seldom occur twice. */
const LONGEST_DICTIONARY_TEXT = 4096;

/** Returns the narrowest kind that holds a value, which must not be null. */
export function kindOf(value: Value): ColumnKind {
  switch (typeof value) {
    case 'number':
      if (!Number.isSafeInteger(value)) return 'float';
      return value === (value | 0) ? 'int32' : 'integer';
    case 'string':
      return value.length > LONGEST_DICTIONARY_TEXT ? 'string' : 'dictionary';
    case 'boolean':
      return 'boolean';
    case 'bigint':
      return 'int64';
    default:
      if (value instanceof CypherFloat) return 'float';
      if (value instanceof Float32Array) return 'vector';
      if (value instanceof CypherDate && value.epochDay === (value.epochDay | 0)) return 'date';
      return 'any';
  }
}

const INTEGER_KINDS: readonly ColumnKind[] = ['int32', 'integer', 'int64'];

/** Returns the narrowest kind that holds the values of both. */
export function widerKind(a: ColumnKind, b: ColumnKind): ColumnKind {
  if (a === b) return a;
  const rankA = INTEGER_KINDS.indexOf(a);
  const rankB = INTEGER_KINDS.indexOf(b);
  if (rankA >= 0 && rankB >= 0) return rankA > rankB ? a : b;
  if ((a === 'string' && b === 'dictionary') || (a === 'dictionary' && b === 'string')) return 'string';
  return 'any';
}

/** Tells whether a kind keeps its values in a heap of bytes, with offsets in the typed array. */
export function usesHeap(kind: ColumnKind): boolean {
  return kind === 'string' || kind === 'vector' || kind === 'any';
}

/** Bytes of memory that a column takes beside its arrays. */
const BYTES_PER_COLUMN = 512;

/** Returns the bytes of a column of `rowCount` rows, with its bitmap but without its heap. */
export function bytesOfColumn(kind: ColumnKind, rowCount: number): number {
  return BYTES_PER_COLUMN + rowCount * emptyValues(kind).BYTES_PER_ELEMENT + (rowCount >> 3);
}

/** Returns an empty array for values of a kind. */
export function emptyValues(kind: ColumnKind): ColumnValues {
  switch (kind) {
    case 'int32':
    case 'date':
    case 'dictionary':
      return EMPTY_I32;
    case 'integer':
    case 'float':
      return EMPTY_F64;
    case 'int64':
      return EMPTY_I64;
    case 'boolean':
      return EMPTY_U8;
    case 'string':
    case 'vector':
    case 'any':
      return EMPTY_U32;
    default:
      return kind satisfies never;
  }
}
