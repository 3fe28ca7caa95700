/**
 * The rows of a table whose vectors are in clusters. A row is never changed once a snapshot may see it (M1), so what
 * clusters say of it holds for as long as the table lives: whether a reader sees the row, and what it has beside its
 * vector, is asked of the reader's view. Rows that are not marked here have to be looked at themselves (B9).
 */
import type { ClusterSource } from '../../search/index.ts';
import { hasBit } from '../arrays/bitmap.ts';

/** Clusters of one artefact, and the rows that its positions stand for. */
export interface RowsOfClusters {
  readonly source: ClusterSource;
  /** The row at each position; `NO_ROW`: another row, or none, has come in its place. Null: the row follows from the position. */
  readonly rows: Uint32Array | null;
  /** The row at position 0, where `rows` is null. */
  readonly firstRow: number;
}

/** The row of an entry that is in no table any more. */
export const NO_ROW = 0xffff_ffff;

/** The rows of a table whose vectors are in clusters. */
export interface ClusteredRows {
  readonly parts: readonly RowsOfClusters[];
  /** Number of components of the vectors. */
  readonly dimensions: number;
  /** How many rows are marked. */
  readonly count: number;
  /** Rows below this that have a vector are in the clusters, or among `loose`. */
  readonly knownRows: number;
  /** Ascending. */
  readonly loose: Uint32Array;
  /** Whether the vector of a row is in the clusters. */
  has(row: number): boolean;
}

/** Returns the row at a position. */
export function rowAt({ rows, firstRow }: RowsOfClusters, position: number): number {
  return rows === null ? firstRow + position : rows[position]!;
}

/** Rows that are marked in a bitmap. */
export class MarkedRows implements ClusteredRows {
  readonly parts: readonly RowsOfClusters[];
  readonly dimensions: number;
  readonly count: number;
  readonly knownRows: number;
  readonly loose: Uint32Array;
  readonly #marks: Uint8Array;

  constructor({ parts, dimensions, count, knownRows, loose, marks }: Omit<ClusteredRows, 'has'> & { readonly marks: Uint8Array }) {
    this.parts = parts;
    this.dimensions = dimensions;
    this.count = count;
    this.knownRows = knownRows;
    this.loose = loose;
    this.#marks = marks;
  }

  has(row: number): boolean {
    return row >>> 3 < this.#marks.length && hasBit(this.#marks, row);
  }
}
