/** Columns whose values stand in the binary form of the value layer: lists, and types without a column form of their own. */

import { assert, ByteWriter } from '../../base/index.ts';
import type { Selection } from '../../formats/index.ts';
import type { SstColumn } from '../../storage/index.ts';
import { encodeValue, type Value } from '../../value/index.ts';
import type { ColumnBuilder } from './column-builder.ts';
import { grown } from './growing.ts';
import { reorderHeap } from './reorder.ts';
import { reorderBits, Validity } from './validity.ts';

/** A column of values of any type. */
export class AnyColumn implements ColumnBuilder {
  readonly storage = 'any';
  readonly #validity = new Validity();
  readonly #heap = new ByteWriter();
  #offsets = new Uint32Array(1);

  get rows(): number {
    return this.#validity.rows;
  }

  get isEmpty(): boolean {
    return this.#validity.isEmpty;
  }

  get bytes(): number {
    return 4 * this.rows + this.#heap.length;
  }

  /** Appends a value; null: the row has none. */
  append(value: Value): void {
    const { rows } = this;
    if (value !== null) encodeValue(value, this.#heap);
    this.#offsets = grown(this.#offsets, rows + 2);
    this.#offsets[rows + 1] = this.#heap.length;
    this.#validity.appendSame(1, value !== null);
  }

  appendColumn({ values, valid, heap }: SstColumn, rows: Selection): void {
    assert(heap !== undefined, 'values of any type stand in a heap');
    const offsets = values as Uint32Array;
    const start = this.rows;
    const target = (this.#offsets = grown(this.#offsets, start + rows.length + 1));
    for (let i = 0; i < rows.length; i++) {
      this.#heap.raw(heap.subarray(offsets[rows[i]!], offsets[rows[i]! + 1]));
      target[start + i + 1] = this.#heap.length;
    }
    this.#validity.appendBits(valid, rows);
  }

  padTo(rows: number): void {
    if (rows <= this.rows) return;
    this.#offsets = grown(this.#offsets, rows + 1);
    this.#offsets.fill(this.#heap.length, this.rows + 1, rows + 1);
    this.#validity.appendSame(rows - this.rows, false);
  }

  truncate(rows: number): void {
    if (rows >= this.rows) return;
    this.#heap.truncate(this.#offsets[rows]!);
    this.#validity.rows = rows;
  }

  finish(name: string, order: Uint32Array | null): SstColumn {
    const { bits } = this.#validity;
    const encoded = { offsets: this.#offsets, bytes: this.#heap.view() };
    const { offsets, bytes } = order === null ? encoded : reorderHeap(encoded, order);
    return { name, kind: 'any', values: offsets, valid: bits === null || order === null ? bits : reorderBits(bits, order), heap: bytes };
  }
}
