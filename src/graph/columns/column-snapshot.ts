/** A column as readers see it: its arrays at one moment, and a way to read them that works for every kind. */
import { ByteReader } from '../../base/index.ts';
import { CypherDate, decodeValue, makeFloat, makeInteger, type Value } from '../../value/index.ts';
import { hasBit } from '../arrays/bitmap.ts';
import { decodeUtf8 } from '../arrays/utf8.ts';
import type { ColumnKind, ColumnView, DictionaryView } from '../view/view.ts';
import type { ColumnValues } from './column-kind.ts';
import { TextCache } from './text-cache.ts';

/** The arrays of a column. */
export interface ColumnArrays {
  readonly kind: ColumnKind;
  readonly values: ColumnValues;
  readonly valid: Uint8Array | null;
  readonly heap: Uint8Array | null;
  readonly dictionary: DictionaryView | null;
}

/** A column as readers see it. */
export class ColumnSnapshot implements ColumnView {
  readonly kind: ColumnKind;
  readonly values: ColumnValues;
  readonly valid: Uint8Array | null;
  readonly heap: Uint8Array | null;
  readonly dictionary: DictionaryView | null;
  #texts: TextCache | null = null;

  constructor(arrays: ColumnArrays) {
    this.kind = arrays.kind;
    this.values = arrays.values;
    this.valid = arrays.valid;
    this.heap = arrays.heap;
    this.dictionary = arrays.dictionary;
  }

  get(row: number): Value {
    return this.valid === null || hasBit(this.valid, row) ? readColumn(this, row) : null;
  }

  get texts(): TextCache {
    this.#texts ??= new TextCache(this, this.values.length);
    return this.#texts;
  }
}

/** Returns the value of a row. The row must have one: the validity bitmap is not looked at. */
export function readColumn(column: ColumnArrays, row: number): Value {
  const values = column.values;
  switch (column.kind) {
    case 'int32':
    case 'integer':
      return values[row] as number;
    case 'float':
      return makeFloat(values[row] as number);
    case 'dictionary':
      return (column.dictionary as DictionaryView).decode(values[row] as number);
    case 'boolean':
      return values[row] === 1;
    case 'int64':
      return makeInteger(values[row] as bigint);
    case 'date':
      return new CypherDate(values[row] as number);
    case 'string':
      return decodeUtf8(column.heap as Uint8Array, values[row] as number, values[row + 1] as number);
    case 'vector':
      return new Float32Array((column.heap as Uint8Array).slice(values[row] as number, values[row + 1] as number).buffer);
    case 'any':
      return decodeValue(new ByteReader(column.heap as Uint8Array, 'a property', values[row] as number, values[row + 1] as number));
    default:
      return column.kind satisfies never;
  }
}
