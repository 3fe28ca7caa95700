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
  IndexQuestion,
  IndexState,
  IndexSubject,
  IndexView,
  PrefixLookup,
  RangeLookup,
} from '../view/index-view.ts';
import { notLoaded } from '../view/residency.ts';
import { type Entities, SomeTables } from './entities.ts';
import type { PropertyForms } from './property-forms.ts';
import type { SortedForm } from './sorted-form.ts';

const NO_TABLES: readonly RowTable[] = [];

/** The part of an index that all its readers share. */
export interface IndexedForms {
  readonly subject: IndexSubject;
  readonly state: IndexState;
  /** Returns the forms for entities that are numbered by the home rows of a table; null: for those numbered by ordinals. */
  formsOf(homeTable: RowTable | null): PropertyForms;
}

/** A question whose answer is in the order of values, as it is asked of the parts of an index. */
interface OrderedQuestion {
  readonly ask: (index: PagedIndex) => RangeHits;
  readonly askLater: (later: LaterRows) => readonly number[];
  readonly askOthers: (form: SortedForm, others: Entities) => Uint32Array;
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
    return isReadingByPage() ? this.#unloadedTables() : NO_TABLES;
  }

  #unloadedTables(): readonly RowTable[] {
    return this.#indexedTables().filter((table) => !table.hasLoaded(this.subject.keys));
  }

  #indexedTables(): readonly RowTable[] {
    return this.#entities.tables.filter((table) => table.rowCount > 0 && table.isOf(this.subject.labelsOrTypes));
  }

  isAskedByPage(question: IndexQuestion): boolean {
    this.#entities.take();
    const unloaded = this.#unloadedTables();
    if (unloaded.length === 0) return true;
    return question !== 'area' && unloaded.every((table) => table.paged?.index(this.subject.keys) !== undefined);
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
  #seen(table: RowTable, rows: ArrayLike<number> & Iterable<number>): number[] {
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

  /** Finds entities in the order of values, by page in tables that are read so; null when all rows are in memory. */
  #inOrderByPage({ ask, askLater, askOthers }: OrderedQuestion): Uint32Array | null {
    const paged = this.#pagedTables();
    if (paged.length === 0) return null;
    const answers = paged.map((table) => {
      const index = this.#pagedIndex(table);
      const { rows, isExact } = ask(index);
      const later = askLater(index.later);
      return { table, rows: later.length === 0 ? rows : [...rows, ...later], isInOrder: isExact && later.length === 0 };
    });
    const [first] = answers;
    if (first!.isInOrder && this.#indexedTables().length === 1) return Uint32Array.from(this.#seen(first!.table, first!.rows));
    const others = new SomeTables(this.#entities, paged);
    const entities = askOthers(this.#index.formsOf(this.#entities.homeTable).sorted, others);
    return this.#inOrder([...answers.flatMap(({ table, rows }) => this.#seen(table, rows)), ...entities]);
  }

  #inOrder(entities: readonly number[]): Uint32Array {
    const key = this.subject.keys[0]!;
    const valued = entities.map((entity) => ({ entity, value: this.#entities.locate(entity)!.get(this.#entities.row, key) }));
    return Uint32Array.from(
      valued.sort((a, b) => order(a.value, b.value) || a.entity - b.entity),
      ({ entity }) => entity,
    );
  }

  repeated(): Iterable<number> {
    const { hashed } = this.#begin();
    hashed.catchUp(this.#entities.tables);
    return hashed.repeated();
  }

  range(low: Value, lowInclusive: boolean, high: Value, highInclusive: boolean): Uint32Array {
    const { sorted } = this.#begin();
    const bounds = { low, lowInclusive, high, highInclusive };
    const byPage = this.#inOrderByPage({
      ask: (index) => index.between(bounds),
      askLater: (later) => later.between(bounds),
      askOthers: (form, others) => form.range(bounds, others),
    });
    return byPage ?? sorted.range(bounds, this.#entities);
  }

  startingWith(prefix: string): Uint32Array {
    const { sorted } = this.#begin();
    const byPage = this.#inOrderByPage({
      ask: (index) => index.prefix(prefix),
      askLater: (later) => later.startingWith(prefix),
      askOthers: (form, others) => form.startingWith(prefix, others),
    });
    return byPage ?? sorted.startingWith(prefix, this.#entities);
  }

  area(cover: AreaCover): readonly number[] {
    return this.#begin().points.area(cover, this.#entities);
  }
}
