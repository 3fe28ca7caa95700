/** From the pieces of a label set, in the order of the files, to a table. */
import type { ColumnBuilder } from '../columns/column-builder.ts';
import { createColumn, storageOfKind } from '../columns/create-column.ts';
import type { StringForm } from '../columns/string-column.ts';
import type { TakenPiece } from './node-piece.ts';
import type { SealedTable } from './table-buffer.ts';

export interface JoinJob {
  readonly kind: 'nodes';
  /** In the order of the table's name. */
  readonly labels: readonly string[];
  readonly pieces: readonly TakenPiece[];
  readonly rows: number;
  readonly minOrdinal: number;
  /** By column of strings. */
  readonly forms: ReadonlyMap<string, StringForm>;
}

export function joinNodes({ labels, pieces, rows: total, minOrdinal, forms }: JoinJob): SealedTable {
  const builders = new Map<string, ColumnBuilder>();
  let first = 0;
  for (const { piece, rows } of pieces) {
    for (const column of piece.columns) {
      let builder = builders.get(column.name);
      if (builder === undefined) {
        builder = createColumn(storageOfKind(column.kind), forms.get(column.name) ?? null);
        builders.set(column.name, builder);
      }
      builder.padTo(first);
      builder.appendColumn(column, rows);
    }
    first += rows.length;
  }
  const columns = Array.from(builders, ([name, builder]) => {
    builder.padTo(total);
    return builder.isEmpty ? [] : [builder.finish(name, null)];
  }).flat();
  return { kind: 'nodes', labels, rows: total, columns, minOrdinal, denseOrdinals: true, base: true };
}
