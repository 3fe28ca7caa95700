/**
 * An index in memory on properties of nodes or of relationships: it answers equality of all its keys, and for a single key
 * also ranges, prefixes and areas, each kind of question from a form of its own.
 *
 * Entries name nodes by ordinal, a numbering for all tables, and relationships by home row, a numbering per table. A
 * rewritten table of relationships has other home rows, so it is read again at the next question.
 */
import type { RowTable } from '../tables/row-table.ts';
import type { IndexState, IndexSubject, IndexView } from '../view/index-view.ts';
import type { GraphIndex, IndexedGraph, IndexStatistics, SharedIndexForm } from './graph-index.ts';
import { PropertyForms } from './property-forms.ts';
import { type IndexedForms, PropertyIndexView } from './property-index-view.ts';

/** The state from the beginning: rows that are not in the index are compared one by one, so that answers are complete. */
const ONLINE: IndexState = { state: 'ONLINE', populationPercent: 100 };

/** An index on properties. */
export class PropertyIndex implements GraphIndex, IndexedForms {
  readonly subject: IndexSubject;
  readonly state = ONLINE;
  /** The forms for nodes, which are numbered by ordinals. */
  readonly #forms: PropertyForms;
  /** The forms for relationships, which are numbered by home rows, per table. */
  readonly #formsByTable = new WeakMap<RowTable, PropertyForms>();

  constructor(subject: IndexSubject) {
    this.subject = subject;
    this.#forms = new PropertyForms(subject);
  }

  formsOf(homeTable: RowTable | null): PropertyForms {
    if (homeTable === null) return this.#forms;
    let forms = this.#formsByTable.get(homeTable);
    if (forms === undefined) {
      forms = new PropertyForms(this.subject);
      this.#formsByTable.set(homeTable, forms);
    }
    return forms;
  }

  seenBy(graph: IndexedGraph): IndexView {
    const { entity, labelsOrTypes } = this.subject;
    return new PropertyIndexView(
      this,
      entity === 'node' ? graph.nodesWith(labelsOrTypes) : graph.relationshipsOf(labelsOrTypes[0] as number),
    );
  }

  fill(rows: number, tables: readonly RowTable[]): boolean {
    if (this.subject.entity === 'node') return this.#forms.hashed.fill(rows, tables);
    return tables.every((table) => !table.isOf(this.subject.labelsOrTypes) || this.formsOf(table).hashed.fill(rows, [table]));
  }

  rowChanged(table: RowTable, row: number, key: number): void {
    if (this.subject.keys.includes(key) && table.isOf(this.subject.labelsOrTypes)) this.#knownFormsOf(table)?.rowChanged(table, row);
  }

  truncate(table: RowTable, rowCount: number): void {
    this.#knownFormsOf(table)?.truncate(table, rowCount);
  }

  tableReplaced(table: RowTable, replacement: RowTable): void {
    if (this.subject.entity === 'node') this.#forms.tableReplaced(table, replacement);
  }

  /** Returns the forms of a table; undefined when no question has been asked about the table. */
  #knownFormsOf(table: RowTable): PropertyForms | undefined {
    return this.subject.entity === 'node' ? this.#forms : this.#formsByTable.get(table);
  }

  statistics(tables: readonly RowTable[]): IndexStatistics {
    const forms = new Set(tables.map((table) => this.#knownFormsOf(table)));
    let [entries, bytes] = [0, 0];
    for (const each of forms) {
      entries += each?.hashed.entryCount ?? 0;
      bytes += each?.hashed.byteLength ?? 0;
    }
    return { entries, bytes };
  }

  /** Shares the hash table of nodes once it has entries, which means that it is in use; relationships are never shared. */
  share(tables: readonly RowTable[]): SharedIndexForm | null {
    const { hashed } = this.#forms;
    if (hashed.entryCount === 0) return null;
    hashed.fill(Number.POSITIVE_INFINITY, tables);
    return hashed.share();
  }

  follow(shared: SharedIndexForm): void {
    if (!('tables' in shared)) this.#forms.hashed.follow(shared);
  }
}
