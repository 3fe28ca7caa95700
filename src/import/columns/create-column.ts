/** Chooses the storage of columns by their types, and creates them. */
import type { SstColumn } from '../../storage/index.ts';
import type { PropertyType } from '../csv/header.ts';
import { AnyColumn } from './any-column.ts';
import type { Storage } from './column-builder.ts';
import { FixedColumn } from './fixed-column.ts';
import { IntegerColumn } from './integer-column.ts';
import { StringColumn, type StringForm } from './string-column.ts';

/** A column of any storage. */
export type Column = IntegerColumn | FixedColumn | StringColumn | AnyColumn;

/** Returns the storage of a property's type. */
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

/** Returns the storage of a column as a file has it. */
export function storageOfKind(kind: SstColumn['kind']): Storage {
  switch (kind) {
    case 'int32':
    case 'integer':
    case 'int64':
      return 'integer';
    case 'dictionary':
    case 'string':
      return 'string';
    case 'float':
    case 'boolean':
    case 'date':
      return kind;
    default:
      return 'any';
  }
}

/** Creates an empty column. `form` and `mostDistinct` are for columns of strings, see `StringColumn`. */
export function createColumn(storage: Storage, form: StringForm | null, mostDistinct?: number): Column {
  switch (storage) {
    case 'integer':
      return new IntegerColumn();
    case 'string':
      return new StringColumn(form, mostDistinct);
    case 'any':
      return new AnyColumn();
    default:
      return new FixedColumn(storage);
  }
}
