/**
 * An index over (label, property keys): a hash table from values to node ordinals, and for one key a sorted form for ranges and a spatial one for areas.
 *
 * All are filled when they are asked: rows are only ever added to tables, so the index reads the rows that it has not seen. Its entries say
 * "this node had these values once"; every answer is verified against the reader's view, so that each snapshot gets its own right answer.
 *
 * Entering a row takes a hundred times as long as comparing its value. So where many rows are not in the hash table (after opening, all), a look-up compares them; the first ones do nothing
 * else, later ones enter a part of them as well. A process that asks once does not wait for an index, and one that asks on waits for no more than some milliseconds at a time.
 */
import { type AreaCover, equals, order, Point, type Value } from '../../value/index.ts';
import { ascendingOnce } from '../arrays/ascending.ts';
import { HashMultimap, type SharedMultimap } from '../arrays/hash-multimap.ts';
import { PointEntries } from '../arrays/point-entries.ts';
import { SortedEntries, type ValueRange } from '../arrays/sorted-entries.ts';
import { Utf8Scratch } from '../arrays/utf8.ts';
import type { Column } from '../columns/column.ts';
import { canSearch, searchRows } from '../columns/row-search.ts';
import { combineHashes, hashOfRow, hashValue } from '../columns/value-hash.ts';
import { type NodeReader, tableOfNode } from '../tables/node-reader.ts';
import type { NodeTable } from '../tables/node-table.ts';

export interface IndexedProperties {
  readonly name: string;
  /** Symbol ids. */
  readonly label: number;
  readonly keys: readonly number[];
  readonly unique: boolean;
  /** Nobody declared it. */
  readonly automatic: boolean;
}

const NO_NODES: readonly number[] = [];
/** So few rows are entered at once. */
const FEW_ROWS = 64;
const ONLY_COMPARING = 4;
/** What a later look-up enters of the rows that it has compared: some times the work that comparing them was, so that all are entered after some hundred look-ups. */
const ENTERED_PART = 1 / 32;
const LEAST_ENTERED = 1_024;
const HASHED_TOGETHER = 1024;
const hashes = new Uint32Array(HASHED_TOGETHER);
const ordinals = new Uint32Array(HASHED_TOGETHER);
const text = new Utf8Scratch();

export class PropertyIndex {
  readonly properties: IndexedProperties;
  readonly #hashed = new HashMultimap();
  #sorted: SortedEntries | null = null;
  readonly #hashedRows = new RowsRead();
  readonly #sortedRows = new RowsRead();
  #points: PointEntries | null = null;
  readonly #pointRows = new RowsRead();
  /** Look-ups that compared rows. */
  #comparisons = 0;
  /** The hash table is that of another thread, which keeps it up. */
  #isFollowing = false;

  constructor(properties: IndexedProperties) {
    this.properties = properties;
  }

  get isHashed(): boolean {
    return this.#hashed.size > 0;
  }

  /** Of the hash table: one for each value that a node has had, and for each version of a node. */
  get entryCount(): number {
    return this.#hashed.size;
  }

  /** Of the hash table. */
  get byteLength(): number {
    return this.#hashed.byteLength;
  }

  /** The hash table with all rows of the tables, for readers in other threads. */
  share(tables: readonly NodeTable[]): SharedMultimap {
    this.catchUp(tables);
    return this.#hashed.share();
  }

  /** To read what another thread has shared: it holds every row that a reader here can see. */
  follow(shared: SharedMultimap): void {
    this.#isFollowing = true;
    this.#hashed.follow(shared);
  }

  /** Has every row of the tables in the hash table; to be called before `find`. */
  catchUp(tables: readonly NodeTable[]): void {
    if (!this.#isFollowing) this.#readRows(tables, this.#hashedRows, this.#hashRows);
  }

  /** The same, of so many rows at most. @returns whether no row is left. */
  catchUpBy(rows: number, tables: readonly NodeTable[]): boolean {
    return this.#readRows(tables, this.#hashedRows, this.#hashRows, rows);
  }

  /**
   * To be called before a look-up by one value: has every row in the hash table where there are few to enter, or the others cannot be compared with the value; else enters a part of them.
   * @returns whether no row is left. Otherwise `search` is the way to look up.
   */
  catchUpFor(value: Value, tables: readonly NodeTable[]): boolean {
    if (this.#isFollowing) return true;
    const rows = this.#unreadRows(tables);
    if (rows > FEW_ROWS && this.#canSearch(value, tables)) {
      if (++this.#comparisons <= ONLY_COMPARING) return false;
      return this.catchUpBy(Math.max(LEAST_ENTERED, Math.ceil(rows * ENTERED_PART)), tables);
    }
    this.catchUp(tables);
    return true;
  }

  #unreadRows(tables: readonly NodeTable[]): number {
    let rows = 0;
    for (const table of tables) if (this.#isUnread(table)) rows += table.rowCount - this.#hashedRows.of(table);
    return rows;
  }

  #isUnread(table: NodeTable): boolean {
    const { label, keys } = this.properties;
    return !this.#hashedRows.isLast(table) && table.labels.includes(label) && table.hasLoaded(keys);
  }

  #canSearch(value: Value, tables: readonly NodeTable[]): boolean {
    const { keys } = this.properties;
    if (keys.length !== 1) return false;
    return tables.every((table) => {
      const column = table.columns[keys[0] as number];
      return column === undefined || !this.#isUnread(table) || canSearch(column, value);
    });
  }

  #readRows(
    tables: readonly NodeTable[],
    rowsRead: RowsRead,
    readRows: (table: NodeTable, from: number, to: number) => void,
    most = Number.POSITIVE_INFINITY,
  ): boolean {
    let left = most;
    for (const table of tables) {
      if (rowsRead.isLast(table)) continue;
      const from = rowsRead.of(table);
      let end = table.rowCount;
      if (from < end && table.labels.includes(this.properties.label)) {
        if (!table.hasLoaded(this.properties.keys)) continue;
        end = Math.min(end, from + left);
        readRows(table, from, end);
        left -= end - from;
      }
      rowsRead.set(table, end);
      if (end < table.rowCount) return false;
    }
    return true;
  }

