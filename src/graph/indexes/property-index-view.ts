/** An index on properties as one reader sees it. */
import type { RangeHits } from '../../storage/index.ts';
import { type AreaCover, equals, order, type Value } from '../../value/index.ts';
import { ascendingOnce } from '../arrays/ascending.ts';
import type { LaterRows } from '../paged/later-rows.ts';
import { isReadingByPage } from '../paged/page-faults.ts';
import type { PagedIndex } from '../paged/paged-index.ts';
import type { RowTable } from '../tables/row-table.ts';
import type {
  AreaLookup,
  EqualityLookup,
  IndexAnswers,
  IndexState,
  IndexSubject,
  IndexView,
  PrefixLookup,
  RangeLookup,
} from '../view/index-view.ts';
import { notLoaded } from '../view/residency.ts';
import { type Entities, SomeTables } from './entities.ts';
import type { PropertyForms } from './property-forms.ts';

const NO_TABLES: readonly RowTable[] = [];

/** The entries of an index that its readers share. */
export interface IndexedForms {
  readonly subject: IndexSubject;
  readonly state: IndexState;
  /** The entries of entities that are numbered by home rows of the table; null: by ordinals. */
  formsOf(homeTable: RowTable | null): PropertyForms;
}

/** An index on properties, as one reader sees it. */
export class PropertyIndexView implements IndexView, EqualityLookup, RangeLookup, PrefixLookup, AreaLookup {
  readonly subject: IndexSubject;
  readonly #index: IndexedForms;
  readonly #entities: Entities;
  #answers: IndexAnswers | null = null;
  /** The rows of the reader as of this revision are in the hash table. */
  #hashedRevision = -1;

  constructor(index: IndexedForms, entities: Entities) {
    this.subject = index.subject;
    this.#index = index;
    this.#entities = entities;
  }

  get state(): IndexState {
    return this.#index.state;
  }

  /**
   * Only equality of all keys says what the predicate says: a range orders values of all types, where a comparison
   * knows its own only. Entries of an automatic index are kept in no order.
   */
  get answers(): IndexAnswers {
    if (this.#answers === null) {
      const equality = { isExact: true, lookup: this };
      const { keys, automatic } = this.subject;
      const candidates = { isExact: false, lookup: this };
      this.#answers = keys.length > 1 || automatic ? { equality } : { equality, range: candidates, prefix: candidates, area: candidates };
    }
    return this.#answers;
  }

