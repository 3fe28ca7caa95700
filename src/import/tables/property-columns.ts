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
  /** Strings that are known to differ from row to row. */
  readonly distinct: boolean;
}

/** The property columns of a table while its rows come in. */
export class PropertyColumns {
  readonly #columns = new Map<string, Column>();
  /** How the column was stored in the file before: files of a table agree where they can. */
  readonly #forms = new Map<string, StringForm>();
  readonly #mostDistinct: number | undefined;

  /** See StringColumn. */
  constructor(mostDistinct?: number) {
    this.#mostDistinct = mostDistinct;
  }

  get bytes(): number {
    let bytes = 0;
    for (const column of this.#columns.values()) bytes += column.bytes;
    return bytes;
  }

  /** Can rows with this property go into the same file? */
  accepts({ key, storage }: PropertyShape): boolean {
    return (this.#columns.get(key)?.storage ?? storage) === storage;
  }

  /** Padded to `rows`. */
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

  /** Hands the columns out, those without any value left out, and begins anew. */
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

/** A key that starts with an underscore gets one more: names with one are the system's, and `_id` is one of these. */
function columnName(key: string): string {
  return key.startsWith('_') && key !== INTERNAL_ID ? `_${key}` : key;
}

/** Null for a column of the system. */
export function propertyKey(columnName: string): string | null {
  if (!columnName.startsWith('_')) return columnName;
  return columnName.startsWith('__') ? columnName.slice(1) : null;
}
