/**
 * The rows of a table whose vectors are in clusters. A row never changes once a snapshot may see it (M1), so its entry in
 * a cluster stays right as long as the table exists; whether a reader sees the row, and its other properties, come from
 * the view of the reader. A search compares the rows that are not marked here one by one (B9).
 */
import type { ClusterSource } from '../../search/index.ts';
import { hasBit } from '../arrays/bitmap.ts';

/** The clusters of one artefact, and the row of the table at each of its positions. */
export interface RowsOfClusters {
  readonly source: ClusterSource;
  /** The row at each position, `NO_ROW` when it is superseded or deleted; null when rows are positions plus `firstRow`. */
  readonly rows: Uint32Array | null;
  /** The row at position 0; in use only while `rows` is null. */
  readonly firstRow: number;
}

/** Stands in `rows` for an entry that has no row in the table. */
export const NO_ROW = 0xffff_ffff;

/** The rows of a table whose vectors are in clusters. */
export interface ClusteredRows {
  readonly parts: readonly RowsOfClusters[];
  /** The number of components of each vector. */
  readonly dimensions: number;
  /** How many rows are in the clusters. */
  readonly count: number;
  /** Every row below this that has a vector is in the clusters or in `loose`. */
  readonly knownRows: number;
  /** The rows below `knownRows` with a vector that is in no cluster, ascending. */
  readonly loose: Uint32Array;
  /** Tells whether the vector of a row is in the clusters. */
  has(row: number): boolean;
}

/** Returns the row of the table at a position of the artefact. */
export function rowAt({ rows, firstRow }: RowsOfClusters, position: number): number {
  return rows === null ? firstRow + position : rows[position]!;
}

/** Clustered rows given by a bitmap. */
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
