/**
 * The form for equality: a hash table from values to entities.
 *
 * Entering a row takes a hundred times as long as comparing its value. So where many rows are not in the hash table
 * (after opening, all), a look-up compares them; the first ones do nothing else, later ones enter a part of them as
 * well. A process that asks once does not wait for an index, and one that asks on waits for no more than some
 * milliseconds at a time.
 */
import { equals, type Value } from '../../value/index.ts';
import { ascendingOnce } from '../arrays/ascending.ts';
import { HashMultimap, type SharedMultimap } from '../arrays/hash-multimap.ts';
import { Utf8Scratch } from '../arrays/utf8.ts';
import type { Column } from '../columns/column.ts';
import { canSearch, searchRows } from '../columns/row-search.ts';
import { combineHashes, hashOfRow, hashValue } from '../columns/value-hash.ts';
import type { RowTable } from '../tables/row-table.ts';
import type { Entities } from './entities.ts';
import { RowForm } from './row-form.ts';

const NOTHING: readonly number[] = [];
/** So few rows are entered at once. */
const FEW_ROWS = 64;
const ONLY_COMPARING = 4;
/**
 * The part of the compared rows that a later look-up enters: some times the work that comparing them was, so that all
 * are entered after some hundred look-ups.
 */
const ENTERED_PART = 1 / 32;
const LEAST_ENTERED = 1_024;
const HASHED_TOGETHER = 1024;
const hashes = new Uint32Array(HASHED_TOGETHER);
const entered = new Uint32Array(HASHED_TOGETHER);
const text = new Utf8Scratch();

/** The hashed form of an index. */
export class HashedForm extends RowForm {
  readonly #entries = new HashMultimap();
  /** Look-ups that compared rows. */
  #comparisons = 0;
  /** The hash table is that of another thread, which keeps it up. */
  #isFollowing = false;

  get entryCount(): number {
    return this.#entries.size;
  }

  get byteLength(): number {
    return this.#entries.byteLength;
  }

  share(): SharedMultimap {
    return this.#entries.share();
  }

  follow(shared: SharedMultimap): void {
    this.#isFollowing = true;
    this.#entries.follow(shared);
  }

  /** To be called before `find`. */
  override catchUp(tables: readonly RowTable[]): void {
    if (this.#isFollowing) for (const table of tables) this.assertLoaded(table);
    else super.catchUp(tables);
  }

  /**
   * To be called before a look-up by one value: has every row in the hash table where there are few to enter, or the
   * others cannot be compared with the value; else enters a part of them. Returns whether no row is left. Otherwise
   * `search` is the way to look up. INTERNAL: rows are not in memory.
   */
  catchUpFor(value: Value, tables: readonly RowTable[]): boolean {
    if (this.#isFollowing) {
      this.catchUp(tables);
      return true;
    }
    const rows = this.#unreadRows(tables);
    if (rows > FEW_ROWS && this.#canSearch(value, tables)) {
      if (++this.#comparisons <= ONLY_COMPARING) return false;
      return this.fill(Math.max(LEAST_ENTERED, Math.ceil(rows * ENTERED_PART)), tables);
    }
    this.catchUp(tables);
    return true;
  }

  #unreadRows(tables: readonly RowTable[]): number {
    let rows = 0;
    for (const table of tables) if (this.isUnread(table)) rows += table.rowCount - this.rows.of(table);
    return rows;
  }

  #canSearch(value: Value, tables: readonly RowTable[]): boolean {
    const { keys } = this.subject;
    if (keys.length !== 1) return false;
    return tables.every((table) => {
      const column = table.columns[keys[0] as number];
      return column === undefined || !this.isUnread(table) || canSearch(column, value);
    });
  }

  /** Makes room at once for a unique index, in which each value is another one: its table does not grow on the way. */
  protected override expect(rows: number): void {
    if (this.subject.unique && rows >= HASHED_TOGETHER) this.#entries.reserve(rows, rows);
  }

