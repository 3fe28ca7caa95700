/** The ids of a space that names existing nodes beside new ones. */
import type { FieldBlock, Selection } from '../../formats/index.ts';
import type { BadRows } from '../csv/bad-rows.ts';
import type { IdIndex, IdResolver, SharedIds } from './id-index.ts';
import { NO_NODE } from './no-node.ts';

/** An index of ids of existing and new nodes. */
export class MergedIds implements IdIndex {
  readonly #known: IdResolver;
  readonly #added: IdIndex;

  constructor(known: IdResolver, added: IdIndex) {
    this.#known = known;
    this.#added = added;
  }

  get areIntegers(): boolean {
    return this.#added.areIntegers;
  }

  get size(): number {
    return this.#added.size;
  }

  insert(block: FieldBlock, column: number, rows: Selection, firstNode: number, bad: BadRows): number {
    return this.#added.insert(block, column, rows, firstNode, bad);
  }

  resolve(block: FieldBlock, column: number, rows: Selection, nodes: Uint32Array, bad: BadRows): void {
    this.#known.resolve(block, column, rows, nodes, bad);
    if (this.#added.size === 0) return;
    const places: number[] = [];
    for (let i = 0; i < rows.length; i++) if (nodes[i] === NO_NODE) places.push(i);
    const missing = Int32Array.from(places, (i) => rows[i]!);
    const found = new Uint32Array(missing.length);
    this.#added.resolve(block, column, missing, found, bad);
    for (let i = 0; i < found.length; i++) nodes[places[i]!] = found[i]!;
  }

  shared(): SharedIds | null {
    const [known, added] = [this.#known.shared(), this.#added.shared()];
    return known === null || added === null ? null : { kind: 'merged', known, added };
  }

  renumber(ordinals: Uint32Array): void {
    this.#added.renumber(ordinals);
  }
}
