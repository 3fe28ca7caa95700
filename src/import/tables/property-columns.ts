/** The property columns of one table while its rows come in. */
import { assert } from '../../base/index.ts';
import type { SstColumn } from '../../storage/index.ts';
import type { Storage } from '../columns/column-builder.ts';
import { type Column, createColumn } from '../columns/create-column.ts';
import type { StringForm } from '../columns/string-column.ts';
import { INTERNAL_ID } from '../csv/header.ts';

/** A property that the rows to come have. */
export interface PropertyShape {
  readonly key: string;
  readonly storage: Storage;
  /** Whether strings are known to differ from row to row. */
  readonly distinct: boolean;
}

/** The property columns of a table while its rows come in. */
export class PropertyColumns {
  readonly #columns = new Map<string, Column>();
  /** How each column of strings was stored in the last file: files of a table agree where they can. */
  readonly #forms = new Map<string, StringForm>();
  readonly #mostDistinct: number | undefined;

  /** @param mostDistinct see `StringColumn` */
  constructor(mostDistinct?: number) {
    this.#mostDistinct = mostDistinct;
  }

  get bytes(): number {
    let bytes = 0;
    for (const column of this.#columns.values()) bytes += column.bytes;
    return bytes;
  }

  /** Tells whether rows with this property can go into the same file as the present rows. */
  accepts({ key, storage }: PropertyShape): boolean {
    return (this.#columns.get(key)?.storage ?? storage) === storage;
  }

  /** Returns the column of a property, padded to `rows` rows. */
  column({ key, storage, distinct }: PropertyShape, rows: number): Column {
    let column = this.#columns.get(key);
    if (column === undefined) {
      column = createColumn(storage, this.#forms.get(key) ?? (distinct ? 'string' : null), this.#mostDistinct);
      this.#columns.set(key, column);
    }
    assert(column.storage === storage, 'a column has one storage');
    column.padTo(rows);
    return column;
  }

  truncate(rows: number): void {
    for (const column of this.#columns.values()) column.truncate(rows);
  }

  /** Returns the columns in which some row has a value, and begins anew. */
  take(rows: number, order: Uint32Array | null): SstColumn[] {
    const columns: SstColumn[] = [];
    for (const [key, column] of this.#columns) {
      column.padTo(rows);
      if (column.isEmpty) continue;
      const finished = column.finish(columnName(key), order);
      if (finished.kind === 'dictionary' || finished.kind === 'string') this.#forms.set(key, finished.kind);
      columns.push(finished);
    }
    this.#columns.clear();
    return columns;
  }
}

/**
 * Returns the name of a property's column. Names with one underscore belong to the system, as `_id` does, so a key that
 * begins with one gets another.
 */
function columnName(key: string): string {
  return key.startsWith('_') && key !== INTERNAL_ID ? `_${key}` : key;
}

/** Returns the property key of a column; null: the column belongs to the system. */
export function propertyKey(columnName: string): string | null {
  if (!columnName.startsWith('_')) return columnName;
  return columnName.startsWith('__') ? columnName.slice(1) : null;
}