  #begin(): PropertyForms {
    this.#entities.take();
    return this.#index.formsOf(this.#entities.homeTable);
  }

  /** Tables that are asked by page. None: all rows are in memory. */
  #pagedTables(): readonly RowTable[] {
    if (!isReadingByPage()) return NO_TABLES;
    const { labelsOrTypes, keys } = this.subject;
    return this.#entities.tables.filter((table) => table.rowCount > 0 && table.isOf(labelsOrTypes) && !table.hasLoaded(keys));
  }

  find(values: readonly Value[]): readonly number[] {
    if (values.length === 1) return this.findValue(values[0] as Value);
    const { hashed } = this.#begin();
    const { rowsRevision, tables } = this.#entities;
    if (rowsRevision < 0 || rowsRevision !== this.#hashedRevision) {
      const paged = this.#pagedTables();
      if (paged.length > 0) return this.#findByPage(values, paged);
    }
    if (rowsRevision < 0 || rowsRevision !== this.#hashedRevision) {
      hashed.catchUp(tables);
      this.#hashedRevision = rowsRevision;
    }
    return hashed.find(values, this.#entities);
  }

  findValue(value: Value): readonly number[] {
    const { hashed } = this.#begin();
    const { rowsRevision } = this.#entities;
    if (rowsRevision < 0 || rowsRevision !== this.#hashedRevision) {
      const paged = this.#pagedTables();
      if (paged.length > 0) return this.#findByPage([value], paged);
      if (!hashed.catchUpFor(value, this.#entities.tables)) return hashed.search(value, this.#entities);
      this.#hashedRevision = rowsRevision;
    }
    return hashed.findValue(value, this.#entities);
  }

  /** Entities in tables that are asked by page, and in those that are in memory. INTERNAL: one of the tables is neither. */
  #findByPage(values: readonly Value[], paged: readonly RowTable[]): readonly number[] {
    if (values.includes(null)) return [];
    const { keys } = this.subject;
    const found = paged.flatMap((table) => {
      const index = this.#pagedIndex(table);
      const { rows, isExact } = index.equal(values);
      const hasValues = (row: number): boolean => keys.every((key, i) => equals(table.get(row, key), values[i]!) === true);
      return this.#seen(table, [...(isExact ? rows : rows.filter(hasValues)), ...index.later.equal(values)]);
    });
    const others = new SomeTables(this.#entities, paged);
    const { hashed } = this.#index.formsOf(this.#entities.homeTable);
    hashed.catchUp(others.tables);
    for (const entity of hashed.find(values, others)) found.push(entity);
    return ascendingOnce(found);
  }

  /** The entities of those rows of a table that the reader sees, in their order. */
  #seen(table: RowTable, rows: readonly number[]): number[] {
    const entities: number[] = [];
    for (const row of rows) {
      const entity = table.entityOf(row);
      if (this.#entities.locate(entity) === table && this.#entities.row === row) entities.push(entity);
    }
    return entities;
  }

  /** INTERNAL: the rows of the table were not loaded, and it cannot be asked by page. */
  #pagedIndex(table: RowTable): PagedIndex {
    const index = table.paged?.index(this.subject.keys);
    if (index === undefined) throw notLoaded(`index ${this.subject.name}`);
    return index;
  }

  /**
   * Finds rows in order of values in the one table that has rows, where it is asked by page; null: all rows are in
   * memory. INTERNAL: it is not the only one, or cannot put them in order.
   */
  #inOrderByPage(ask: (index: PagedIndex) => RangeHits, askLater: (later: LaterRows) => readonly number[]): Uint32Array | null {
    const paged = this.#pagedTables();
    if (paged.length === 0) return null;
    const { labelsOrTypes, name } = this.subject;
    const [table, second] = this.#entities.tables.filter((each) => each.rowCount > 0 && each.isOf(labelsOrTypes));
    const index = this.#pagedIndex(paged[0]!);
    const { rows, isExact } = ask(index);
    if (second !== undefined || !isExact) throw notLoaded(`index ${name}`);
    const later = askLater(index.later);
    return Uint32Array.from(this.#seen(table!, later.length === 0 ? [...rows] : this.#inOrder(table!, [...rows, ...later])));
  }

  #inOrder(table: RowTable, rows: readonly number[]): readonly number[] {
    const key = this.subject.keys[0]!;
    const valued = rows.map((row) => ({ row, value: table.get(row, key) }));
    return valued.sort((a, b) => order(a.value, b.value) || a.row - b.row).map(({ row }) => row);
  }

  repeated(): Iterable<number> {
    const { hashed } = this.#begin();
    hashed.catchUp(this.#entities.tables);
    return hashed.repeated();
  }

  range(low: Value, lowInclusive: boolean, high: Value, highInclusive: boolean): Uint32Array {
    const { sorted } = this.#begin();
    const bounds = { low, lowInclusive, high, highInclusive };
    return (
      this.#inOrderByPage(
        (index) => index.between(bounds),
        (later) => later.between(bounds),
      ) ?? sorted.range(bounds, this.#entities)
    );
  }

  startingWith(prefix: string): Uint32Array {
    const { sorted } = this.#begin();
    return (
      this.#inOrderByPage(
        (index) => index.prefix(prefix),
        (later) => later.startingWith(prefix),
      ) ?? sorted.startingWith(prefix, this.#entities)
    );
  }

  area(cover: AreaCover): readonly number[] {
    return this.#begin().points.area(cover, this.#entities);
  }
}
