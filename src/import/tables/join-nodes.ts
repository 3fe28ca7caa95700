/** Joins the pieces of a label set, in the order of the files, to a table. */
import type { StringForm } from '../columns/string-column.ts';
import { JoinedColumns } from './joined-columns.ts';
import type { TakenPiece } from './node-piece.ts';
import type { SealedTable } from './table-buffer.ts';

/** The order to join pieces of nodes to a table. */
export interface JoinJob {
  readonly kind: 'nodes';
  /** The labels, in the order of the table's name. */
  readonly labels: readonly string[];
  readonly pieces: readonly TakenPiece[];
  readonly rows: number;
  readonly minOrdinal: number;
  /** The form of each column of strings, by name. */
  readonly forms: ReadonlyMap<string, StringForm>;
}

/** Joins pieces of nodes to a table. */
export function joinNodes({ labels, pieces, rows: total, minOrdinal, forms }: JoinJob): SealedTable {
  const joined = new JoinedColumns(forms);
  for (const { piece, rows } of pieces) joined.append(piece.columns, rows);
  const columns = joined.finish(null);
  return { kind: 'nodes', labels, rows: total, columns, minOrdinal, denseOrdinals: true, base: true };
}
