/**
 * An index of ids that are 64-bit integers. While ids are not negative and not much larger than their number, nodes
 * stand in an array by id, so that a look-up is one access. The first id outside that range moves all to a hash table.
 */

import { type FieldBlock, fieldText, type Selection } from '../../formats/index.ts';
import { grown } from '../columns/growing.ts';
import type { BadRows } from '../csv/bad-rows.ts';
import { NumberVector } from '../csv/number-vector.ts';
import { parseIntegers } from '../csv/parse-integers.ts';
import type { IdIndex, SharedIds } from './id-index.ts';
import { highWord, IntegerTable } from './integer-table.ts';
import { NO_NODE } from './no-node.ts';

/** The array is kept while it is at least a quarter full: with 4 bytes per id it then takes no more than a hash table. */
const LARGEST_SPREAD = 4;
const ALWAYS_DIRECT = 2 ** 20;

/** An index of Integer ids. */
export class IntegerIds implements IdIndex {
  readonly areIntegers = true;
  size: number;
  /** For each id 1 plus its node; 0: there is none. Null: `#table` has the ids. */
  #direct: Uint32Array | null;
  readonly #table: IntegerTable;
  readonly #vector = new NumberVector();

  /** @param shared the memory of an index that another thread has filled */
  constructor(shared?: SharedIds & { readonly kind: 'integer' }) {
    this.size = shared?.size ?? 0;
    this.#direct = shared === undefined ? new Uint32Array(new SharedArrayBuffer(0)) : shared.direct;
    this.#table = new IntegerTable(shared?.table);
  }

  insert(block: FieldBlock, column: number, rows: Selection, firstNode: number, bad: BadRows): number {
    const vector = this.#vector;
    parseIntegers(block, column, rows, vector, bad);
    if (this.#direct !== null) this.#fitDirect(this.#direct);
    if (this.#direct === null) this.#table.reserve(rows.length);
    const parsedAll = bad.size === 0 && vector.presentCount === rows.length;
    let node = firstNode;
    for (let i = 0; i < rows.length; i++) {
      if (!parsedAll && bad.has(rows[i]!)) continue;
      if (vector.present[i] === 0) bad.add(rows[i]!, 'the row has no id');
      else if (!this.#insertOne(i, node)) bad.add(rows[i]!, `the id ${fieldText(block, rows[i]!, column)} is taken by another node`);
      else node++;
    }
    this.size += node - firstNode;
    return node - firstNode;
  }

  /** Adds an id. False: the id is taken. */
  add(id: number | bigint, node: number): boolean {
    const vector = this.#vector;
    vector.start(1);
    if (typeof id === 'bigint') vector.setWide(0, id);
    else vector.numbers[0] = vector.minimum = vector.maximum = id;
    if (this.#direct !== null) this.#fitDirect(this.#direct);
    const added = this.#insertOne(0, node);
    if (added) this.size++;
    return added;
  }

  /** Makes room in the array for the ids of the vector, or moves all ids to the hash table. */
  #fitDirect(direct: Uint32Array): void {
    const { minimum, maximum, wideCount, length } = this.#vector;
    const largest = Math.max(ALWAYS_DIRECT, LARGEST_SPREAD * (this.size + length));
    if (minimum >= 0 && maximum < largest && wideCount === 0) this.#direct = grown(direct, maximum + 1);
    else if (wideCount > 0 || minimum <= maximum) this.#leaveDirect(direct);
  }

  #leaveDirect(direct: Uint32Array): void {
    this.#direct = null;
    for (let id = 0; id < direct.length; id++) if (direct[id] !== 0) this.#table.insert(id, 0, direct[id]! - 1);
  }

  #insertOne(index: number, node: number): boolean {
    const id = this.#vector.numbers[index]!;
    if (this.#direct === null) return this.#table.insert(this.#low(index, id), this.#high(index, id), node);
    if (this.#direct[id] !== 0) return false;
    this.#direct[id] = node + 1;
    return true;
  }

  resolve(block: FieldBlock, column: number, rows: Selection, nodes: Uint32Array, bad: BadRows): void {
    const vector = this.#vector;
    const direct = this.#direct;
    parseIntegers(block, column, rows, vector, bad);
    const { numbers, present, wideCount, presentCount, length } = vector;
    if (direct === null) this.#table.findAll(numbers, length, nodes);
    // 0 stands for no node: 0 - 1 is NO_NODE in 32 bits.
    else for (let i = 0; i < length; i++) nodes[i] = numbers[i]! >= 0 && numbers[i]! < direct.length ? direct[numbers[i]!]! - 1 : NO_NODE;
    if (wideCount === 0 && presentCount === length) return;
    for (let i = 0; i < length; i++) {
      const id = numbers[i]!;
      if (present[i] === 0) nodes[i] = NO_NODE;
      else if (id !== id && direct === null) nodes[i] = this.#table.find(this.#low(i, id), this.#high(i, id));
    }
  }

  shared(): SharedIds {
    return { kind: 'integer', size: this.size, direct: this.#direct, table: this.#table.slots };
  }

  renumber(ordinals: Uint32Array): void {
    const direct = this.#direct;
    if (direct === null) this.#table.renumber(ordinals);
    else for (let id = 0; id < direct.length; id++) if (direct[id] !== 0) direct[id] = ordinals[direct[id]! - 1]! + 1;
  }

  #low(index: number, id: number): number {
    return id === id ? id >>> 0 : Number(BigInt.asUintN(32, this.#vector.wide[index]!));
  }

  #high(index: number, id: number): number {
    return id === id ? highWord(id) : Number(BigInt.asUintN(32, this.#vector.wide[index]! >> 32n));
  }
}
