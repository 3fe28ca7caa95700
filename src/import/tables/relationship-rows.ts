/** Gathers the relationships of one chunk of a file while they are read, by type. */
import type { Selection } from '../../formats/index.ts';
import { grown } from '../columns/growing.ts';
import { Rooms } from './piece-memory.ts';
import { PropertyColumns } from './property-columns.ts';
import { packPiece, type RelationshipPiece } from './relationship-piece.ts';

/** The largest share of distinct strings for a dictionary in a piece: the table decides, as it may have fewer distinct ones. */
const MOST_DISTINCT = 0.9;

/** The relationships of a type, row by row. */
export class RelationshipRows {
  readonly type: string;
  rows = 0;
  properties = new PropertyColumns(MOST_DISTINCT);
  #sources: Uint32Array = new Uint32Array(0);
  #targets: Uint32Array = new Uint32Array(0);

  constructor(type: string) {
    this.type = type;
  }

  /** Appends the ends of rows of a block whose properties were appended already. */
  appendEndpoints(sourceByRow: Uint32Array, targetByRow: Uint32Array, blockRows: Selection): void {
    const first = this.rows;
    this.rows += blockRows.length;
    const sources = (this.#sources = grown(this.#sources, this.rows));
    const targets = (this.#targets = grown(this.#targets, this.rows));
    for (let i = 0; i < blockRows.length; i++) {
      sources[first + i] = sourceByRow[blockRows[i]!]!;
      targets[first + i] = targetByRow[blockRows[i]!]!;
    }
  }

  truncate(rows: number): void {
    this.rows = rows;
    this.properties.truncate(rows);
  }

  /** Returns the rows that have come in as a piece, and begins anew. */
  take(rooms: Rooms): RelationshipPiece {
    const { type, rows } = this;
    const columns = this.properties.take(rows, null);
    this.rows = 0;
    this.properties = new PropertyColumns(MOST_DISTINCT);
    return packPiece({ type, rows, sources: this.#sources, targets: this.#targets, columns }, rooms);
  }
}

/** The relationships of a chunk, by type. */
export class RelationshipRowsByType {
  readonly #byType = new Map<string, RelationshipRows>();

  ofType(type: string): RelationshipRows {
    let rows = this.#byType.get(type);
    if (rows === undefined) this.#byType.set(type, (rows = new RelationshipRows(type)));
    return rows;
  }

  /** Takes the rows of all types that have any, as pieces. @param offered memory that may be used for them */
  take(offered: readonly SharedArrayBuffer[]): RelationshipPiece[] {
    const rooms = new Rooms(offered);
    const pieces: RelationshipPiece[] = [];
    for (const table of this.#byType.values()) if (table.rows > 0) pieces.push(table.take(rooms));
    return pieces;
  }
}
