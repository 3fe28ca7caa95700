/** Sorts the rows of a block by the table that they go to: one for all, or by the text of a column (`:LABEL`, `:TYPE`). */
import type { FieldBlock, Selection } from '../formats/index.ts';
import { ByteDictionary } from './columns/byte-dictionary.ts';

/** Rows of a block that go to one table. */
export interface RowGroup<T> {
  readonly table: T;
  readonly rows: Selection;
}

/** Remembers the table of each text, so that each text is parsed once. */
export class TableByText<T> {
  readonly #texts = new ByteDictionary();
  readonly #tables: T[] = [];
  readonly #find: (text: string) => T;

  constructor(find: (text: string) => T) {
    this.#find = find;
  }

  table({ bytes, columns, starts, ends }: FieldBlock, row: number, column: number): T {
    const at = row * columns + column;
    const code = this.#texts.intern(bytes, starts[at]!, Math.max(starts[at]!, ends[at]!));
    if (code < this.#tables.length) return this.#tables[code] as T; // T may be null.
    const table = this.#find(bytes.toString('utf8', starts[at], Math.max(starts[at]!, ends[at]!)));
    this.#tables.push(table);
    return table;
  }
}

/** Groups rows by table; within a group they keep their order. */
export function groupRows<T>(rows: Selection, tableOf: (row: number) => T): RowGroup<T>[] {
  const indexes = new Map<T, number>();
  const counts: number[] = [];
  const indexByRow = new Int32Array(rows.length);
  for (let i = 0; i < rows.length; i++) {
    const table = tableOf(rows[i]!);
    let index = indexes.get(table);
    if (index === undefined) {
      index = counts.push(0) - 1;
      indexes.set(table, index);
    }
    counts[index]!++;
    indexByRow[i] = index;
  }
  const groups = Array.from(indexes.keys(), (table, index) => ({ table, rows: new Int32Array(counts[index]!) }));
  counts.fill(0);
  for (let i = 0; i < rows.length; i++) {
    const index = indexByRow[i]!;
    groups[index]!.rows[counts[index]!++] = rows[i]!;
  }
  return groups;
}
