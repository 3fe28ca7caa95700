/**
 * The files of a table, and which parts of them are not in memory yet. The rows of the files, oldest file first, are the
 * first rows of the table.
 */
import type { SstFile } from '../../storage/index.ts';

/**
 * The first rows of a table, which are in files, and which parts of them are in memory: all that a reader of the table
 * needs to know about its files.
 */
export interface StoredRows {
  readonly rowCount: number;
  /** Whether ordinals, ends of relationships and the set of dead rows are in memory. */
  readonly rowsLoaded: boolean;
  /** Whether the identifiers set by users are in memory. */
  readonly idsLoaded: boolean;
  /** The property keys whose columns are not in memory. */
  readonly unloadedKeys: ReadonlySet<number>;
  /** The range of ordinals of each file. */
  readonly ordinalRanges: readonly OrdinalRange[];
}

/** A range of ordinals; both bounds are inclusive. */
interface OrdinalRange {
  readonly minOrdinal: number;
  readonly maxOrdinal: number;
}

/** Tells whether files may hold an ordinal. */
export function mayHold({ ordinalRanges }: StoredRows, ordinal: number): boolean {
  return ordinalRanges.some(({ minOrdinal, maxOrdinal }) => ordinal >= minOrdinal && ordinal <= maxOrdinal);
}

/** A file of a table, and where its rows begin in the table. */
export interface FilePart {
  readonly file: SstFile;
  /** The row of the table that is row 0 of the file. */
  readonly firstRow: number;
}

/** Places files one after the other: each begins at the row after the last one of the file before it. */
export function partsOf(files: readonly SstFile[]): FilePart[] {
  let firstRow = 0;
  return files.map((file) => {
    const part = { file, firstRow };
    firstRow += file.rows;
    return part;
  });
}

/** Returns the number of rows of the files. */
export function rowsIn(parts: readonly FilePart[]): number {
  return parts.reduce((sum, { file }) => sum + file.rows, 0);
}

/** The files of a table. */
export class TableFiles implements StoredRows {
  readonly parts: readonly FilePart[];
  readonly ordinalRanges: readonly OrdinalRange[];
  readonly rowCount: number;
  /** How many rows were neither superseded nor deleted when the table was opened. */
  readonly liveRows: number;
  /** Whether no row is superseded or deleted by a later file. */
  readonly allLive: boolean;
  rowsLoaded = false;
  readonly unloadedKeys: Set<number>;
  idsLoaded: boolean;
  /** Grows with each part that is loaded. */
  loads = 0;

  constructor(files: readonly SstFile[], liveRows: number, keyOf: (columnName: string) => number) {
    this.parts = partsOf(files);
    this.ordinalRanges = files.map(({ minOrdinal, maxOrdinal }) => ({ minOrdinal, maxOrdinal }));
    this.rowCount = rowsIn(this.parts);
    this.liveRows = liveRows;
    this.allLive = this.rowCount === liveRows;
    const names = files.flatMap((file) => file.columns.map((column) => column.name));
    this.unloadedKeys = new Set(names.filter(isPropertyColumn).map(keyOf));
    this.idsLoaded = !names.includes(ID_COLUMN);
  }

  get isLoaded(): boolean {
    return this.rowsLoaded && this.idsLoaded && this.unloadedKeys.size === 0;
  }

  /** The ordinal of row 0 when the ordinals are dense through all files, each row having the next one; else -1. */
  get denseBase(): number {
    let next = this.parts[0]?.file.minOrdinal ?? -1;
    const base = next;
    for (const { file } of this.parts) {
      if (!file.denseOrdinals || file.minOrdinal !== next) return -1;
      next += file.rows;
    }
    return base;
  }

  /** Tells whether all files of the table are among these. */
  areAmong(files: readonly SstFile[]): boolean {
    return this.parts.every((part) => files.some((file) => file.key === part.file.key));
  }
}

/** The system column of ordinals. */
export const ORDINAL_COLUMN = '_ordinal';

/** The system column of deletions. */
export const DELETED_COLUMN = '_deleted';

/** The system column of identifiers. */
export const ID_COLUMN = '_id';

/** The system column of sources. */
export const SOURCE_COLUMN = '_source';

/** The system column of targets. */
export const TARGET_COLUMN = '_target';

/** Returns the column name of a property key. System columns begin with one underscore, so a key that begins with one gets one more. */
export function columnNameOf(key: string): string {
  return key.startsWith('_') ? `_${key}` : key;
}

/** Returns the property key of a column. */
export function keyOfColumnName(name: string): string {
  return name.startsWith('_') ? name.slice(1) : name;
}

/** Tells whether a column holds a property. */
export function isPropertyColumn(name: string): boolean {
  return !name.startsWith('_') || name.startsWith('__');
}
