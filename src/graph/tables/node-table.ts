/** The nodes of one set of labels. A row ends when its node is deleted, gets a newer version, or gets other labels. */

import { assert } from '../../base/index.ts';
import type { Value } from '../../value/index.ts';
import { Column } from '../columns/column.ts';
import { notLoaded } from '../view/residency.ts';
import { RowTable, type RowTableMark, type TableContext } from './row-table.ts';
import type { UndoLog } from './undo-log.ts';

/** The table index that stands for no table: of an ordinal without a node. */
export const NO_TABLE = 0xffff;

const NO_KEY_DICTIONARY = -1;

/** The nodes of one set of labels. */
export class NodeTable extends RowTable {
  readonly index: number;
  /** Label symbol ids, ascending. */
  readonly labels: readonly number[];
  /** The internal identifiers set by users; null while there are none in memory. */
  idColumn: Column | null = null;

  constructor(index: number, labels: readonly number[], context: TableContext) {
    super(context);
    this.index = index;
    this.labels = labels;
  }

  override isOf(labels: readonly number[]): boolean {
    for (const label of labels) if (this.labels.includes(label)) return true;
    return false;
  }

  /** The ordinal of the node. */
  override entityOf(row: number): number {
    return this.ordinalOf(row);
  }

  override rewind(mark: RowTableMark): void {
    super.rewind(mark);
    this.idColumn?.truncate(mark.rowCount);
  }

  /** Tells whether a row, which must be below the row count of the reader, is visible at `sequence`. */
  isVisible(row: number, sequence: number): boolean {
    return !this.chains.has(row) || this.chains.find(row, sequence) === -1;
  }

  end(row: number, sequence: number): void {
    this.chains.put(row, sequence, 0, 0);
  }

  /** Appends a copy of a row as the next version of its node. @returns the new row */
  copyRow(from: number): number {
    assert(this.hasWholeRow(from), 'a node is changed in a table that is not loaded');
    const to = this.appendRow(this.ordinalOf(from));
    this.copyColumns(from, to);
    if (this.idColumn?.has(from) === true) this.idColumn.copyRow(this.idColumn, from, to);
    return to;
  }

  /** Copies the properties and the identifier of a row of another table to row `to`, the last one. */
  copyFrom(source: NodeTable, from: number, to: number, undo: UndoLog): void {
    assert(source.hasWholeRow(from), 'a node is moved from a table that is not loaded');
    for (const key of source.columnKeys) {
      const value = source.get(from, key);
      if (value !== null) this.write(to, key, value, undo);
    }
    const id = source.idAt(from);
    if (id !== null) this.writeId(to, id);
  }

  /**
   * Returns the identifier that the user set; null when there is none, or when its page is missing, which is then noted.
   * @throws INTERNAL when identifiers are not in memory and cannot be read by page
   */
  idAt(row: number): string | null {
    const { stored } = this;
    if (stored !== null && !stored.idsLoaded && row < stored.rowCount) {
      const ids = this.paged?.ids;
      if (ids == null) throw notLoaded('an identifier');
      return ids.get(row) as string | null; // as: it is a column of strings.
    }
    return (this.idColumn?.get(row) ?? null) as string | null;
  }

  writeId(row: number, id: Value): void {
    this.idColumn ??= new Column('string', this.context.dictionaryOf(NO_KEY_DICTIONARY));
    this.idColumn.set(row, id);
  }
}
