/** 32-bit hashes of values for the indexes: values that are equal by `=` have equal hashes, whatever the kind of their column. */
import { hashKey, type Value } from '../../value/index.ts';
import { hasBit } from '../arrays/bitmap.ts';
import { hashBytes, hashText } from '../arrays/utf8.ts';
import type { Column } from './column.ts';
import { type ColumnSnapshot, readColumn } from './column-snapshot.ts';

const double = new Float64Array(1);
const halves = new Uint32Array(double.buffer);

/** Hashes a number. */
export function hashNumber(x: number): number {
  if (x === (x | 0)) return Math.imul(x ^ 0x5bd1e995, 0x9e3779b1) >>> 0;
  double[0] = x;
  return Math.imul((halves[0] as number) ^ Math.imul(halves[1] as number, 0x85ebca6b), 0x9e3779b1) >>> 0;
}

/** Hashes a value: equal values have equal hashes. */
export function hashValue(value: Value): number {
  if (typeof value === 'string') return hashText(value);
  if (typeof value === 'number') return hashNumber(value);
  const key = hashKey(value);
  if (typeof key === 'number' || typeof key === 'bigint') return hashNumber(Number(key));
  return hashText(String(key));
}

/** Returns the hash of the value of a row, which must have one. */
export function hashOfRow(column: Column, row: number): number {
  switch (column.kind) {
    case 'int32':
    case 'integer':
    case 'float':
      return hashNumber(column.values[row] as number);
    case 'dictionary':
      return column.dictionary?.hashOf(column.values[row] as number) as number;
    case 'string':
      return hashBytes(column.heap as Uint8Array, column.values[row] as number, column.values[row + 1] as number);
    default:
      return hashValue(column.get(row));
  }
}

/** Combines two hashes. */
export function combineHashes(hash: number, other: number): number {
  return (Math.imul(hash, 31) + other) >>> 0;
}

/** Returns the hash of the value of a row; -1 when the row has none. */
export function hashOfSnapshotRow(column: ColumnSnapshot, row: number): number {
  if (column.valid !== null && !hasBit(column.valid, row)) return -1;
  return hashValue(readColumn(column, row));
}
