/**
 * One form of an index on properties: entries of rows, ordered or hashed for one kind of question. It is filled when it
 * is asked, and holds at least one entry for each version of a row that it has read.
 */
import type { RowTable } from '../tables/row-table.ts';
import type { IndexSubject } from '../view/index-view.ts';
import { notLoaded } from '../view/residency.ts';
import { RowsRead } from './rows-read.ts';

/** A form of an index on properties. */
export abstract class RowForm {
  protected readonly subject: IndexSubject;
  protected readonly rows = new RowsRead();

  constructor(subject: IndexSubject) {
    this.subject = subject;
  }

  /** Makes the entries of rows that are in memory. */
  protected abstract enter(table: RowTable, from: number, to: number): void;

  /** Called before so many rows are entered, be it in several pieces. */
  protected expect(_rows: number): void {}

  /** Reads every row of the tables. INTERNAL: one is not in memory. */
  catchUp(tables: readonly RowTable[]): void {
    for (const table of tables) {
      if (this.rows.isLast(table)) continue;
      if (this.isUnread(table)) {
        this.expect(table.rowCount - this.rows.of(table));
        this.enter(table, this.rows.of(table), table.rowCount);
      }
      this.rows.set(table, table.rowCount);
    }
  }

  /** Reads so many rows more at most, of tables that are in memory. Returns whether none of these is left. */
  fill(rows: number, tables: readonly RowTable[]): boolean {
    const { labelsOrTypes, keys } = this.subject;
    let left = rows;
    for (const table of tables) {
      if (this.rows.isLast(table)) continue;
      const from = this.rows.of(table);
      let end = table.rowCount;
      if (from < end && table.isOf(labelsOrTypes)) {
        if (!table.hasLoaded(keys)) continue;
        this.expect(end - from);
        end = Math.min(end, from + left);
        this.enter(table, from, end);
        left -= end - from;
      }
      this.rows.set(table, end);
      if (end < table.rowCount) return false;
    }
    return true;
  }

  /** Does the table have rows that are to be entered? INTERNAL: it has, and they are not in memory. */
  protected isUnread(table: RowTable): boolean {
    if (this.rows.isLast(table) || !table.isOf(this.subject.labelsOrTypes) || this.rows.of(table) >= table.rowCount) return false;
    this.assertLoaded(table);
    return true;
  }

  /** INTERNAL: the rows of a table that the index is over are not in memory. */
  protected assertLoaded(table: RowTable): void {
    const { name, labelsOrTypes, keys } = this.subject;
    if (table.rowCount > 0 && table.isOf(labelsOrTypes) && !table.hasLoaded(keys)) throw notLoaded(`index ${name}`);
  }

  rowChanged(table: RowTable, row: number): void {
    if (row < this.rows.of(table)) this.enter(table, row, row + 1);
  }

  truncate(table: RowTable, rowCount: number): void {
    this.rows.truncate(table, rowCount);
  }

  /** Entities are known by the same numbers in the other table. */
  tableReplaced(table: RowTable, replacement: RowTable): void {
    if (this.rows.of(table) === table.rowCount) this.rows.set(replacement, replacement.rowCount);
  }
}
