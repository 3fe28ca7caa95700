/** Gathers the nodes of one chunk of a file while they are read, by label set. */
import type { FieldBlock, Selection } from '../../formats/index.ts';
import { grown } from '../columns/growing.ts';
import type { NodePiece } from './node-piece.ts';
import { packColumns, Rooms } from './piece-memory.ts';
import { PropertyColumns } from './property-columns.ts';

/** The largest share of distinct strings for a dictionary in a piece: the table decides, as it may have fewer distinct ones. */
const MOST_DISTINCT = 0.9;

/** The nodes of a label set while a chunk is read. */
export class NodeRows {
  readonly labels: readonly string[];
  rows = 0;
  /** The property columns, used for all chunks, as they remember how strings are stored best. */
  readonly properties = new PropertyColumns(MOST_DISTINCT);
  #lines = new Int32Array(0);
  #idStarts = new Int32Array(0);
  #idEnds = new Int32Array(0);

  constructor(labels: readonly string[]) {
    this.labels = labels;
  }

  /** Appends the places of rows whose properties were appended already. @param idColumn null: the rows have no ids */
  appendPlaces({ columns, starts, ends, lines }: FieldBlock, idColumn: number | null, blockRows: Selection): void {
    const first = this.rows;
    this.rows += blockRows.length;
    const target = (this.#lines = grown(this.#lines, this.rows));
    for (let i = 0; i < blockRows.length; i++) target[first + i] = lines[blockRows[i]!]!;
    if (idColumn === null) return;
    const idStarts = (this.#idStarts = grown(this.#idStarts, this.rows));
    const idEnds = (this.#idEnds = grown(this.#idEnds, this.rows));
    for (let i = 0; i < blockRows.length; i++) {
      const at = blockRows[i]! * columns + idColumn;
      idStarts[first + i] = starts[at]!;
      idEnds[first + i] = ends[at]!;
    }
  }

  truncate(rows: number): void {
    this.rows = rows;
    this.properties.truncate(rows);
  }

  /** Returns the rows that have come in as a piece, and begins anew. */
  take(rooms: Rooms): NodePiece {
    const { labels, rows } = this;
    const columns = this.properties.take(rows, null);
    this.rows = 0;
    const places = [this.#lines, this.#idStarts, this.#idEnds].map((array) => array.subarray(0, rows));
    const { arrays, ...packed } = packColumns({ columns, rows, arrays: places }, rooms);
    const [lines, idStarts, idEnds] = arrays as [Int32Array, Int32Array, Int32Array];
    return { labels, rows, lines, idStarts, idEnds, ...packed };
  }
}

/** The nodes of a chunk, by label set. */
export class NodeRowsByLabels {
  readonly #byLabels = new Map<string, NodeRows>();
  /** The label sets of the present chunk, in the order of their first rows. */
  readonly #named = new Set<NodeRows>();

  withLabels(labels: readonly string[]): NodeRows {
    const name = JSON.stringify(labels);
    let rows = this.#byLabels.get(name);
    if (rows === undefined) this.#byLabels.set(name, (rows = new NodeRows(labels)));
    return rows;
  }

  name(rows: NodeRows): void {
    this.#named.add(rows);
  }

  /** Takes the rows of all label sets that have any, as pieces. @param offered memory that may be used for them */
  take(offered: readonly SharedArrayBuffer[]): NodePiece[] {
    const rooms = new Rooms(offered);
    const pieces: NodePiece[] = [];
    for (const table of this.#named) if (table.rows > 0) pieces.push(table.take(rooms));
    this.#named.clear();
    return pieces;
  }
}
