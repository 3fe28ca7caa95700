/**
 * An index over (type, property keys) of relationships: per table a hash table from values to home rows, and for one key a sorted form for ranges
 * and a spatial one for areas.
 *
 * As with `PropertyIndex`, they are filled when they are asked, their entries say "this relationship had these values once", and every answer is verified
 * against the reader's view. A table that was written anew has other rows: it is read again when it is first asked of. O(rows) once for each table.
 */
import { type AreaCover, equals, order, Point, type Value } from '../../value/index.ts';
import type { RelationshipTable } from '../adjacency/relationship-table.ts';
import { ascendingOnce } from '../arrays/ascending.ts';
import { HashMultimap } from '../arrays/hash-multimap.ts';
import { PointEntries } from '../arrays/point-entries.ts';
import { SortedEntries, type ValueRange } from '../arrays/sorted-entries.ts';
import { combineHashes, hashOfRow, hashValue } from '../columns/value-hash.ts';

export interface IndexedRelationships {
  readonly name: string;
  /** Symbol ids. */
  readonly type: number;
  readonly keys: readonly number[];
  readonly unique: boolean;
}

/** Relationships of one type as of a sequence. */
export interface RelationshipReader {
  readonly table: RelationshipTable;
  readonly sequence: number;
  /** Rows from here on are not seen. */
  readonly rowCount: number;
}

interface TableEntries {
  readonly hashed: HashMultimap;
  /** Rows below this have been read. */
  hashedRows: number;
  sorted: SortedEntries | null;
  sortedRows: number;
  points: PointEntries | null;
  pointRows: number;
}

const NOTHING = new Uint32Array(0);

export class RelationshipIndex {
  readonly properties: IndexedRelationships;
  readonly #entries = new WeakMap<RelationshipTable, TableEntries>();

  constructor(properties: IndexedRelationships) {
    this.properties = properties;
  }

  /** Home rows of the relationships whose properties equal the values, ascending. */
  find(values: readonly Value[], reader: RelationshipReader): readonly number[] {
    let hash = 0;
    for (const value of values) {
      if (value === null) return [];
      hash = combineHashes(hash, hashValue(value));
    }
    const entries = this.#caughtUp(reader.table, 'hashed');
    if (entries === null) return [];
    const found: number[] = [];
    for (let entry = entries.hashed.first(hash); entry >= 0; entry = entries.hashed.next(entry)) {
      const homeRow = entries.hashed.value(entry);
      if (this.#hasValues(homeRow, values, reader)) found.push(homeRow);
    }
    return ascendingOnce(found);
  }

  /** Home rows of those whose (single) property lies in the range, ascending by value, then row. */
  range(range: ValueRange, reader: RelationshipReader): Uint32Array {
    const [key] = this.properties.keys;
    if (key === undefined || this.properties.keys.length !== 1) return NOTHING;
    const sorted = this.#caughtUp(reader.table, 'sorted')?.sorted;
    const found: number[] = [];
    sorted?.forEach(range, (value, homeRow) => {
      const row = currentRow(homeRow, reader);
      const now = row < 0 ? null : reader.table.get(row, key);
      if (now !== null && order(now, value) === 0 && found.at(-1) !== homeRow) found.push(homeRow);
    });
    return Uint32Array.from(found);
  }

  /** Home rows of those whose (single) property is, or once was, a point in the cover: all that are there now, and few others. Ascending. */
  area(cover: AreaCover, reader: RelationshipReader): readonly number[] {
    if (this.properties.keys.length !== 1) return [];
    const found: number[] = [];
    this.#caughtUp(reader.table, 'points')?.points?.forEach(cover, (homeRow) => {
      if (currentRow(homeRow, reader) >= 0) found.push(homeRow);
    });
    return ascendingOnce(found);
  }

  #hasValues(homeRow: number, values: readonly Value[], reader: RelationshipReader): boolean {
    const row = currentRow(homeRow, reader);
    return row >= 0 && this.properties.keys.every((key, i) => equals(reader.table.get(row, key), values[i] as Value) === true);
  }

  /** null: the columns are not in memory. */
  #caughtUp(table: RelationshipTable, form: 'hashed' | 'sorted' | 'points'): TableEntries | null {
    if (!table.hasLoaded(this.properties.keys)) return null;
    const entries = this.#entriesOf(table);
    if (form === 'hashed') {
      for (let row = entries.hashedRows; row < table.rowCount; row++) this.#addHashed(entries, table, row);
      entries.hashedRows = Math.max(entries.hashedRows, table.rowCount);
    } else if (form === 'sorted') {
      entries.sorted ??= new SortedEntries();
      for (let row = entries.sortedRows; row < table.rowCount; row++) this.#addSorted(entries, table, row);
      entries.sortedRows = Math.max(entries.sortedRows, table.rowCount);
    } else {
      entries.points ??= new PointEntries();
      for (let row = entries.pointRows; row < table.rowCount; row++) this.#addPoint(entries, table, row);
      entries.pointRows = Math.max(entries.pointRows, table.rowCount);
    }
    return entries;
  }

  #entriesOf(table: RelationshipTable): TableEntries {
    let entries = this.#entries.get(table);
    if (entries === undefined) {
      entries = { hashed: new HashMultimap(), hashedRows: 0, sorted: null, sortedRows: 0, points: null, pointRows: 0 };
      this.#entries.set(table, entries);
    }
    return entries;
  }

  #addHashed(entries: TableEntries, table: RelationshipTable, row: number): void {
    let hash = 0;
    for (const key of this.properties.keys) {
      const column = table.columns[key];
      if (column === undefined || !column.has(row)) return;
      hash = combineHashes(hash, hashOfRow(column, row));
    }
    entries.hashed.add(hash, table.homeRowOf(row));
  }

  #addSorted(entries: TableEntries, table: RelationshipTable, row: number): void {
    const value = table.get(row, this.properties.keys[0] as number);
    if (value !== null) entries.sorted?.add(value, table.homeRowOf(row));
  }

  #addPoint(entries: TableEntries, table: RelationshipTable, row: number): void {
    const value = table.get(row, this.properties.keys[0] as number);
    if (value instanceof Point) entries.points?.add(value, table.homeRowOf(row));
  }

  /** A property of a row has changed in place. */
  rowChanged(table: RelationshipTable, row: number, key: number): void {
    if (table.type !== this.properties.type || !this.properties.keys.includes(key)) return;
    const entries = this.#entries.get(table);
    if (entries === undefined) return;
    if (row < entries.hashedRows) this.#addHashed(entries, table, row);
    if (row < entries.sortedRows) this.#addSorted(entries, table, row);
    if (row < entries.pointRows) this.#addPoint(entries, table, row);
  }

  /** Rows from `rowCount` on were taken back. */
  truncate(table: RelationshipTable, rowCount: number): void {
    const entries = this.#entries.get(table);
    if (entries === undefined) return;
    entries.hashedRows = Math.min(entries.hashedRows, rowCount);
    entries.sortedRows = Math.min(entries.sortedRows, rowCount);
    entries.pointRows = Math.min(entries.pointRows, rowCount);
  }
}

/** -1: the relationship is not there for this reader. */
function currentRow(homeRow: number, { table, sequence, rowCount }: RelationshipReader): number {
  return homeRow < rowCount && table.isHomeRow(homeRow) ? table.rowAt(homeRow, sequence) : -1;
}
