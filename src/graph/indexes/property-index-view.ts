/** Answers questions to an index on properties for one reader, from memory or by page. */
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

/** The part of an index that all its readers share. */
export interface IndexedForms {
  readonly subject: IndexSubject;
  readonly state: IndexState;
  /** Returns the forms for entities that are numbered by the home rows of a table; null: for those numbered by ordinals. */
  formsOf(homeTable: RowTable | null): PropertyForms;
}

/** An index on properties, as one reader sees it. */
export class PropertyIndexView implements IndexView, EqualityLookup, RangeLookup, PrefixLookup, AreaLookup {
  readonly subject: IndexSubject;
  readonly #index: IndexedForms;
  readonly #entities: Entities;
  #answers: IndexAnswers | null = null;
  /** All rows that the reader sees at this revision are in the hash table. */
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
   * The questions that the index answers. Only equality is exact: a range orders values of all types, whereas a comparison
   * is true only for values of its own type. An automatic index, or one on several keys, answers only equality.
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

  /** Returns the tables to be read by page; none when all rows are in memory, or the statement cannot read by page. */
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

  /** Finds entities in tables read by page and in those in memory. @throws INTERNAL when a table can be read in neither way */
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

  /** Returns the entities of the rows that the reader sees, in the order of `rows`. */
  #seen(table: RowTable, rows: readonly number[]): number[] {
    const entities: number[] = [];
    for (const row of rows) {
      const entity = table.entityOf(row);
      if (this.#entities.locate(entity) === table && this.#entities.row === row) entities.push(entity);
    }
    return entities;
  }

  /** Returns the paged index of a table. @throws INTERNAL when none is open: the table should have been loaded */
  #pagedIndex(table: RowTable): PagedIndex {
    const index = table.paged?.index(this.subject.keys);
    if (index === undefined) throw notLoaded(`index ${this.subject.name}`);
    return index;
  }

  /**
   * Finds entities in the order of values by page, in the only table with rows; null when all rows are in memory.
   * @throws INTERNAL when several tables have rows, or the paged index does not know the exact order
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
