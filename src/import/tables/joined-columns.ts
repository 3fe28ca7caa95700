/** Columns of a table, out of those of its pieces: a column that a piece leaves out is null in its rows. */
import type { Selection } from '../../formats/index.ts';
import type { SstColumn } from '../../storage/index.ts';
import type { ColumnBuilder } from '../columns/column-builder.ts';
import { createColumn, storageOfKind } from '../columns/create-column.ts';
import type { StringForm } from '../columns/string-column.ts';

/** Columns that are joined of those of pieces. */
export class JoinedColumns {
  readonly #forms: ReadonlyMap<string, StringForm>;
  readonly #builders = new Map<string, ColumnBuilder>();
  #rows = 0;

  /** @param forms by column of strings */
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

  /** Those that have a value. @param order of the rows; null: as they came */
  finish(order: Uint32Array | null): SstColumn[] {
    return Array.from(this.#builders, ([name, builder]) => {
      builder.padTo(this.#rows);
      return builder.isEmpty ? [] : [builder.finish(name, order)];
    }).flat();
  }
}
