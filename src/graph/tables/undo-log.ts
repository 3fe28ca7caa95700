/**
 * The state that a transaction must restore when it is rolled back: the length of each table and dictionary that it
 * touched, and the forms of the columns that it widened.
 */
import type { Column } from '../columns/column.ts';
import type { Dictionary } from '../columns/dictionary.ts';

/** A table that the undo log can rewind. */
export interface Rewindable {
  /** The sequence of the last transaction that touched the table. */
  touchedBy: number;
  /** Undoes everything since `mark`. */
  rewind(mark: unknown): void;
}

/** The log of a transaction's changes in memory, to undo them. */
export class UndoLog {
  readonly touched: Rewindable[] = [];
  /**
   * Called before a column is added to a table, with the bytes of the arrays of the column, which have room for each row
   * of the table. When it throws, the column is not added.
   */
  chargeColumn: (bytes: number) => void = () => undefined;
  readonly #marks: unknown[] = [];
  readonly #steps: (() => void)[] = [];
  /** How many strings each dictionary held before the transaction added its first one. */
  readonly #dictionarySizes = new Map<Dictionary, number>();

  touch(table: Rewindable, mark: unknown): void {
    this.touched.push(table);
    this.#marks.push(mark);
  }

  /** Adds an undo step. Steps run in reverse order, before the tables are rewound. */
  add(step: () => void): void {
    this.#steps.push(step);
  }

  /** Remembers the form of a column that is about to be widened. */
  saveForm(column: Column): void {
    const form = column.form();
    this.add(() => column.restore(form));
  }

  /** Notes that a dictionary, which held `size` strings, has got more. */
  grew(dictionary: Dictionary, size: number): void {
    if (!this.#dictionarySizes.has(dictionary)) this.#dictionarySizes.set(dictionary, size);
  }

  run(): void {
    for (let i = this.#steps.length - 1; i >= 0; i--) (this.#steps[i] as () => void)();
    for (let i = this.touched.length - 1; i >= 0; i--) {
      const table = this.touched[i] as Rewindable;
      table.rewind(this.#marks[i]);
      table.touchedBy = -1;
    }
    for (const [dictionary, size] of this.#dictionarySizes) dictionary.truncate(size);
  }
}
