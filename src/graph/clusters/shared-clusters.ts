/** The form in which threads share the clusters of a vector index. Nothing in it ever changes. */
import { bitmapFor, hasBit, setBit } from '../arrays/bitmap.ts';
import { type ClusteredRows, MarkedRows } from './clustered-rows.ts';
import { type ClusterPages, ResidentClusters } from './resident-clusters.ts';

/** The clusters of one artefact in shared form; `rows` and `firstRow` as in `RowsOfClusters`. */
export interface SharedPart {
  readonly pages: ClusterPages;
  readonly rows: Uint32Array | null;
  readonly firstRow: number;
}

/** The clustered rows of one table in shared form; the fields are as in `ClusteredRows`. */
export interface SharedClusteredRows {
  /** The `identity` of the table. */
  readonly table: number;
  readonly dimensions: number;
  readonly count: number;
  readonly knownRows: number;
  readonly loose: Uint32Array;
  readonly marks: Uint8Array;
  readonly parts: readonly SharedPart[];
}

/** The clusters of all tables of an index in shared form. */
export interface SharedClusters {
  /** Grows with every change. */
  readonly size: number;
  readonly tables: readonly SharedClusteredRows[];
}

/** Opens clusters that another thread has shared. */
export function openShared({ parts, ...rows }: SharedClusteredRows): ClusteredRows {
  return new MarkedRows({
    ...rows,
    parts: parts.map(({ pages, rows, firstRow }) => ({ source: new ResidentClusters(pages), rows, firstRow })),
  });
}

/** A bitmap of `rowCount` rows that counts its marks. */
export class RowMarks {
  readonly rowCount: number;
  readonly marks: Uint8Array;
  count = 0;

  constructor(rowCount: number) {
    this.rowCount = rowCount;
    this.marks = bitmapFor(null, Math.max(rowCount, 1));
  }

  add(row: number): void {
    if (hasBit(this.marks, row)) return;
    setBit(this.marks, row);
    this.count++;
  }

  has(row: number): boolean {
    return hasBit(this.marks, row);
  }
}
