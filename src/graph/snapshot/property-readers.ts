/**
 * Readers of one property for code that asks for it many times. Most tables have dense ordinals and no row versions: for
 * these the reader keeps the column and reads each value directly from it. All other values are read through the view,
 * which is right in every case.
 */
import type { Value } from '../../value/index.ts';
import type { RelationshipTable } from '../adjacency/relationship-table.ts';
import type { NodeReader } from '../tables/node-reader.ts';
import { nodePropertyOf, tableOfNode } from '../tables/node-reader.ts';
import type { RowTable } from '../tables/row-table.ts';
import type { PropertyReader } from '../view/view.ts';

/** The rows of a table in files, in one column. */
interface RowsOfColumn {
  /** The ordinal of the first row. */
  readonly base: number;
  /** The ordinal after that of the last row. */
  readonly limit: number;
  readonly column: { get(row: number): Value };
}

const MOST_RANGES = 4;
const NO_ROWS: RowsOfColumn = { base: 0, limit: 0, column: { get: () => null } };

/** Returns the column of the rows in files of a table without row versions; null when the table has some, or no such column is open. */
function columnOfFiles(table: RowTable, key: number): RowsOfColumn['column'] | null {
  const { files, chains, paged, columns } = table;
  if (files === null || chains.bitmap !== null) return null;
  return (files.unloadedKeys.has(key) ? paged?.column(key) : columns[key]) ?? null;
}

/** Reads one property of nodes. */
export class NodePropertyReader implements PropertyReader {
  readonly #reader: NodeReader;
  readonly #key: number;
  readonly #ranges: RowsOfColumn[] = [];
  #last = NO_ROWS;

  constructor(reader: NodeReader, key: number) {
    this.#reader = reader;
    this.#key = key;
  }

  get(ordinal: number): Value {
    let rows = this.#last;
    if (ordinal < rows.base || ordinal >= rows.limit) {
      const other = this.#find(ordinal);
      if (other === null) return nodePropertyOf(this.#reader, ordinal, this.#key);
      rows = this.#last = other;
    }
    return rows.column.get(ordinal - rows.base);
  }

  #find(ordinal: number): RowsOfColumn | null {
    const known = this.#ranges.find(({ base, limit }) => ordinal >= base && ordinal < limit);
    if (known !== undefined || this.#ranges.length >= MOST_RANGES) return known ?? null;
    if (this.#reader.directory.versions.bitmap !== null) return null;
    const table = tableOfNode(this.#reader, ordinal);
    const { ordinalBase: base = -1, files = null } = table ?? {};
    if (table === undefined || base < 0 || files === null || ordinal >= base + files.rowCount) return null;
    const column = columnOfFiles(table, this.#key);
    if (column === null) return null;
    const rows = { base, limit: base + files.rowCount, column };
    this.#ranges.push(rows);
    return rows;
  }
}

/** Reads a property of relationships of one type by their home rows. */
export class RelationshipPropertyReader implements PropertyReader {
  readonly #limit: number;
  readonly #column: RowsOfColumn['column'];
  readonly #other: (homeRow: number) => Value;

  /** @param other reads a relationship that has versions or is in no file */
  constructor(table: RelationshipTable, key: number, other: (homeRow: number) => Value) {
    const column = columnOfFiles(table, key);
    this.#limit = column === null ? 0 : table.files!.rowCount; // It is a column of files.
    this.#column = column ?? NO_ROWS.column;
    this.#other = other;
  }

  get(homeRow: number): Value {
    return homeRow < this.#limit ? this.#column.get(homeRow) : this.#other(homeRow);
  }
}
