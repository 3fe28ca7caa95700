/**
 * An index over the properties of nodes or of relationships, in memory: it answers equality of all its keys, and of a
 * single key ranges, prefixes and areas, each from a form of its own.
 *
 * Entries name nodes by ordinals, which all tables share, and relationships by home rows, which every table has of its
 * own. A table of relationships that was written anew has other home rows: it is read again when it is first asked of.
 */
import type { RowTable } from '../tables/row-table.ts';
import type { IndexState, IndexSubject, IndexView } from '../view/index-view.ts';
import type { GraphIndex, IndexedGraph, IndexStatistics, SharedIndexForm } from './graph-index.ts';
import { PropertyForms } from './property-forms.ts';
import { type IndexedForms, PropertyIndexView } from './property-index-view.ts';

/** Rows that it has not read are compared one by one: it answers in full from the beginning. */
const ONLINE: IndexState = { state: 'ONLINE', populationPercent: 100 };

/** An index on properties. */
export class PropertyIndex implements GraphIndex, IndexedForms {
  readonly subject: IndexSubject;
  readonly state = ONLINE;
  /** Those of ordinals. */
  readonly #forms: PropertyForms;
  /** Those of home rows. */
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

  /** Undefined: nobody has asked for what is in the table. */
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

  /** Who has been asked once will be asked again. Home rows of relationships each thread finds for itself. */
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
