/** The forms of an index on properties: a hash table, and a sorted list and a tree of points, which are created on first use. */
import type { RowTable } from '../tables/row-table.ts';
import type { IndexSubject } from '../view/index-view.ts';
import { HashedForm } from './hashed-form.ts';
import { PointForm } from './point-form.ts';
import { SortedForm } from './sorted-form.ts';

/** The forms for entities that share one numbering: ordinals, or the home rows of one table. */
export class PropertyForms {
  readonly hashed: HashedForm;
  readonly #subject: IndexSubject;
  #sorted: SortedForm | null = null;
  #points: PointForm | null = null;

  constructor(subject: IndexSubject) {
    this.#subject = subject;
    this.hashed = new HashedForm(subject);
  }

  get sorted(): SortedForm {
    this.#sorted ??= new SortedForm(this.#subject);
    return this.#sorted;
  }

  get points(): PointForm {
    this.#points ??= new PointForm(this.#subject);
    return this.#points;
  }

  rowChanged(table: RowTable, row: number): void {
    this.hashed.rowChanged(table, row);
    this.#sorted?.rowChanged(table, row);
    this.#points?.rowChanged(table, row);
  }

  truncate(table: RowTable, rowCount: number): void {
    this.hashed.truncate(table, rowCount);
    this.#sorted?.truncate(table, rowCount);
    this.#points?.truncate(table, rowCount);
  }

  tableReplaced(table: RowTable, replacement: RowTable): void {
    this.hashed.tableReplaced(table, replacement);
    this.#sorted?.tableReplaced(table, replacement);
    this.#points?.tableReplaced(table, replacement);
  }
}
