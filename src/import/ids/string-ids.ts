/** Ids as text: one look-up in a dictionary of bytes each. */

import { ByteDictionary } from '../columns/byte-dictionary.ts';
import { grown } from '../columns/growing.ts';
import type { BadRows } from '../csv/bad-rows.ts';
import { type FieldBlock, fieldText, type Selection } from '../csv/field-block.ts';
import { type IdIndex, NO_NODE } from './id-index.ts';

export class StringIds implements IdIndex {
  readonly #ids = new ByteDictionary();
  /** By code. */
  #nodes = new Uint32Array(0);

  get size(): number {
    return this.#ids.size;
  }

  insert(block: FieldBlock, column: number, rows: Selection, firstNode: number, bad: BadRows): number {
    const { bytes, columns, starts, ends } = block;
    const ids = this.#ids;
    this.#nodes = grown(this.#nodes, ids.size + rows.length);
    let node = firstNode;
    for (let i = 0; i < rows.length; i++) {
      const row = rows[i]!;
      const at = row * columns + column;
      const from = starts[at]!;
      const to = ends[at]!;
      if (from >= to) {
        bad.add(row, 'the row has no id');
        continue;
      }
      const expected = ids.size;
      if (ids.intern(bytes, from, to) < expected)
        bad.add(row, `the id ${JSON.stringify(fieldText(block, row, column))} is taken by another node`);
      else this.#nodes[expected] = node++;
    }
    return node - firstNode;
  }

  resolve({ bytes, columns, starts, ends }: FieldBlock, column: number, rows: Selection, nodes: Uint32Array): void {
    const ids = this.#ids;
    const known = this.#nodes;
    for (let i = 0; i < rows.length; i++) {
      const at = rows[i]! * columns + column;
      const code = ids.find(bytes, starts[at]!, Math.max(starts[at]!, ends[at]!));
      nodes[i] = code < 0 ? NO_NODE : known[code]!;
    }
  }

  renumber(ordinals: Uint32Array): void {
    const nodes = this.#nodes;
    for (let code = 0; code < this.#ids.size; code++) nodes[code] = ordinals[nodes[code]!]!;
  }
}
