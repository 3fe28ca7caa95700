/** What a header type is stored as. */
import type { PropertyType } from '../csv/header.ts';
import { AnyColumn } from './any-column.ts';
import type { Storage } from './column-builder.ts';
import { FixedColumn } from './fixed-column.ts';
import { IntegerColumn } from './integer-column.ts';
import { StringColumn, type StringForm } from './string-column.ts';

export type Column = IntegerColumn | FixedColumn | StringColumn | AnyColumn;

export function storageOf({ scalar, list }: PropertyType): Storage {
  if (list) return 'any';
  switch (scalar) {
    case 'string':
    case 'integer':
    case 'float':
    case 'boolean':
    case 'date':
      return scalar;
    default:
      return 'any';
  }
}

/** `form`: of a column of strings, when it is known beforehand. */
export function createColumn(storage: Storage, form: StringForm | null): Column {
  switch (storage) {
    case 'integer':
      return new IntegerColumn();
    case 'string':
      return new StringColumn(form);
    case 'any':
      return new AnyColumn();
    default:
      return new FixedColumn(storage);
  }
}
