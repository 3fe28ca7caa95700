/**
 * The form of an index that answers equality: a hash table from values to entities.
 *
 * Entering a row takes a hundred times as long as comparing its value. So while many rows are not in the hash table (all of
 * them after opening), a look-up compares these; the first look-ups do nothing else, later ones also enter a part of the
 * rows. A process that asks once does not wait for an index, and no later look-up waits for more than some milliseconds.
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
/** Up to this many rows are entered at once, without comparing. */
const FEW_ROWS = 64;
/** How many first look-ups only compare rows and enter none. */
const ONLY_COMPARING = 4;
/**
 * The share of the missing rows that a later look-up enters: several times the work of comparing all of them, so that all
 * rows are entered after some hundred look-ups.
 */
const ENTERED_PART = 1 / 32;
/** A later look-up enters at least this many rows. */
const LEAST_ENTERED = 1_024;
const HASHED_TOGETHER = 1024;
const hashes = new Uint32Array(HASHED_TOGETHER);
const entered = new Uint32Array(HASHED_TOGETHER);
const text = new Utf8Scratch();

/** The hashed form of an index. */
export class HashedForm extends RowForm {
  readonly #entries = new HashMultimap();
  /** How many look-ups have compared rows. */
  #comparisons = 0;
  /** Whether the hash table belongs to another thread, which enters the rows. */
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

  /** Enters all rows of the tables; must be called before `find`. @throws INTERNAL when rows are not in memory */
  override catchUp(tables: readonly RowTable[]): void {
    if (this.#isFollowing) for (const table of tables) this.assertLoaded(table);
    else super.catchUp(tables);
  }

  /**
   * Must be called before a look-up by one value. Enters all missing rows when they are few or cannot be compared with the
   * value, else at most a part of them. Returns whether all rows are entered; when false, the look-up must use `search`.
   * @throws INTERNAL when rows are not in memory
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

  /** Makes room for all rows at once in a unique index, where each row has a new value, so that its table does not grow in between. */
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
   * Yields all entities but one of each group with equal values, and possibly a few more: each entity that shares, or has
   * shared, the hash of a value with another. All rows must be entered.
   */
  repeated(): Iterable<number> {
    return this.#entries.valuesBeforeOthers();
  }

  /** Returns the entities whose properties equal the values, ascending. All rows must be entered. */
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

  /** `findValue` that also compares the rows that are not entered: see `catchUpFor`. */
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

  /** Tells whether an entity has the value. When the value is a string, `text` must hold its bytes. */
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

/** Returns the combined hash of the values of a row; -1 when one is missing. */
function hashOfColumns(columns: readonly Column[], row: number): number {
  let hash = 0;
  for (const column of columns) {
    if (!column.has(row)) return -1;
    hash = combineHashes(hash, hashOfRow(column, row));
  }
  return hash;
}
