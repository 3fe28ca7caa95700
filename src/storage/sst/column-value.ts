/** Reads single values of a column in memory. Slower than a loop over the arrays: for code without a loop for each kind. */
import { assert, ByteReader } from '../../base/index.ts';
import { CypherDate, decodeValue, makeFloat, makeInteger, type Value } from '../../value/index.ts';
import type { SstColumn } from '../api.ts';

/** Returns the value of a row, which must not be null. */
export function columnValue(column: SstColumn, row: number): Value {
  const value = column.values[row]!;
  switch (column.kind) {
    case 'uint32':
    case 'int32':
    case 'integer':
      return Number(value);
    case 'int64':
      return makeInteger(value as bigint);
    case 'float':
      return makeFloat(value as number);
    case 'boolean':
      return value === 1;
    case 'date':
      return new CypherDate(value as number);
    case 'dictionary':
      return Buffer.from(dictionaryEntry(column, row)).toString('utf8');
    case 'string':
      return Buffer.from(heapEntry(column, row)).toString('utf8');
    case 'vector':
      return new Float32Array(heapEntry(column, row).slice().buffer);
    case 'any':
      return decodeValue(new ByteReader(heapEntry(column, row)));
  }
}

/** Returns the bytes of the dictionary entry of a row. */
export function dictionaryEntry({ dictionary, values }: SstColumn, row: number): Uint8Array {
  assert(dictionary !== undefined, 'a column of codes has a dictionary');
  const { offsets, heap } = dictionary;
  const code = values[row] as number;
  return heap.subarray(offsets[code]!, offsets[code + 1]!);
}

function heapEntry({ heap, values }: SstColumn, row: number): Uint8Array {
  assert(heap !== undefined, 'a column of variable width has a heap');
  return heap.subarray(values[row] as number, values[row + 1] as number);
}