  readonly #hashRows = (table: NodeTable, from: number, to: number): void => {
    // Of what is unique each value is another one.
    if (to - from >= HASHED_TOGETHER) this.#hashed.reserve(to - from, this.properties.unique ? to - from : 0);
    const columns = this.properties.keys.map((key) => table.columns[key]);
    if (!columns.every((column) => column !== undefined)) return;
    for (let first = from; first < to; first += HASHED_TOGETHER) {
      let count = 0;
      for (let row = first; row < Math.min(to, first + HASHED_TOGETHER); row++) {
        const hash = hashOfColumns(columns, row);
        if (hash < 0) continue;
        hashes[count] = hash;
        ordinals[count++] = table.ordinalOf(row);
      }
      this.#hashed.addAll(hashes, ordinals, count);
    }
  };

  readonly #sortRows = (table: NodeTable, from: number, to: number): void => {
    for (let row = from; row < to; row++) {
      const value = table.get(row, this.properties.keys[0] as number);
      if (value !== null) this.#sorted?.add(value, table.ordinalOf(row));
    }
  };

  readonly #enterPoints = (table: NodeTable, from: number, to: number): void => {
    for (let row = from; row < to; row++) {
      const value = table.get(row, this.properties.keys[0] as number);
      if (value instanceof Point) this.#points?.add(value, table.ordinalOf(row));
    }
  };

  /** A property of a row has changed in place. */
  rowChanged(table: NodeTable, row: number, key: number): void {
    if (!this.properties.keys.includes(key) || !table.labels.includes(this.properties.label)) return;
    if (row < this.#hashedRows.of(table)) this.#hashRows(table, row, row + 1);
    if (row < this.#sortedRows.of(table)) this.#sortRows(table, row, row + 1);
    if (row < this.#pointRows.of(table)) this.#enterPoints(table, row, row + 1);
  }

  /** Rows from `rowCount` on were taken back. */
  truncate(table: NodeTable, rowCount: number): void {
    for (const rowsRead of [this.#hashedRows, this.#sortedRows, this.#pointRows]) {
      rowsRead.set(table, Math.min(rowsRead.of(table), rowCount));
    }
  }

  /** The rows of a table stand in another table now, all of which have been read if those have. */
  tableReplaced(table: NodeTable, replacement: NodeTable): void {
    for (const rowsRead of [this.#hashedRows, this.#sortedRows, this.#pointRows]) {
      if (rowsRead.of(table) === table.rowCount) rowsRead.set(replacement, replacement.rowCount);
    }
  }

  /** Of nodes with equal values all but one, and others, but few: nodes of which another has, or had, a value with the same hash. Rows have been caught up with. */
  nodesThatMayShareValues(): Iterable<number> {
    return this.#hashed.valuesBeforeOthers();
  }

  /** Ordinals of the nodes whose properties equal the values, ascending. The rows of the reader's tables have been caught up with. */
  find(values: readonly Value[], reader: NodeReader): readonly number[] {
    if (values.length === 1) return this.findValue(values[0] as Value, reader);
    let hash = 0;
    for (const value of values) {
      if (value === null) return NO_NODES;
      hash = combineHashes(hash, hashValue(value));
    }
    let entry = this.#hashed.first(hash);
    if (entry < 0) return NO_NODES;
    const found: number[] = [];
    for (; entry >= 0; entry = this.#hashed.next(entry)) {
      const ordinal = this.#hashed.value(entry);
      if (this.#hasValues(ordinal, values, reader)) found.push(ordinal);
    }
    return ascendingOnce(found);
  }

  /** The same for an index on one key, whether rows have been caught up with or not: see `catchUpFor`. */
  search(value: Value, reader: NodeReader): readonly number[] {
    const found = [...this.findValue(value, reader)];
    for (const table of reader.tables) {
      const column = table.columns[this.properties.keys[0] as number];
      if (column === undefined || !this.#isUnread(table)) continue;
      const rows: number[] = [];
      searchRows(column, value, { from: this.#hashedRows.of(table), to: table.rowCount }, (row) => rows.push(row));
      for (const row of rows) {
        const ordinal = table.ordinalOf(row);
        if (this.#hasValues(ordinal, [value], reader)) found.push(ordinal);
      }
    }
    return ascendingOnce(found);
  }

  /** `find` for an index on one key. */
  findValue(value: Value, reader: NodeReader): readonly number[] {
    if (value === null) return NO_NODES;
    let hash: number;
    if (typeof value === 'string') {
      text.encode(value);
      hash = text.hash();
    } else hash = hashValue(value);
    let entry = this.#hashed.first(combineHashes(0, hash));
    if (entry < 0) return NO_NODES;
    const found: number[] = [];
    for (; entry >= 0; entry = this.#hashed.next(entry)) {
      const ordinal = this.#hashed.value(entry);
      if (this.#hasValue(ordinal, value, reader)) found.push(ordinal);
    }
    return ascendingOnce(found);
  }

  /** Where the value is a String, `text` holds its bytes. */
  #hasValue(ordinal: number, value: Value, reader: NodeReader): boolean {
    const table = this.#tableOf(ordinal, reader);
    const column = table?.columns[this.properties.keys[0] as number];
    const { row } = reader.directory;
    if (column === undefined || !column.has(row)) return false;
    if (typeof value === 'number' && (column.kind === 'int32' || column.kind === 'integer')) return column.values[row] === value;
    if (typeof value === 'string' && column.kind === 'string') {
      return text.equals(column.heap as Uint8Array, column.values[row] as number, column.values[row + 1] as number);
    }
    return equals(column.get(row), value) === true;
  }

  /** The table of a node that has the label; its row is then `reader.directory.row`. */
  #tableOf(ordinal: number, reader: NodeReader): NodeTable | undefined {
    const table = tableOfNode(reader, ordinal);
    return table?.labels.includes(this.properties.label) === true ? table : undefined;
  }

  #hasValues(ordinal: number, values: readonly Value[], reader: NodeReader): boolean {
    const table = this.#tableOf(ordinal, reader);
    if (table === undefined) return false;
    const row = reader.directory.row;
    for (let i = 0; i < values.length; i++) {
      if (equals(table.get(row, this.properties.keys[i] as number), values[i] as Value) !== true) return false;
    }
    return true;
  }

  /** Nodes whose (single) property lies in the range, ascending by value, then ordinal. */
  range(range: ValueRange, reader: NodeReader): Uint32Array {
    if (this.properties.keys.length !== 1) return new Uint32Array(0);
    this.#sorted ??= new SortedEntries();
    this.#readRows(reader.tables, this.#sortedRows, this.#sortRows);
    const key = this.properties.keys[0] as number;
    const found: number[] = [];
    this.#sorted.forEach(range, (value, ordinal) => {
      const now = this.#valueOf(ordinal, key, reader);
      if (now !== null && order(now, value) === 0 && found.at(-1) !== ordinal) found.push(ordinal);
    });
    return Uint32Array.from(found);
  }

  /** Nodes whose (single) property is, or once was, a point in the cover: all that are there now, and few others. Ascending. */
  area(cover: AreaCover, reader: NodeReader): readonly number[] {
    if (this.properties.keys.length !== 1) return NO_NODES;
    this.#points ??= new PointEntries();
    this.#readRows(reader.tables, this.#pointRows, this.#enterPoints);
    const found: number[] = [];
    this.#points.forEach(cover, (ordinal) => {
      if (this.#tableOf(ordinal, reader) !== undefined) found.push(ordinal);
    });
    return ascendingOnce(found);
  }

  #valueOf(ordinal: number, key: number, reader: NodeReader): Value {
    return this.#tableOf(ordinal, reader)?.get(reader.directory.row, key) ?? null;
  }
}

/** -1: a value is missing. */
function hashOfColumns(columns: readonly Column[], row: number): number {
  let hash = 0;
  for (const column of columns) {
    if (!column.has(row)) return -1;
    hash = combineHashes(hash, hashOfRow(column, row));
  }
  return hash;
}

/** How many rows of each table have been read. */
class RowsRead {
  readonly #rows = new WeakMap<NodeTable, number>();
  /** By index of the table: the table that was read last in its place, and how many rows of it. What most questions are about. */
  readonly #tables: (NodeTable | undefined)[] = [];
  readonly #counts: number[] = [];

  /** Was it read to its end? */
  isLast(table: NodeTable): boolean {
    return this.#tables[table.index] === table && this.#counts[table.index] === table.rowCount;
  }

  of(table: NodeTable): number {
    return this.#rows.get(table) ?? 0;
  }

  set(table: NodeTable, rows: number): void {
    this.#rows.set(table, rows);
    this.#tables[table.index] = table;
    this.#counts[table.index] = rows;
  }
}
