/**
 * Makes a table in the order of an SST from the pieces of a type, which have the order of the files: by (source,
 * target), equal ones in the order of their rows. For a large type each job takes the sources of one range only, so
 * that several threads can sort, each in the memory of its share.
 */
import type { Selection } from '../../formats/index.ts';
import type { SstColumn } from '../../storage/index.ts';
import { copyRows } from '../columns/copy-rows.ts';
import type { StringForm } from '../columns/string-column.ts';
import { JoinedColumns } from './joined-columns.ts';
import { sortRelationships } from './relationship-order.ts';
import type { RelationshipPiece } from './relationship-piece.ts';
import type { SealedTable } from './table-buffer.ts';

/** A range of sources, from `from` to below `to`. */
export interface SourceRange {
  readonly from: number;
  readonly to: number;
}

/** The order to make a table of pieces of relationships. */
export interface OrderJob {
  readonly kind: 'relationships';
  readonly type: string;
  readonly pieces: readonly RelationshipPiece[];
  readonly range: SourceRange;
  /** The number of rows of the range. */
  readonly rows: number;
  readonly minOrdinal: number;
  /** The form of each column of strings, by name. */
  readonly forms: ReadonlyMap<string, StringForm>;
}

/** Makes a table of the relationships whose sources are in the range, in order. */
export function orderRelationships({ type, pieces, range, rows, minOrdinal, forms }: OrderJob): SealedTable {
  const sources = new Uint32Array(rows);
  const targets = new Uint32Array(rows);
  const joined = new JoinedColumns(forms);
  let selection = new Int32Array(0);
  let first = 0;
  for (const piece of pieces) {
    if (piece.maxSource < range.from || piece.minSource >= range.to) continue;
    if (selection.length < piece.rows) selection = new Int32Array(piece.rows);
    const selected = select(piece, range, selection);
    copyRows(sources, first, piece.sources, selected);
    copyRows(targets, first, piece.targets, selected);
    joined.append(piece.columns, selected);
    first += selected.length;
  }
  const ordered = sortRelationships({ sources, targets });
  const ends = [endpointColumn('_source', ordered.sources), endpointColumn('_target', ordered.targets)];
  const columns = [...ends, ...joined.finish(ordered.order)];
  return { kind: 'relationships', type, rows, columns, minOrdinal, denseOrdinals: true, base: true };
}

/** Writes the rows of a piece whose sources are in the range into `target`, and returns them. */
function select(
  { sources, rows, minSource, maxSource }: RelationshipPiece,
  { from, to }: SourceRange,
  target: Int32Array<ArrayBuffer>,
): Selection {
  if (minSource >= from && maxSource < to) {
    for (let row = 0; row < rows; row++) target[row] = row;
    return target.subarray(0, rows);
  }
  let count = 0;
  for (let row = 0; row < rows; row++) {
    const source = sources[row]!;
    if (source >= from && source < to) target[count++] = row;
  }
  return target.subarray(0, count);
}

function endpointColumn(name: string, nodes: Uint32Array): SstColumn {
  return { name, kind: 'uint32', values: nodes, valid: null };
}