  protected override enter(table: RowTable, from: number, to: number): void {
    if (!this.subject.unique && to - from >= HASHED_TOGETHER) this.#entries.reserve(to - from, 0);
    const columns = this.subject.keys.map((key) => table.columns[key]);
    if (!columns.every((column) => column !== undefined)) return;
    for (let first = from; first < to; first += HASHED_TOGETHER) {
      let count = 0;
      for (let row = first; row < Math.min(to, first + HASHED_TOGETHER); row++) {
        const hash = hashOfColumns(columns, row);
        if (hash < 0) continue;
        hashes[count] = hash;
        entered[count++] = table.entityOf(row);
      }
      this.#entries.addAll(hashes, entered, count);
    }
  }

  /**
   * Entities with equal values all but one, and others, but few: those of which another has, or had, a value with the
   * same hash. Rows have been caught up with.
   */
  repeated(): Iterable<number> {
    return this.#entries.valuesBeforeOthers();
  }

  /** Entities whose properties equal the values, ascending. Rows have been caught up with. */
  find(values: readonly Value[], entities: Entities): readonly number[] {
    if (values.length === 1) return this.findValue(values[0] as Value, entities);
    let hash = 0;
    for (const value of values) {
      if (value === null) return NOTHING;
      hash = combineHashes(hash, hashValue(value));
    }
    let entry = this.#entries.first(hash);
    if (entry < 0) return NOTHING;
    const found: number[] = [];
    for (; entry >= 0; entry = this.#entries.next(entry)) {
      const entity = this.#entries.value(entry);
      if (this.#hasValues(entity, values, entities)) found.push(entity);
    }
    return ascendingOnce(found);
  }

  /** `findValue` whether rows have been caught up with or not: see `catchUpFor`. */
  search(value: Value, entities: Entities): readonly number[] {
    const found = [...this.findValue(value, entities)];
    for (const table of entities.tables) {
      const column = table.columns[this.subject.keys[0] as number];
      if (column === undefined || !this.isUnread(table)) continue;
      const rows: number[] = [];
      searchRows(column, value, { from: this.rows.of(table), to: table.rowCount }, (row) => rows.push(row));
      for (const row of rows) {
        const entity = table.entityOf(row);
        if (this.#hasValues(entity, [value], entities)) found.push(entity);
      }
    }
    return ascendingOnce(found);
  }

  /** `find` for an index on one key. */
  findValue(value: Value, entities: Entities): readonly number[] {
    if (value === null) return NOTHING;
    let hash: number;
    if (typeof value === 'string') {
      text.encode(value);
      hash = text.hash();
    } else hash = hashValue(value);
    let entry = this.#entries.first(combineHashes(0, hash));
    if (entry < 0) return NOTHING;
    const found: number[] = [];
    for (; entry >= 0; entry = this.#entries.next(entry)) {
      const entity = this.#entries.value(entry);
      if (this.#hasValue(entity, value, entities)) found.push(entity);
    }
    return ascendingOnce(found);
  }

  /** Where the value is a String, `text` holds its bytes. */
  #hasValue(entity: number, value: Value, entities: Entities): boolean {
    const table = entities.locate(entity);
    if (table === undefined) return false;
    const key = this.subject.keys[0] as number;
    const column = table.columns[key];
    const row = entities.row;
    if (column === undefined || !column.has(row)) return equals(table.get(row, key), value) === true;
    if (typeof value === 'number' && (column.kind === 'int32' || column.kind === 'integer')) return column.values[row] === value;
    if (typeof value === 'string' && column.kind === 'string') {
      return text.equals(column.heap as Uint8Array, column.values[row] as number, column.values[row + 1] as number);
    }
    return equals(column.get(row), value) === true;
  }

  #hasValues(entity: number, values: readonly Value[], entities: Entities): boolean {
    const table = entities.locate(entity);
    if (table === undefined) return false;
    const row = entities.row;
    for (let i = 0; i < values.length; i++) {
      if (equals(table.get(row, this.subject.keys[i] as number), values[i] as Value) !== true) return false;
    }
    return true;
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
