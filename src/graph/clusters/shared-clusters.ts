/** The clusters of a vector index on their way to other threads: nothing in them is ever changed. */
import { bitmapFor, hasBit, setBit } from '../arrays/bitmap.ts';
import { type ClusteredRows, MarkedRows } from './clustered-rows.ts';
import { type ClusterPages, ResidentClusters } from './resident-clusters.ts';

/** A part of clusters on its way to another thread. */
export interface SharedPart {
  readonly pages: ClusterPages;
  readonly rows: Uint32Array | null;
  readonly firstRow: number;
}

/** Rows of clusters on their way to another thread. */
export interface SharedClusteredRows {
  /** See `RowTable.identity`. */
  readonly table: number;
  readonly dimensions: number;
  readonly count: number;
  readonly knownRows: number;
  readonly loose: Uint32Array;
  readonly marks: Uint8Array;
  readonly parts: readonly SharedPart[];
}

/** The clusters of all tables of an index, as threads share them. */
export interface SharedClusters {
  /** Grows with every change. */
  readonly size: number;
  readonly tables: readonly SharedClusteredRows[];
}

/** Opens clusters that came from another thread. */
export function openShared({ parts, ...rows }: SharedClusteredRows): ClusteredRows {
  return new MarkedRows({
    ...rows,
    parts: parts.map(({ pages, rows, firstRow }) => ({ source: new ResidentClusters(pages), rows, firstRow })),
  });
}

/** Marks rows, in a bitmap of so many. */
export class RowMarks {
  readonly rowCount: number;
  readonly marks: Uint8Array;
  count = 0;

  constructor(rowCount: number) {
    this.rowCount = rowCount;
    this.marks = bitmapFor(null, Math.max(rowCount, 1));
  }

  add(row: number): void {
    setBit(this.marks, row);
    this.count++;
  }

  has(row: number): boolean {
    return hasBit(this.marks, row);
  }
}
