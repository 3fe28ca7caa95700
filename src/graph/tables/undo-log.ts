/** What a transaction must put back when it is rolled back: how far each table it touched had got, and forms of columns it widened. */
import type { Column } from '../columns/column.ts';

/** A table as the log sees it. */
export interface Rewindable {
  /** The sequence of the last transaction that touched the table. */
  touchedBy: number;
  /** Undoes everything since `mark`. */
  rewind(mark: unknown): void;
}

export class UndoLog {
  readonly touched: Rewindable[] = [];
  /** Called before a column is added to a table, with the bytes of its arrays, which have room for each row of the table; what it throws ends the change. */
  chargeColumn: (bytes: number) => void = () => undefined;
  readonly #marks: unknown[] = [];
  readonly #steps: (() => void)[] = [];

  touch(table: Rewindable, mark: unknown): void {
    this.touched.push(table);
    this.#marks.push(mark);
  }

  /** A step to be undone, in reverse order, before the tables are rewound. */
  add(step: () => void): void {
    this.#steps.push(step);
  }

  /** Remembers the form of a column that is about to be widened. */
  saveForm(column: Column): void {
    const form = column.form();
    this.add(() => column.restore(form));
  }

  run(): void {
    for (let i = this.#steps.length - 1; i >= 0; i--) (this.#steps[i] as () => void)();
    for (let i = this.touched.length - 1; i >= 0; i--) {
      const table = this.touched[i] as Rewindable;
      table.rewind(this.#marks[i]);
      table.touchedBy = -1;
    }
  }
}
