/**
 * The order of the file among rows that are grouped by label set. Ids are entered in this order, so that of several rows
 * with one id the first becomes a node, wherever blocks and chunks end.
 */
import type { FieldBlock, Selection } from '../../formats/index.ts';
import type { NodePiece } from './node-piece.ts';

/** Rows one after the other that belong to one group. */
export interface Run {
  readonly group: number;
  readonly rows: number;
}

/** Returns the runs of rows in one group, without the rows that `isLeftOut` names. `groups[row]` is the group of a row. */
export function* runsOf(rows: Selection, groups: Int32Array, isLeftOut: (row: number) => boolean): Generator<Run, void, void> {
  let group = -1;
  let count = 0;
  for (const row of rows) {
    if (isLeftOut(row)) continue;
    if (groups[row] !== group) {
      if (count > 0) yield { group, rows: count };
      group = groups[row]!;
      count = 0;
    }
    count++;
  }
  if (count > 0) yield { group, rows: count };
}

/** Returns the index of the group of each row of a block, by the number of the row. Other elements are 0. */
export function groupsByRow(groups: readonly { readonly rows: Selection }[], rows: number): Int32Array {
  const indexes = new Int32Array(rows);
  if (groups.length === 1) return indexes;
  for (const [index, group] of groups.entries()) for (const row of group.rows) indexes[row] = index;
  return indexes;
}

/** The rows of all pieces of a chunk, in the order of the file. */
export interface OrderedPieces {
  readonly rows: number;
  /** For each row its piece, and which row of the piece it is. */
  readonly pieces: Int32Array;
  readonly rowsOfPieces: Int32Array;
  /** For each row the place of its id in the bytes of the chunk, as in a `FieldBlock` of one column, and its line. */
  readonly places: Pick<FieldBlock, 'starts' | 'ends' | 'lines'>;
}

/** Returns the rows of pieces in the order of the file. Linear in the lines of the chunk. */
export function orderPieces(pieces: readonly NodePiece[]): OrderedPieces {
  const rows = pieces.reduce((sum, piece) => sum + piece.rows, 0);
  const [pieceOf, rowOf] = [new Int32Array(rows), new Int32Array(rows)];
  const [only] = pieces;
  if (pieces.length === 1 && only !== undefined) {
    for (let row = 0; row < rows; row++) rowOf[row] = row;
    return { rows, pieces: pieceOf, rowsOfPieces: rowOf, places: { starts: only.idStarts, ends: only.idEnds, lines: only.lines } };
  }
  const atLine = piecesByLine(pieces);
  const next = new Int32Array(pieces.length);
  const [starts, ends, lines] = [new Int32Array(rows), new Int32Array(rows), new Int32Array(rows)];
  let row = 0;
  for (let line = 0; line < atLine.length; line++) {
    if (atLine[line] === 0) continue;
    const index = atLine[line]! - 1;
    const piece = pieces[index]!;
    const from = next[index]!++;
    pieceOf[row] = index;
    rowOf[row] = from;
    starts[row] = piece.idStarts[from]!;
    ends[row] = piece.idEnds[from]!;
    lines[row++] = line;
  }
  return { rows, pieces: pieceOf, rowsOfPieces: rowOf, places: { starts, ends, lines } };
}

/** Returns for each line 1 plus the piece whose row begins there; 0: none does. */
function piecesByLine(pieces: readonly NodePiece[]): Int32Array {
  const last = pieces.reduce((most, { lines, rows }) => Math.max(most, lines[rows - 1] ?? 0), 0);
  const atLine = new Int32Array(last + 1);
  for (const [index, { lines, rows }] of pieces.entries()) for (let row = 0; row < rows; row++) atLine[lines[row]!] = index + 1;
  return atLine;
}
