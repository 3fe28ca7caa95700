/** Which table each row of a block goes to: one for all, or by the text of a column (`:LABEL`, `:TYPE`). */
import { ByteDictionary } from './columns/byte-dictionary.ts';
import type { FieldBlock, Selection } from './csv/field-block.ts';

export interface RowGroup<T> {
  readonly table: T;
  readonly rows: Selection;
}

/** Remembers the table of every text, so that the text itself is read once. */
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

/** The rows by table; within a table they keep their order. */
export function groupRows<T>(rows: Selection, tableOf: (row: number) => T): RowGroup<T>[] {
  const groups = new Map<T, number[]>();
  for (const row of rows) {
    const table = tableOf(row);
    const group = groups.get(table);
    if (group === undefined) groups.set(table, [row]);
    else group.push(row);
  }
  return Array.from(groups, ([table, selected]) => ({ table, rows: Int32Array.from(selected) }));
}
