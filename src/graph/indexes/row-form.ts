/**
 * One form of an index on properties: entries of rows, hashed or ordered for one kind of question. It is filled when it is
 * asked, and holds an entry for each row with values that it has read.
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

  /** Enters the rows from `from` to below `to`, which must be in memory. */
  protected abstract enter(table: RowTable, from: number, to: number): void;

  /** Called before this many rows are entered, in one or in several calls of `enter`. */
  protected expect(_rows: number): void {}

  /** Enters every row of the tables. @throws INTERNAL when a row is not in memory */
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

  /** Enters at most `rows` more rows of those tables that are in memory. Returns whether all rows of these are entered. */
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

  /** Tells whether the table has rows that must be entered. @throws INTERNAL when it has, and they are not in memory */
  protected isUnread(table: RowTable): boolean {
    if (this.rows.isLast(table) || !table.isOf(this.subject.labelsOrTypes) || this.rows.of(table) >= table.rowCount) return false;
    this.assertLoaded(table);
    return true;
  }

  /** @throws INTERNAL when the index is on the table, and rows of the table are not in memory */
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

  /** Notes that a table was rewritten; entities have the same numbers in the replacement. */
  tableReplaced(table: RowTable, replacement: RowTable): void {
    if (this.rows.of(table) === table.rowCount) this.rows.set(replacement, replacement.rowCount);
  }
}
