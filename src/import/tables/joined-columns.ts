/** Joins the columns of pieces to those of a table. Rows of a piece that lacks a column have no value in it. */
import type { Selection } from '../../formats/index.ts';
import type { SstColumn } from '../../storage/index.ts';
import type { ColumnBuilder } from '../columns/column-builder.ts';
import { createColumn, storageOfKind } from '../columns/create-column.ts';
import type { StringForm } from '../columns/string-column.ts';

/** Columns that are joined from those of pieces. */
export class JoinedColumns {
  readonly #forms: ReadonlyMap<string, StringForm>;
  readonly #builders = new Map<string, ColumnBuilder>();
  #rows = 0;

  /** @param forms the form of each column of strings, by name */
  constructor(forms: ReadonlyMap<string, StringForm>) {
    this.#forms = forms;
  }

  append(columns: readonly SstColumn[], rows: Selection): void {
    for (const column of columns) {
      let builder = this.#builders.get(column.name);
      if (builder === undefined) {
        builder = createColumn(storageOfKind(column.kind), this.#forms.get(column.name) ?? null);
        this.#builders.set(column.name, builder);
      }
      builder.padTo(this.#rows);
      builder.appendColumn(column, rows);
    }
    this.#rows += rows.length;
  }

  /** Returns the columns in which some row has a value. @param order the order of the rows; null: as they were appended */
  finish(order: Uint32Array | null): SstColumn[] {
    return Array.from(this.#builders, ([name, builder]) => {
      builder.padTo(this.#rows);
      return builder.isEmpty ? [] : [builder.finish(name, order)];
    }).flat();
  }
}
