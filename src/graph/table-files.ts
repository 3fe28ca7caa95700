/** Which rows of a table lie in files, and what of them is not in memory yet. The rows of the files, oldest file first, are the first rows of the table. */
import type { SstFile } from '../storage/index.ts';

export interface FilePart {
  readonly file: SstFile;
  /** Row of the table that is row 0 of the file. */
  readonly firstRow: number;
}

export class TableFiles {
  readonly parts: readonly FilePart[];
  readonly rowCount: number;
  /** Rows of which none was superseded or deleted by a later file. */
  readonly allLive: boolean;
  /** Are ordinals, ends of relationships and dead rows in memory? */
  rowsLoaded = false;
  /** Property keys with columns that are not. */
  readonly unloadedKeys: Set<number>;
  /** Are identifiers set by users in memory? */
  idsLoaded: boolean;
  /** Grows with every part that is loaded. */
  loads = 0;

  constructor(files: readonly SstFile[], liveRows: number, keyOf: (columnName: string) => number) {
    const parts: FilePart[] = [];
    let rows = 0;
    for (const file of files) {
      parts.push({ file, firstRow: rows });
      rows += file.rows;
    }
    this.parts = parts;
    this.rowCount = rows;
    this.allLive = rows === liveRows;
    const names = files.flatMap((file) => file.columns.map((column) => column.name));
    this.unloadedKeys = new Set(names.filter(isPropertyColumn).map(keyOf));
    this.idsLoaded = !names.includes(ID_COLUMN);
  }

  get isLoaded(): boolean {
    return this.rowsLoaded && this.idsLoaded && this.unloadedKeys.size === 0;
  }

  /** The ordinal of row 0 where row r has that plus r, through all files; -1 otherwise. */
  get denseBase(): number {
    let next = this.parts[0]?.file.minOrdinal ?? -1;
    const base = next;
    for (const { file } of this.parts) {
      if (!file.denseOrdinals || file.minOrdinal !== next) return -1;
      next += file.rows;
    }
    return base;
  }

  mayHold(ordinal: number): boolean {
    return this.parts.some(({ file }) => ordinal >= file.minOrdinal && ordinal <= file.maxOrdinal);
  }
}

export const ORDINAL_COLUMN = '_ordinal';
export const DELETED_COLUMN = '_deleted';
export const ID_COLUMN = '_id';
export const SOURCE_COLUMN = '_source';
export const TARGET_COLUMN = '_target';

/** Names of system columns start with one underscore; a property key that starts with one is stored with one more. */
export function columnNameOf(key: string): string {
  return key.startsWith('_') ? `_${key}` : key;
}

export function keyOfColumnName(name: string): string {
  return name.startsWith('_') ? name.slice(1) : name;
}

function isPropertyColumn(name: string): boolean {
  return !name.startsWith('_') || name.startsWith('__');
}
