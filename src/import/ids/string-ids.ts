/** An index of ids that are text. */
import { type FieldBlock, fieldText, type Selection } from '../../formats/index.ts';
import type { BadRows } from '../csv/bad-rows.ts';
import type { IdIndex, SharedIds } from './id-index.ts';
import { NO_NODE } from './no-node.ts';
import { type SharedTextTable, TextTable } from './text-table.ts';

/** An index of String ids. */
export class StringIds implements IdIndex {
  readonly areIntegers = false;
  readonly #table: TextTable;

  /** @param shared the memory of an index that another thread has filled */
  constructor(shared?: SharedTextTable) {
    this.#table = new TextTable(shared);
  }

  get size(): number {
    return this.#table.size;
  }

  /** Adds an id. False: the id is taken. */
  add(id: Uint8Array, node: number): boolean {
    return this.#table.insert(id, 0, id.length, node);
  }

  insert(block: FieldBlock, column: number, rows: Selection, firstNode: number, bad: BadRows): number {
    const { bytes, columns, starts, ends } = block;
    const table = this.#table;
    let node = firstNode;
    for (let i = 0; i < rows.length; i++) {
      const row = rows[i]!;
      const at = row * columns + column;
      const from = starts[at]!;
      const to = ends[at]!;
      if (from >= to) bad.add(row, 'the row has no id');
      else if (table.insert(bytes, from, to, node)) node++;
      else bad.add(row, `the id ${JSON.stringify(fieldText(block, row, column))} is taken by another node`);
    }
    return node - firstNode;
  }

  resolve({ bytes, columns, starts, ends }: FieldBlock, column: number, rows: Selection, nodes: Uint32Array): void {
    const table = this.#table;
    for (let i = 0; i < rows.length; i++) {
      const at = rows[i]! * columns + column;
      const from = starts[at]!;
      const to = ends[at]!;
      nodes[i] = from < to ? table.find(bytes, from, to) : NO_NODE; // -1 is NO_NODE in 32 bits.
    }
  }

  shared(): SharedIds {
    return { kind: 'string', table: this.#table.shared };
  }

  renumber(ordinals: Uint32Array): void {
    this.#table.renumber(ordinals);
  }
}
