/**
 * An index over (label, property keys): a hash table from values to node ordinals, and for one key a sorted form for ranges.
 *
 * Both are filled when they are asked: rows are only ever added to tables, so the index reads the rows that it has not seen. Its entries say
 * "this node had these values once"; every answer is verified against the reader's view, so that each snapshot gets its own right answer.
 */
import { equals, order, type Value } from '../value/index.ts';
import { HashMultimap, type SharedMultimap } from './hash-multimap.ts';
import { type NodeReader, tableOfNode } from './node-reader.ts';
import type { NodeTable } from './node-table.ts';
import { SortedEntries, type ValueRange } from './sorted-entries.ts';
import { combineHashes, hashOfRow, hashValue } from './value-hash.ts';

export interface IndexedProperties {
  readonly name: string;
  /** Symbol ids. */
  readonly label: number;
  readonly keys: readonly number[];
  readonly unique: boolean;
}

/** Rows below this have been read, by table. */
type RowsRead = WeakMap<NodeTable, number>;

const NOTHING = new Uint32Array(0);

export class PropertyIndex {
  readonly properties: IndexedProperties;
  readonly #hashed = new HashMultimap();
  #sorted: SortedEntries | null = null;
  readonly #hashedRows: RowsRead = new WeakMap();
  readonly #sortedRows: RowsRead = new WeakMap();
  /** The hash table is that of another thread, which keeps it up. */
  #isFollowing = false;

  constructor(properties: IndexedProperties) {
    this.properties = properties;
  }

  get isHashed(): boolean {
    return this.#hashed.size > 0;
  }

  /** The hash table with all rows of the tables, for readers in other threads. */
  share(tables: readonly NodeTable[]): SharedMultimap {
    this.#catchUp(tables, this.#hashedRows, this.#addHashed);
    return this.#hashed.share();
  }

  /** To read what another thread has shared: it holds every row that a reader here can see. */
  follow(shared: SharedMultimap): void {
    this.#isFollowing = true;
    this.#hashed.follow(shared);
  }

  #catchUp(tables: readonly NodeTable[], rowsRead: RowsRead, addRow: (table: NodeTable, row: number) => void): void {
    for (const table of tables) {
      const from = rowsRead.get(table) ?? 0;
      if (from >= table.rowCount || !table.labels.includes(this.properties.label)) continue;
      if (!table.hasLoaded(this.properties.keys)) continue;
      for (let row = from; row < table.rowCount; row++) addRow(table, row);
      rowsRead.set(table, table.rowCount);
    }
  }

  readonly #addHashed = (table: NodeTable, row: number): void => {
    let hash = 0;
    for (const key of this.properties.keys) {
      const column = table.columns[key];
      if (column === undefined || !column.has(row)) return;
      hash = combineHashes(hash, hashOfRow(column, row));
    }
    this.#hashed.add(hash, table.ordinalOf(row));
  };

  readonly #addSorted = (table: NodeTable, row: number): void => {
    const value = table.get(row, this.properties.keys[0] as number);
    if (value !== null) this.#sorted?.add(value, table.ordinalOf(row));
  };

  /** A property of a row has changed in place. */
  rowChanged(table: NodeTable, row: number, key: number): void {
    if (!this.properties.keys.includes(key)) return;
    if (row < (this.#hashedRows.get(table) ?? 0)) this.#addHashed(table, row);
    if (row < (this.#sortedRows.get(table) ?? 0)) this.#addSorted(table, row);
  }

  /** Rows from `rowCount` on were taken back. */
  truncate(table: NodeTable, rowCount: number): void {
    for (const rowsRead of [this.#hashedRows, this.#sortedRows]) {
      rowsRead.set(table, Math.min(rowsRead.get(table) ?? 0, rowCount));
    }
  }

  /** The rows of a table stand in another table now, all of which have been read if those have. */
  tableReplaced(table: NodeTable, replacement: NodeTable): void {
    for (const rowsRead of [this.#hashedRows, this.#sortedRows]) {
      if (rowsRead.get(table) === table.rowCount) rowsRead.set(replacement, replacement.rowCount);
    }
  }

  /** Ordinals of the nodes whose properties equal the values, ascending. */
  find(values: readonly Value[], reader: NodeReader): Uint32Array {
    if (!this.#isFollowing) this.#catchUp(reader.tables, this.#hashedRows, this.#addHashed);
    let hash = 0;
    for (const value of values) {
      if (value === null) return NOTHING;
      hash = combineHashes(hash, hashValue(value));
    }
    const found: number[] = [];
    for (let entry = this.#hashed.first(hash); entry >= 0; entry = this.#hashed.next(entry)) {
      const ordinal = this.#hashed.value(entry);
      if (this.#hasValues(ordinal, values, reader)) found.push(ordinal);
    }
    return ascendingOnce(found);
  }

  #hasValues(ordinal: number, values: readonly Value[], reader: NodeReader): boolean {
    const table = tableOfNode(reader, ordinal);
    if (table === undefined || !table.labels.includes(this.properties.label)) return false;
    const row = reader.directory.row;
    for (let i = 0; i < values.length; i++) {
      if (equals(table.get(row, this.properties.keys[i] as number), values[i] as Value) !== true) return false;
    }
    return true;
  }

  /** Nodes whose (single) property lies in the range, ascending by value, then ordinal. */
  range(range: ValueRange, reader: NodeReader): Uint32Array {
    if (this.properties.keys.length !== 1) return NOTHING;
    this.#sorted ??= new SortedEntries();
    this.#catchUp(reader.tables, this.#sortedRows, this.#addSorted);
    const key = this.properties.keys[0] as number;
    const found: number[] = [];
    this.#sorted.forEach(range, (value, ordinal) => {
      const now = this.#valueOf(ordinal, key, reader);
      if (now !== null && order(now, value) === 0 && found.at(-1) !== ordinal) found.push(ordinal);
    });
    return Uint32Array.from(found);
  }

  #valueOf(ordinal: number, key: number, reader: NodeReader): Value {
    const table = tableOfNode(reader, ordinal);
    return table?.labels.includes(this.properties.label) === true ? table.get(reader.directory.row, key) : null;
  }
}

function ascendingOnce(ordinals: number[]): Uint32Array {
  if (ordinals.length === 0) return NOTHING;
  if (ordinals.length === 1) {
    const only = new Uint32Array(1);
    only[0] = ordinals[0] as number;
    return only;
  }
  const sorted = Uint32Array.from(ordinals).sort();
  let count = 1;
  for (let i = 1; i < sorted.length; i++) if (sorted[i] !== sorted[i - 1]) sorted[count++] = sorted[i] as number;
  return sorted.subarray(0, count);
}
